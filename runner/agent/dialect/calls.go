package dialect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// callText is the text between the brackets of a call.
type callText struct {
	open   byte
	broken bool // a bracket inside was not closed
	inner  string
	pieces []span // of inner, split at its outermost commas
}

type span struct{ start, end int }

// value is one argument as written.
type value struct {
	key    string // "" for an argument by position
	text   string // without quotes
	quoted bool
	start  int // where the text begins in the call's inner text
}

// scanCall reads from an opening bracket to its closing bracket. It counts only brackets of the same kind.
// Quotes count only around a whole value, because bare text contains apostrophes and parentheses. The time is
// linear: each byte is read a limited number of times.
func scanCall(text string) (callText, bool) {
	c := callText{open: text[0]}
	shut := byte(')')
	if c.open == '[' {
		shut = ']'
	}
	same, any, from, fresh := 0, 0, 1, true
	for i := 1; i < len(text); i++ {
		ch := text[i]
		if fresh && (ch == '"' || ch == '\'') {
			if end := quoteEnd(text, i); end > 0 && endsValue(text[end+1:]) {
				i, fresh = end, false
				continue
			}
		}
		switch {
		case ch == shut && same == 0:
			return c.finish(text[1:i], from-1), true
		case ch == shut:
			same--
			any = max(0, any-1)
		case ch == '(' || ch == '[' || ch == '{':
			any++
			if ch == c.open {
				same++
			}
		case ch == ')' || ch == ']' || ch == '}':
			any = max(0, any-1)
		case ch == ',' && any == 0:
			c.pieces = append(c.pieces, span{from - 1, i - 1})
			from = i + 1
		}
		fresh = strings.IndexByte("([{,=:", ch) >= 0 || fresh && strings.IndexByte(" \t\r\n", ch) >= 0
	}
	// A bracket inside was not closed, so the last closing bracket ends the call.
	if end := strings.LastIndexByte(text, shut); end > 0 {
		return callText{open: c.open, broken: true}.finish(text[1:end], 0), true
	}
	return c, false
}

func (c callText) finish(inner string, from int) callText {
	c.inner = inner
	c.pieces = append(c.pieces, span{from, len(inner)})
	if len(c.pieces) == 1 && strings.TrimSpace(inner) == "" {
		c.pieces = nil
	}
	return c
}

// quoteEnd returns the offset of the quote that closes the quote at an offset. It returns -1 if no quote closes it.
func quoteEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i
		}
	}
	return -1
}

// endsValue reports whether rest, the text after a value, begins with the value's end.
func endsValue(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest != "" && strings.IndexByte(",:)]}", rest[0]) >= 0
}

// keyword matches the beginning of a named argument.
var keyword = lazy.Compile(`^([A-Za-z_]\w*)[ \t]*([=:])[ \t]*`)

// values reads the arguments of a call. k=v is a named argument if the tool has the parameter k, if the value
// is quoted, or if the tool is unknown. k: v is a named argument only if the tool has the parameter k.
// Otherwise the text is a value, such as a formula.
func (c callText) values(sig signature) []value {
	var out []value
	for _, piece := range c.pieces {
		v := valueAt(c.inner, piece)
		if m := keyword.FindStringSubmatch(c.inner[v.start:piece.end]); !v.quoted && m != nil {
			named := valueAt(c.inner, span{v.start + len(m[0]), piece.end})
			assigned := m[2] == "=" && !strings.HasPrefix(named.text, "=") && (named.quoted || !sig.known)
			if sig.has(m[1]) || assigned {
				named.key = m[1]
				out = append(out, named)
				continue
			}
		}
		if last := len(out) - 1; last >= 0 && out[last].key != "" && !out[last].quoted && !v.quoted {
			out[last].text = strings.TrimSpace(c.inner[out[last].start:piece.end]) // the comma is in the value
			continue
		}
		out = append(out, v)
	}
	return out
}

// valueAt reads one argument without its key.
func valueAt(inner string, at span) value {
	raw := inner[at.start:at.end]
	start := at.start + len(raw) - len(strings.TrimLeft(raw, " \t\r\n"))
	raw = strings.TrimSpace(raw)
	v := value{text: raw, start: start}
	if len(raw) >= 2 && (raw[0] == '"' || raw[0] == '\'') && quoteEnd(raw, 0) == len(raw)-1 {
		v.text, v.quoted = unescape(raw), true
	}
	return v
}

