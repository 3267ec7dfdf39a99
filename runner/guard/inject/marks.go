package inject

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxCitation is the most bytes of a bracket that anybody takes for a citation.
const maxCitation = 1 << 10

var (
	// templateMark has the names of ChatML, Llama, Mistral, Gemma, Qwen, DeepSeek and Claude.
	templateMark = compiled(`(?i)<[|｜][^<>|｜\n]{0,60}[|｜]>` +
		`|<</?sys>>|<!--` +
		`|</?(?:s|bos|eos|pad|unk|system|assistant|(?:start|end)_of_turn|im_(?:start|end)|think|thinking|` +
		`tool_(?:calls?|responses?|results?|outputs?|use)|function_(?:calls?|results?|response)|function|invoke|parameter|` +
		`antml:[a-z_]+)\b(?:[^<>]*>)?` +
		`|\[/?(?:inst|system_prompt|tool_calls?|tool_results?|available_tools|gmask|sop|bos|eos)\]`)
	speakerHeading = compiled(`(?mi)^([ \t>*]*)(#{2,6}[ \t]*(?:new )?(?:system|user|assistant|human|instructions?|input|response)(?: prompt| message)?)([ \t]*:)`)
	shownCall      = compiled(`\[[A-Za-z_]\w*\([^\[\]\n]*\)[ \t]*(?:→|->)[^\[\]\n]*\]?`)
	bracketed      = compiled(`[\[［【][^\[\]［］【】]*[\]］】]`)
	documentID     = compiled(`(?i)^[a-z][a-z0-9]*_[0-9]+$`)
)

var angled = strings.NewReplacer("<", "‹", ">", "›", "[", "‹", "]", "›")

// quoteMarks puts other brackets around what a chat template would read as a border
// between speakers, around its headings, and around calls within prose, which are read
// wherever they stand: [Calculator(2 * 3) → 6].
func quoteMarks(text string, log *changeLog) string {
	if strings.ContainsAny(text, "<[") {
		text = replaceAll(templateMark(), text, Template, log, angled.Replace)
	}
	if strings.Contains(text, "##") {
		text = replaceAll(speakerHeading(), text, Template, log, func(found string) string {
			return speakerHeading().ReplaceAllString(found, "$1‹$2›$3")
		})
	}
	if strings.Contains(text, "→") || strings.Contains(text, "->") {
		text = replaceAll(shownCall(), text, Template, log, func(found string) string {
			inner, closed := strings.CutSuffix(found[len("["):], "]")
			if closed {
				inner += "›"
			}
			return "‹" + inner
		})
	}
	return text
}

// quoteCitations puts document ids in other brackets than those by which the agent
// cites: a snippet must not bring its own evidence.
func quoteCitations(text string, log *changeLog) string {
	if !strings.Contains(text, "_") {
		return text
	}
	out := splice{text: text}
	for _, at := range bracketed().FindAllStringIndex(text, -1) {
		found := text[at[0]:at[1]]
		_, opening := utf8.DecodeRuneInString(found)
		_, closing := utf8.DecodeLastRuneInString(found)
		inner := found[opening : len(found)-closing]
		if len(inner) > maxCitation || !strings.Contains(inner, "_") || !namesDocument(inner) {
			continue
		}
		log.note(Citation, found)
		if before, _ := utf8.DecodeLastRuneInString(text[:at[0]]); isAlnum(before) || before == '_' {
			inner = "‹" + inner + "›" // name(id) would be a call
		} else {
			inner = "(" + inner + ")"
		}
		out.put(at[0], at[1], inner)
	}
	return out.done()
}

// namesDocument reports whether one of the words of a bracket is a document's id. It
// takes more for one than the audit of citations does, so that the audit need not be
// followed in each of its forms: [source: **corpus_1**], [^corpus_1], [corpus_1|p. 3].
func namesDocument(inner string) bool {
	for word := range strings.FieldsFuncSeq(inner, isCitationBorder) {
		if documentID().MatchString(strings.Trim(word, "_.")) {
			return true
		}
	}
	return false
}

func isCitationBorder(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(",;:|&^*`\\†，；：、｜＆", r)
}

// replaceAll rewrites and notes every match of rule.
func replaceAll(rule *regexp.Regexp, text string, kind ChangeKind, log *changeLog, rewrite func(string) string) string {
	return rule.ReplaceAllStringFunc(text, func(found string) string {
		log.note(kind, found)
		return rewrite(found)
	})
}
