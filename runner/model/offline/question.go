package offline

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// maxQuestion bounds what is read of a user's message, in bytes.
const maxQuestion = 4 << 10

// question is a user's message, read.
type question struct {
	text   string // the asked sentence without politeness and formatting wishes
	root   *node
	format format
}

func readQuestion(message string) question {
	text := plain(message)
	var q question
	q.format, text = readFormat(text)
	q.text = asked(text)
	p := &parser{format: &q.format, grammar: english()}
	q.root = p.question(q.text)
	return q
}

// plain cuts to size, unifies quotes and white space.
func plain(s string) string {
	if len(s) > maxQuestion {
		s = strings.ToValidUTF8(s[:maxQuestion], "")
	}
	s = strings.ToValidUTF8(s, " ")
	s = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "«", `"`, "»", `"`, "{}", "").Replace(s)
	return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " ")
}

// sentences splits a text at full stops, question and exclamation marks that are followed
// by a space and the start of a sentence; initials and usual abbreviations do not end one.
func sentences(text string) []string {
	var out []string
	start := 0
	for i := 0; i+2 < len(text); i++ {
		c := text[i]
		if c != '.' && c != '?' && c != '!' || text[i+1] != ' ' {
			continue
		}
		next := rune(text[i+2])
		starts := next >= 0x80 || unicode.IsUpper(next) || unicode.IsDigit(next) || next == '"' || next == '\'' || next == '('
		if !starts || c == '.' && abbreviation(text[start:i]) {
			continue
		}
		out = append(out, strings.TrimSpace(text[start:i+1]))
		start = i + 2
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

func abbreviation(before string) bool {
	i := strings.LastIndexAny(before, " (")
	last := before[i+1:]
	if len(last) == 1 && last >= "A" && last <= "Z" {
		return true
	}
	switch strings.ToLower(last) {
	case "mr", "mrs", "ms", "dr", "st", "mt", "c", "ca", "no", "jr", "sr", "vs", "e.g", "i.e", "approx", "u.s", "fig", "vol", "op", "prof":
		return true
	default:
		return false
	}
}

type leadPatterns struct{ cleft, preface, polite, trailing, pronoun *regexp.Regexp }

var leads = sync.OnceValue(func() leadPatterns {
	re := regexp.MustCompile
	return leadPatterns{
		cleft:   re(`(?i)^((?:in |on |at )?(?:which|what|who|when|where)\b[^,]*?) (?:is|was) it (?:that|who|which) `),
		preface: re(`(?i)^.+(?::| [–—-]) ((?:(?:in|on|at|by|from|of|to) )?(?:which|what|who|whom|whose|when|where|how)\b.+)$`),
		polite: re(`(?i)^(?:(?:hi|hello|hey|please|well|so|ok|okay|now|also|and|quick question|question|just out of curiosity|out of curiosity|for a quiz|good (?:morning|day|evening))\b[\s,:!.-]+|` +
			`(?:can|could|would|will) (?:you|someone|anyone) (?:please |kindly |possibly )?(?:(?:tell|show|remind|inform|let) (?:me|us)(?: know)?(?: (?:about|please))?,? )?|` +
			`(?:please )?(?:tell|remind) (?:me|us),? |let me know,? |do you (?:happen to )?(?:know|remember|recall) |` +
			`i(?: would|'d) (?:like|love|need) (?:you )?to (?:know|find out|learn|understand|hear|see) |i (?:want|need) (?:you )?to (?:know|find out|learn) |i(?:'m| am) (?:wondering|curious(?: about| to know)?|trying to (?:find out|work out|figure out|remember)|interested in|looking for),? |` +
			`i (?:wonder|need|want),? (?:to know )?|what i(?: want|'d like| would like) to know is,? |any idea |is it known |it is known |help me (?:find|work out|to find)? ?)`),
		trailing: re(`(?i)[\s,]*(?:,? please|,? do you know|,? if you know|,? thanks|,? thank you|, by the way)?[\s?.!]*$`),
		pronoun:  re(`(?i)\b(?:it|its|they|their|he|him|his|she|her|there|(?:that|this|the same) (?:city|country|person|man|woman|river|place|building|element|planet|state|town|island|lake|mountain|work|book|composer|author|writer|painter|scientist|year|number|event|war|company|animal|language|metal|king|queen|ruler))\b`),
	}
})

// asked finds the sentence that asks, joins to it what it points back to ("that city",
// "its"), and strips politeness.
func asked(text string) string {
	var kept []string
	for _, s := range sentences(text) {
		if !formats().manner.MatchString(s) {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		kept = []string{text}
	}
	at := asking(kept)
	q := strip(kept[at])
	if at > 0 && bare(q) { // "On what day exactly?" asks about the sentence before
		return q + " " + strings.Trim(kept[at-1], " .!")
	}
	if at > 0 {
		if told, ok := retell(q, kept[at-1]); ok {
			return told
		}
	}
	if at > 0 && leads().pronoun.MatchString(q) {
		if d := lastDescription(kept[at-1]); d != "" {
			q = substitute(q, d)
		}
	}
	return q
}

// asking gives the last sentence with a question mark, else the last that says something.
func asking(kept []string) int {
	at := 0
	for i, s := range kept {
		if len(content(s)) > 1 {
			at = i
		}
	}
	for i, s := range kept {
		if strings.HasSuffix(s, "?") {
			at = i
		}
	}
	return at
}

// bare says that a question has no content but its question words.
func bare(q string) bool {
	for _, c := range content(q) {
		if c != "date" && c != "day" && c != "year" && c != "month" && classOf(c) == anything {
			return false
		}
	}
	return true
}

func strip(s string) string {
	l := leads()
	if m := l.preface.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	s = l.cleft.ReplaceAllString(s, "$1 ")
	s = l.trailing.ReplaceAllString(strings.TrimSpace(s), "")
	for range 4 {
		t := strings.TrimSpace(l.polite.ReplaceAllString(s, ""))
		if t == s || t == "" {
			break
		}
		s = t
	}
	return s
}

// substitute puts a description where a pronoun stands; a possessive becomes "D's".
func substitute(q, d string) string {
	loc := leads().pronoun.FindStringIndex(q)
	if loc == nil {
		return q
	}
	if strings.HasPrefix(d, "The ") {
		d = "the " + d[4:]
	}
	switch strings.ToLower(q[loc[0]:loc[1]]) {
	case "its", "their", "his", "her": // "his teacher" is "the teacher of D"
		rest := tokens(q[loc[1]:])
		n := 0
		for n < len(rest) && rest[n].alpha() && !rest[n].capital() && !functionWords()[rest[n].low] && (n == 0 || !clauseVerbs()[rest[n].low]) {
			n++
		}
		if n > 0 {
			end := loc[1] + rest[n-1].end
			return q[:loc[0]] + "the" + q[loc[1]:end] + " of " + d + q[end:]
		}
	case "there":
		d = "in " + d
	}
	return q[:loc[0]] + d + q[loc[1]:]
}
