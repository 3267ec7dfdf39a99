package code

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Size is a number of bytes: in YAML a text such as 256MiB, or a number of bytes.
type Size int64

// units are the units of sizes, the largest first.
var units = []struct {
	name  string
	bytes Size
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// UnmarshalNode reads a size.
func (s *Size) UnmarshalNode(n *yaml.Node) error {
	digits, factor := strings.TrimSpace(n.Value), Size(1)
	for _, u := range units {
		if rest, is := strings.CutSuffix(digits, u.name); is {
			digits, factor = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	const most = 1 << 50
	number, err := strconv.ParseInt(digits, 10, 64)
	if n.Kind != yaml.ScalarNode || err != nil || number < 0 || number > most/int64(factor) {
		return fmt.Errorf("%q is no size: give a number of bytes, or a text such as 256MiB", n.Value)
	}
	*s = Size(number) * factor
	return nil
}

// UnmarshalYAML does the same as UnmarshalNode.
func (s *Size) UnmarshalYAML(n *yaml.Node) error { return s.UnmarshalNode(n) }

// String writes a size with the largest unit that leaves a whole number.
func (s Size) String() string {
	for _, u := range units {
		if s >= u.bytes && s%u.bytes == 0 {
			return strconv.FormatInt(int64(s/u.bytes), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10) + " bytes"
}
