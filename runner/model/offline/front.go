package offline

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// frameWords are the words of which the frames around questions are made: "could you
// please tell me", "I would be glad to find out whether".
var frameWords = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`would could can will should may might must do does did have has am be been like love want wish
		happen happens out up to for about as any need chance idea wondering good hello hi hey dear morning evening afternoon day
		thanks sorry excuse pardon so well now then next ok okay also and but quick simple question possibly perhaps maybe really
		trying try looking interested keen glad grateful happy delighted pleased able curious off down be asked sake of
		someone somebody anyone anybody everyone again finally`))
})

// anchors make a run of frame words a frame: the two who talk, and verbs of asking and
// telling.
var anchors = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`i we you me us my your i'd i'm i've i'll we'd we're let's hello hi hey
		please kindly tell say let show inform remind wonder wondering know find figure work learn hear see look out
		understand remember recall help give name state list provide mention specify identify determine calculate compute
		establish report indicate supply point check explain describe estimate evaluate express pick choose select question curiosity`))
})

// unframe takes the frame off the front of a sentence, so that a question word, a noun
// phrase, an inverted verb or a verb of computing opens it.
func unframe(s string) string {
	w := tokens(s)
	anchored, cut := false, 0
	for i, t := range w {
		switch {
		case i > 0 && t.capital() && t.low != "i":
			return s[cut:]
		case anchors()[t.low]:
			anchored = true
		case frameWords()[t.low], i > 0 && (t.text == "," || t.text == ":" || t.text == "-" || t.text == "!"):
		case i == 0 && t.low == "what" && len(w) > 1 && (w[1].low == "i" || w[1].low == "i'd" || w[1].low == "we"):
		case (t.low == "is" || t.low == "the") && i > 0 && anchored && i+1 < len(w) && (questionOpens(w[i+1].low) || frameWords()[w[i+1].low] && t.low == "is"):
		default:
			return s[cut:]
		}
		if anchored && i+1 < len(w) && !(preposition(w[i+1].low) && w[i+1].low != "by" && (i+2 >= len(w) || !questionOpens(w[i+2].low))) {
			cut = w[i+1].start
		}
	}
	return s[cut:]
}

func questionOpens(low string) bool {
	switch low {
	case "what", "which", "who", "whom", "whose", "when", "where", "how", "why", "whether", "if":
		return true
	default:
		return false
	}
}

// idioms are set phrases of English with the plain verb that reference works use.
var idioms = sync.OnceValue(func() []idiom {
	var out []idiom
	for line := range strings.Lines(`light: (?:first )?(?:see|saw|seen) the light of (?:the )?day = was born / be born
world: (?:come|came) into (?:the|this) world = was born / be born
native: (?:be|is|was|being) a native of = was born in / be born in
hail hails hailed: hail(?:ed|s)? from = was born in / be born in
end death fate: (?:meets?|met) (?:his|her|their|with) (?:end|death|fate) = died / die
life lives: (?:lose|lost) (?:his|her|their) (?:life|lives) = died / die
last: breathed? (?:his|her|their) last = died / die
away: pass(?:ed)? away = died / die
pen: (?:c[ao]me|flow(?:ed|s)?|spr[au]ng) from the pen of = was written by
owe: do we owe = wrote
throne: (?:come|came|ascend(?:ed)?|accede[ds]?|succeed(?:ed)?) to the throne = succeeded / succeed
throne: (?:ascend(?:ed)?|take|took|mount(?:ed)?) the throne = succeeded / succeed
crown: (?:wear|wore|worn) the crown = reigned / reign
plans: (?:draw|drew|drawn) up the plans (?:for|of) = designed / design
role part: (?:take|took|play(?:ed)?|sing|sang) the (?:role|part) of = sang the part of
defeat: (?:meets?|met) with defeat|suffer(?:ed)? defeat at the hands of = was defeated by
name: (?:lend|lent|gave|give) (?:its|his|her|their) name to = named
name: (?:take|took|taken|get|got|has|have|had) (?:its|his|her|their) name (?:from) = was named after
name: (?:bear|bears|bore) the name of = was named after
honour honor memory: in (?:honou?r|memory) of = after
expense cost: at (?:the expense|the cost) of = paid by
expense cost: at whose (?:expense|cost) = who paid for
short: (?:falls?|fell|comes?|came) short of = is shorter than / be shorter than
end close: come to an end|(?:draw|drew) to a close = ended / end
got get: (?:got|get) to = reached / reach
touched touch touchdown: touch(?:ed)? down(?: on)?|touchdown(?: on)? = landing
foot: set foot on = landed on
debut performance premiere première night: made its debut|(?:had|has|have) (?:its|their) (?:first performance|premi[eè]re|first night) = was first performed
open opened: open(?:ed)? to (?:the )?(?:public|traffic|shipping) = opened
`) {
		keys, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if from, to, ok := strings.Cut(rest, " = "); ok {
			past, base, two := strings.Cut(to, " / ")
			if !two {
				base = past
			}
			out = append(out, idiom{strings.Fields(keys), regexp.MustCompile(`(?i)\b(?:` + from + `)\b`), past, base})
		}
	}
	return out
})

