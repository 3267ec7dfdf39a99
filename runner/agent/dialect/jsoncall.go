package dialect

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// maxCandidates limits the places at which a reply is tried as JSON, each in time linear in the reply.
const maxCandidates = 8

// candidate matches the beginning of an object, or of a list of objects, on a line or in a code block.
var candidate = lazy.Compile("(?m)^[ \\t]*(?:```[A-Za-z]{0,10}[ \\t]*\\n?[ \\t]*)?(\\[\\s*\\{|\\{\\s*[\"'])")

// callKeys distinguishes a broken call from other broken JSON.
var callKeys = lazy.Compile(`["'](?:arguments|args|action_input|parameters)["']\s*:`)

var (
	nameKeys     = []string{"name", "tool", "tool_name", "action", "function"}
	argumentKeys = []string{"arguments", "args", "parameters", "params", "action_input", "tool_input", "input"}
	finalKeys    = []string{"final", "final_answer"}
)

// jsonCall is a call written as a JSON object.
type jsonCall struct {
	name      string
	arguments json.RawMessage // nil if missing
	final     string          // set if the object is a final message
	thought   string
	result    bool // it contains a result, which the model must have invented
}

// readJSON looks for calls in JSON before an offset. alone says that the reply has nothing else. If it has
// other text, only calls of offered tools count, because other JSON is content.
func (p *parser) readJSON(before int, alone bool) bool {
	text := p.text[:before]
	var calls []jsonCall
	end, taken, failed, mended := 0, 0, false, false
	for _, m := range candidate.FindAllStringSubmatchIndex(text, maxCandidates) {
		if m[2] < end {
			continue // it is inside the previous value
		}
		v, ok := firstJSON(text[m[2]:])
		failed = failed || !ok
		here := callsIn(v.raw)
		if !ok || len(here) == 0 || !p.plausible(here[0], alone) {
			continue
		}
		if len(calls) == 0 {
			taken, mended = m[0], v.repaired
		}
		calls, end = append(calls, here...), m[2]+v.length
	}
	switch {
	case len(calls) > 0:
		p.turn.Thought = p.thoughtBefore(taken)
		p.takeCalls(JSON, calls, mended)
		return true
	case failed && alone && callKeys.MatchString(text):
		p.turn.Thought = p.thoughtBefore(before)
		p.fail(JSON, errors.New("the JSON of the action cannot be read"))
		return true
	default:
		return false
	}
}

func (p *parser) plausible(c jsonCall, alone bool) bool {
	if c.name == "" {
		return alone
	}
	sig := signatureOf(c.name, p.tools)
	return sig.known || sig.finishes || alone && c.arguments != nil
}

// jsonValue is a JSON value in a text.
type jsonValue struct {
	raw      string
	length   int // bytes of the text that it covers
	repaired bool
}

// firstJSON returns the value at the beginning of a text, repaired if necessary.
func firstJSON(text string) (jsonValue, bool) {
	var value json.RawMessage
	dec := json.NewDecoder(strings.NewReader(text))
	if dec.Decode(&value) == nil {
		return jsonValue{raw: string(value), length: int(dec.InputOffset())}, true
	}
	text, _, _ = strings.Cut(text, "```")
	if end := strings.LastIndexAny(text, "}]"); end >= 0 {
		text = text[:end+1]
	}
	mended, ok := repairJSON(text)
	return jsonValue{raw: mended, length: len(text), repaired: true}, ok
}

// callsIn reads an object or a list as calls. It returns the calls in order, and stops at the first value that
// is not a call.
func callsIn(raw string) []jsonCall {
	if fields, ok := fieldsOf(raw); ok && fields["tool_calls"] != nil {
		raw = string(fields["tool_calls"])
	}
	list := []json.RawMessage{json.RawMessage(raw)}
	if strings.HasPrefix(raw, "[") && json.Unmarshal([]byte(raw), &list) != nil {
		return nil
	}
	var calls []jsonCall
	for _, entry := range list {
		c, ok := callOf(entry)
		if !ok {
			break
		}
		calls = append(calls, c)
	}
	return calls
}

