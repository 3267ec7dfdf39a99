package strictyaml

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/secret"
)

// Describe names a node's kind and value for messages of the form "expected …, found …".
func Describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a mapping"
	}
	switch n.ShortTag() {
	case "!!null":
		if n.Value == "" {
			return "nothing"
		}
		return n.Value
	case "!!bool":
		return n.Value
	case "!!int", "!!float":
		if leadingZero(n.Value) {
			return "the number " + clip(n.Value) + " with a leading zero"
		}
		return "the number " + clip(n.Value)
	}
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		return "the quoted text " + quote(n.Value)
	}
	return "the text " + quote(n.Value)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// plainTag reports whether a tag adds no meaning.
func plainTag(n *yaml.Node) bool {
	switch n.ShortTag() {
	case "", "!!null", "!!bool", "!!int", "!!float", "!!str", "!!timestamp", "!!seq", "!!map", "!!merge":
		return true
	}
	return false
}

// quote prints text from a file in a message: on one line and not too long.
func quote(s string) string { return strconv.Quote(clip(s)) }

func clip(s string) string {
	s = secret.Redact(s) // before clip removes the end, which identifies a key
	const longest = 60
	runes := 0
	for i := range s {
		if runes++; runes > longest {
			return strings.ToValidUTF8(s[:i], "") + "…"
		}
	}
	return s
}