// idiom is a set phrase; one of its keys stands in every text that holds it.
type idiom struct {
	keys       []string
	pattern    *regexp.Regexp
	past, base string
}

// in finds the phrase in a text.
func (i idiom) in(text string, words []word) []int {
	for _, w := range words {
		if slices.Contains(i.keys, w.low) {
			return i.pattern.FindStringIndex(text)
		}
	}
	return nil
}

// plainly puts plain verbs for set phrases.
func plainly(s string) string {
	for _, i := range idioms() {
		loc := i.in(s, tokens(s))
		if loc == nil {
			continue
		}
		plain := i.past
		for _, w := range tokens(s[:loc[0]]) {
			if w.low == "did" || w.low == "does" || w.low == "do" {
				plain = i.base
			}
		}
		s = s[:loc[0]] + plain + s[loc[1]:]
	}
	return s
}

type leadPatterns struct{ cleft, origin, trailing, telling, name *regexp.Regexp }

var leads = sync.OnceValue(func() leadPatterns {
	re := regexp.MustCompile
	return leadPatterns{
		cleft:    re(`(?i)^((?:in |on |at |from |by )?(?:which|what|who|whose|when|where)\b[^,]*?) (?:is|was) it (?:that|who|which|in which|where|when)? ?`),
		trailing: re(`(?i)[\s,;–—-]*(?:,? (?:if you )?please|,? do you know|,? if you (?:know|can|would|will|could|don't mind|happen to know)|,? would you say|,? can you (?:say|tell me)|,? i wonder|,? thanks|,? thank you|, by the way|, exactly|, precisely|, then|,? or (?:not|is it the other way (?:a)?round|the other way (?:a)?round|vice versa)|, namely (?:whom|who|what|which)|, (?:was|is|did|does|were) (?:it|they|he|she)(?: not)?)?[\s?.!]*$`),
		telling:  re(`(?i)\b(?:and |then )*(?:please )?(?:say|tell me|state|name|decide|find out|work out|determine) ((?:in |on |of |by )?(?:which|who|what|whose|when|where|how)\b)`),
		name:     re(`(?i)^the (?:full |exact |proper )?(?:name|names|identity|title) of (?:the |that )`),
		origin:   re(`(?i)^from ((?:which|what) (?:[a-z]+ )*?(?:town|city|country|place|village|region|state|island)) (?:(?:did|does|do) (.+) (?:come|hail|stem)|(?:came|comes|hailed|hails) (.+))$`),
	}
})

// strip brings a sentence to its normal form: no politeness in front or behind, no cleft,
// plain verbs.
func strip(s string) string {
	l := leads()
	for range 3 {
		t := strings.TrimSpace(l.trailing.ReplaceAllString(s, ""))
		if t == s {
			break
		}
		s = t
	}
	s = unframe(s)
	s = l.telling.ReplaceAllString(s, "$1")
	s = l.cleft.ReplaceAllString(s, "$1 ")
	s = l.name.ReplaceAllString(s, "the ")
	s = l.origin.ReplaceAllString(s, "in $1 was $2$3 born")
	return plainly(strings.TrimSpace(s))
}
