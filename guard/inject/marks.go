package inject

import (
	"encoding/json"
	"regexp"
	"slices"
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

// quoteMarks puts other brackets around what a chat template would read as a border between speakers, around its
// headings, and around calls within prose, which are read wherever they stand: [Calculator(2 * 3) → 6].
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
	isBorder := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:|&^*`\\†，；：、｜＆", r)
	}
	for word := range strings.FieldsFuncSeq(inner, isBorder) {
		if documentID().MatchString(strings.Trim(word, "_.")) {
			return true
		}
	}
	return false
}

// replaceAll rewrites and notes every match of rule.
func replaceAll(rule *regexp.Regexp, text string, kind ChangeKind, log *changeLog, rewrite func(string) string) string {
	return rule.ReplaceAllStringFunc(text, func(found string) string {
		log.note(kind, found)
		return rewrite(found)
	})
}

// Lines that begin as a turn does: of the agent's own loop, which reads its text
// protocol by such lines, of a chat written out as text, or a call as JSON.

const (
	decoration = " \t>*_#`+-\"'0123456789.()[]" // characters that may stand around a label
	// maxBroken bounds the values that are tried and found broken, each at the cost of the
	// rest of the text. Those behind them count as broken.
	maxBroken = 8
)

// roleLabels are the labels of the agent's loop, the speakers of chats, and the lines that
// end a turn or stand where a tool spoke. A page may list its users: "user" is none of them.
var roleLabels = strings.Split("observation,observations,action,action input,final answer,final,thought,thoughts,"+
	"human,assistant,system,answer,short answer,tool returns,tool returned", ",")

var (
	// roleHead has the labels as the text protocol takes them, with any length of decoration
	// and number; the fields behind them; and the finishing action without a label.
	roleHead = compiled(`(?i)^[ \t>*_]*(?:` +
		`(?:thought|action input|action|final answer|final|answer|observation|tool return(?:s|ed)|思考|行动输入|行动|动作输入|动作|最终答案|观察)[ \t0-9]*[*_]*[:：]` +
		`|\[?[ \t]*[a-z_][\w.-]*\((?:\s*\w+\s*=|.*\)\s*(?:[\],].*)?\s*$|[^)]*$)` + // calc(expression="1", or a call and nothing else
		`|\[\[ ?## ?\w+ ?## ?\]\]` +
		`|(?:finish|complete_task|final_answer)[\[(])`)
	// jsonBegin is an object, or a list of objects, at a line's beginning or in a code block.
	jsonBegin = compiled("(?m)^[ \\t]*(?:```[A-Za-z]{0,10}[ \\t]*\\n?[ \\t]*)?(\\[\\s*\\{|\\{\\s*[\"'])")
	callKey   = compiled(`"(?:name|tool|tool_name|action|function|final|final_answer)"\s*:`)
)

// prefixRoles puts a bar before the lines that begin as a turn does, so that none can be read as one.
func prefixRoles(text string, log *changeLog) string {
	if !strings.ContainsAny(text, ":：[(") {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if beginsTurn(line) {
			log.note(Role, line)
			out.WriteString(rolePrefix)
		}
		out.WriteString(line)
	}
	return out.String()
}

// beginsTurn looks at the label as the scan reads it, and then as the text protocol does.
func beginsTurn(line string) bool {
	head := strings.TrimLeft(line, " \t>*_#`+-\"'")
	head = strings.ReplaceAll(head[:min(len(head), maxLabel)], "：", ":")
	label, _, labelled := strings.Cut(head, ":")
	return labelled && slices.Contains(roleLabels, strings.Trim(fold(label), decoration)) || roleHead().MatchString(line)
}

// prefixJSON puts a bar before the lines at which JSON begins that may be a call, which the text protocol reads. Of
// a sound value its keys tell, at any depth: an inner object may begin a line, too. A broken one may become a call
// when it is mended, and there is no telling what a mender makes of it.
func prefixJSON(text string, log *changeLog) string {
	if !strings.Contains(text, "{") {
		return text
	}
	out := splice{text: text}
	harmless, broken := 0, 0
	for _, m := range jsonBegin().FindAllStringSubmatchIndex(text, -1) {
		begin := m[2]
		if begin < harmless {
			continue // within a value that is no call
		}
		if broken < maxBroken {
			var value json.RawMessage
			decoder := json.NewDecoder(strings.NewReader(text[begin:]))
			if decoder.Decode(&value) != nil {
				broken++
			} else if !callKey().MatchString(unescapeBackslash(string(value))) {
				harmless = begin + int(decoder.InputOffset())
				continue
			}
		}
		line := strings.LastIndexByte(text[:begin], '\n') + 1
		log.note(Role, text[line:])
		out.put(line, line, rolePrefix)
	}
	return out.done()
}
