package inject

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxCitation is the maximum length of a citation's bracket, in bytes.
const maxCitation = 1 << 10

var (
	// templateMark matches the marks of ChatML, Llama, Mistral, Gemma, Qwen, DeepSeek and Claude.
	templateMark = compiled(`(?i)<[|｜][^<>|｜\n]{0,60}[|｜]>` +
		`|<</?sys>>|<!--` +
		`|</?(?:s|bos|eos|pad|unk|system|assistant|(?:start|end)_of_turn|im_(?:start|end)|think|thinking|` +
		`tool_(?:calls?|responses?|results?|outputs?|use)|function_(?:calls?|results?|response)|function|invoke|parameter|` +
		`antml:[a-z_]+)\b(?:[^<>]*>)?` +
		`|\[/?(?:inst|system_prompt|tool_calls?|tool_results?|available_tools|gmask|sop|bos|eos)\]`)
	speakerHeading = compiled(`(?mi)^([ \t>*]*)(#{2,6}[ \t]*(?:new )?` +
		`(?:system|user|assistant|human|instructions?|input|response)(?: prompt| message)?)([ \t]*:)`)
	shownCall  = compiled(`\[[A-Za-z_]\w*\([^\[\]\n]*\)[ \t]*(?:→|->)[^\[\]\n]*\]?`)
	bracketed  = compiled(`[\[［【][^\[\]［］【】]*[\]］】]`)
	documentID = compiled(`(?i)^[a-z][a-z0-9]*_[0-9]+$`)
)

var angled = strings.NewReplacer("<", "‹", ">", "›", "[", "‹", "]", "›")

// quoteMarks replaces the brackets of three kinds of marks: marks that a chat template would read as the end of
// a speaker's text; headings of such templates; and calls inside prose, such as [Calculator(2 * 3) → 6],
// because models may read a call at any place of a text.
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

// quoteCitations replaces the brackets around ids of documents. So a snippet cannot contain text that looks
// like a citation of the agent.
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
			inner = "‹" + inner + "›" // name(id) would look like a call
		} else {
			inner = "(" + inner + ")"
		}
		out.put(at[0], at[1], inner)
	}
	return out.done()
}

// namesDocument reports whether a word in brackets is the id of a document. It accepts more forms than the
// audit of citations accepts: [source: **corpus_1**], [^corpus_1], [corpus_1|p. 3].
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

// replaceAll rewrites every match of a rule, and records the changes.
func replaceAll(rule *regexp.Regexp, text string, kind ChangeKind, log *changeLog, rewrite func(string) string) string {
	return rule.ReplaceAllStringFunc(text, func(found string) string {
		log.note(kind, found)
		return rewrite(found)
	})
}

// These rules are for lines that look like the beginning of a turn: a turn of the agent's own loop in the text
// protocol, a turn of a chat that is written as text, or a call as JSON.

const (
	decoration = " \t>*_#`+-\"'0123456789.()[]" // characters that may surround a label
	// maxBroken is the maximum number of invalid values that are parsed, because parsing one value can read the
	// whole rest of the text. After that, further values count as invalid without parsing.
	maxBroken = 8
)

// roleLabels lists the labels of the agent's loop, the speakers of chats, and the labels of lines that end a
// turn or report a tool's result. It does not contain "user", because a page may list its users.
var roleLabels = strings.Split("observation,observations,action,action input,final answer,final,thought,thoughts,"+
	"human,assistant,system,answer,short answer,tool returns,tool returned", ",")

var (
	// roleHead matches the labels that the text protocol accepts. They may have decoration, and numbers of any
	// length. It also matches fields such as [[ ## name ## ]], calls, and an action that ends the trace without
	// a label.
	roleHead = compiled(`(?i)^[ \t>*_]*(?:` +
		`(?:thought|action input|action|final answer|final|answer|observation|tool return(?:s|ed)|` +
		`思考|行动输入|行动|动作输入|动作|最终答案|观察)[ \t0-9]*[*_]*[:：]` +
		// calc(expression="1", or a line that is only a call
		`|\[?[ \t]*[a-z_][\w.-]*\((?:\s*\w+\s*=|.*\)\s*(?:[\],].*)?\s*$|[^)]*$)` +
		`|\[\[ ?## ?\w+ ?## ?\]\]` +
		`|(?:finish|complete_task|final_answer)[\[(])`)
	// jsonBegin matches the beginning of an object, or of a list of objects, on a line or in a code block.
	jsonBegin = compiled("(?m)^[ \\t]*(?:```[A-Za-z]{0,10}[ \\t]*\\n?[ \\t]*)?(\\[\\s*\\{|\\{\\s*[\"'])")
	callKey   = compiled(`"(?:name|tool|tool_name|action|function|final|final_answer)"\s*:`)
)

// prefixRoles puts a bar before each line that looks like the beginning of a turn.
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

// beginsTurn reports whether a line begins a turn: because of its label, in the form in which Scan reads it, or
// by the rules of the text protocol.
func beginsTurn(line string) bool {
	head := strings.TrimLeft(line, " \t>*_#`+-\"'")
	head = strings.ReplaceAll(head[:min(len(head), maxLabel)], "：", ":")
	label, _, labelled := strings.Cut(head, ":")
	return labelled && slices.Contains(roleLabels, strings.Trim(fold(label), decoration)) ||
		roleHead().MatchString(line)
}

// prefixJSON puts a bar before each line that begins JSON that may be a call, because the text protocol reads
// such JSON as a call. A valid value may be a call if it has the keys of a call at any depth, because an inner
// object may also be at the beginning of a line. An invalid value always gets a bar, because repairing it could
// give a call.
func prefixJSON(text string, log *changeLog) string {
	if !strings.Contains(text, "{") {
		return text
	}
	out := splice{text: text}
	harmless, broken := 0, 0
	for _, m := range jsonBegin().FindAllStringSubmatchIndex(text, -1) {
		begin := m[2]
		if begin < harmless {
			continue // it is inside a value that is not a call
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