// escapes decodes the escapes of string literals that are not JSON.
var escapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`, `\n`, "\n", `\t`, "\t")

func unescape(literal string) string {
	var text string
	if json.Unmarshal([]byte(literal), &text) == nil {
		return text
	}
	return escapes.Replace(literal[1 : len(literal)-1])
}

// bindCall returns the arguments of a call as a JSON object, by the schema of the tool. If the number of
// arguments is wrong, the error lists the parameters. Wrong types and names are reported later, by the schema
// check of all calls.
func (s signature) bindCall(c callText) (arguments string, repaired bool, err error) {
	object := strings.TrimSpace(c.inner)
	takesObject := len(s.params) > 0 && slices.Contains(s.params[0].types, "object")
	if strings.HasPrefix(object, "{") && strings.HasSuffix(object, "}") && !takesObject { // all in one object
		if object, repaired, err = readArguments(object, ""); err == nil {
			return object, repaired, nil
		}
	}
	values := c.values(s)
	if s.known && c.isOneText(values, s) {
		values = []value{{text: strings.TrimSpace(c.inner)}}
	}
	return s.bind(values)
}

// isOneText reports whether the commas belong to a single value. This is so in two cases: brackets of ReAct,
// which contain one bare text; and bare text in parentheses that has more parts than the tool has parameters.
func (c callText) isOneText(values []value, sig signature) bool {
	if len(values) < 2 || sig.required > 1 || !sig.takesText() {
		return false
	}
	keyed := func(v value) bool { return v.key != "" }
	bare := func(v value) bool { return !v.quoted }
	return !slices.ContainsFunc(values, keyed) && slices.ContainsFunc(values, bare) &&
		(c.open == '[' || len(values) > len(sig.params) || !sig.fits(values))
}

func (s signature) fits(values []value) bool {
	for i, v := range values {
		if _, fits, _ := v.as(s.params[i].types); !fits {
			return false
		}
	}
	return true
}

// bind is bindCall for parsed values.
func (s signature) bind(values []value) (arguments string, repaired bool, err error) {
	if !s.known {
		arguments, repaired = untypedArguments(values)
		return arguments, repaired, nil
	}
	bound := map[string]value{}
	var extra []string
	position := 0
	for _, v := range values {
		if v.key == "" {
			if position >= len(s.params) {
				return "", false, s.countError(len(values))
			}
			v.key = s.params[position].name
			position++
		}
		if _, twice := bound[v.key]; twice {
			return "", false, fmt.Errorf("the action gives %s of %s twice", v.key, s.tool)
		}
		bound[v.key] = v
		if !s.has(v.key) {
			extra = append(extra, v.key)
		}
	}
	if position == len(values) && position < s.required {
		return "", false, s.countError(position)
	}
	var out object
	for _, p := range s.params {
		if v, given := bound[p.name]; given {
			out.put(p.name, v, p.types)
		}
	}
	for _, key := range extra {
		out.put(key, bound[key], nil)
	}
	return out.json(), out.repaired, nil
}

// untypedArguments returns the arguments of a call of an unknown tool. The trace records them.
func untypedArguments(values []value) (arguments string, repaired bool) {
	var out object
	given := map[string]bool{}
	for i, v := range values {
		key := cmp.Or(v.key, "input")
		if given[key] {
			key = fmt.Sprintf("%s_%d", key, i+1)
		}
		if !given[key] {
			given[key] = true
			out.put(key, v, nil)
		}
	}
	return out.json(), out.repaired
}

// object builds a JSON object.
type object struct {
	members  []string
	repaired bool
}

func (o *object) put(key string, v value, types []string) {
	raw, _, repaired := v.as(types)
	o.repaired = o.repaired || repaired
	o.putRaw(key, raw)
}

func (o *object) putRaw(key, raw string) { o.members = append(o.members, quote(key)+": "+raw) }

func (o *object) json() string { return "{" + strings.Join(o.members, ", ") + "}" }