func callOf(raw json.RawMessage) (jsonCall, bool) {
	fields, ok := fieldsOf(string(raw))
	if !ok {
		return jsonCall{}, false
	}
	c := jsonCall{thought: textOf(fields, "thought"), arguments: first(fields, argumentKeys)}
	_, c.result = fields["result"]
	named := first(fields, nameKeys)
	if inner, nested := fieldsOf(string(named)); nested { // {"function": {"name", "arguments"}}
		c.name = textOf(inner, "name")
		c.arguments = first(inner, argumentKeys)
	} else {
		c.name, _ = unquote(string(named))
	}
	c.name = strings.TrimSpace(c.name)
	if c.name != "" {
		return c, true
	}
	for _, key := range finalKeys {
		if text, ok := unquote(string(fields[key])); ok {
			c.final = text
			return c, true
		}
	}
	return jsonCall{}, false
}

func first(fields map[string]json.RawMessage, keys []string) json.RawMessage {
	for _, key := range keys {
		if raw := fields[key]; raw != nil {
			return raw
		}
	}
	return nil
}

func textOf(fields map[string]json.RawMessage, key string) string {
	text, _ := unquote(string(fields[key]))
	return strings.TrimSpace(text)
}

// takeCalls stores the first of several JSON calls as the parsed turn, and adds the other calls.
func (p *parser) takeCalls(d Dialect, calls []jsonCall, repaired bool) {
	p.takeJSON(d, calls[0], repaired)
	for _, c := range calls[1:] {
		p.addFurther(func(q *parser) { q.takeJSON(d, c, repaired) })
	}
}

// takeJSON turns the parsed turn into a JSON call or a final message.
func (p *parser) takeJSON(d Dialect, c jsonCall, repaired bool) {
	p.turn.Dialect, p.turn.Repaired = d, repaired
	p.turn.Thought = joinThoughts([]string{p.turn.Thought, c.thought})
	if c.name == "" {
		p.turn.Final = withAnswerLine(c.final)
		p.turn.Repaired = false
		return
	}
	// The arguments may be JSON within a string, as in the providers' APIs.
	arguments := strings.TrimSpace(plain(strings.TrimSpace(string(c.arguments))))
	if arguments == "null" {
		arguments = ""
	}
	p.takeObject(c.name, arguments, "the value of arguments")
}

// takeObject turns the parsed turn into a call with a JSON object, or into the final message in the object.
func (p *parser) takeObject(name, raw, what string) {
	sig := signatureOf(name, p.tools)
	if sig.finishes {
		p.finishWith(raw)
		return
	}
	if sig.takesNothing() && (slices.Contains(noArguments, strings.ToLower(strings.TrimSpace(raw))) || isObject(raw)) {
		p.turn.Repaired = p.turn.Repaired || strings.TrimSpace(raw) != "" && strings.TrimSpace(raw) != "{}"
		p.call(name, "{}", sig)
		return
	}
	if values := taggedValues(raw); strings.HasPrefix(strings.TrimSpace(raw), "<") && values != nil {
		arguments, _, err := sig.bind(values)
		if p.turn.Problem = err; err == nil {
			p.turn.Repaired = true
			p.call(name, arguments, sig)
		}
		return
	}
	arguments, repaired, err := readArguments(raw, what)
	if inner, wrapped := sig.unwrap(arguments); err == nil && wrapped {
		arguments, repaired = inner, true
	}
	if err != nil && raw != "" && strings.IndexByte("{[", raw[0]) < 0 && sig.takesText() && sig.required <= 1 {
		text, _, _ := strings.Cut(raw, "\n") // bare words
		if plain, quoted := unquote(strings.TrimSpace(text)); quoted {
			text = plain
		}
		arguments, _, err = sig.bind([]value{{text: strings.Trim(text, " \t`")}})
		repaired = true
	}
	if err != nil {
		p.turn.Problem = err
		return
	}
	p.turn.Repaired = p.turn.Repaired || repaired
	p.call(name, arguments, sig)
}
