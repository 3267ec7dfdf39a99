package planner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Mistakes returns the mistakes in the tables.
func Mistakes() (out []string) {
	for _, file := range []string{"comparatives.tsv", "roles.tsv", "forms.tsv", "calculations.tsv"} {
		seen := map[string]bool{}
		for _, c := range readRows(file) {
			if seen[c[0]] || c[0] == "" {
				out = append(out, fmt.Sprintf("%s: %q is empty or stands twice", file, c[0]))
			}
			seen[c[0]] = true
		}
	}
	for name, c := range known().calculations {
		if condition := c[2] != ""; condition != (c[3] != "") || condition != (c[4] != "") {
			out = append(out, fmt.Sprintf("calculations.tsv: %q needs all of condition, then and else, or none", name))
		}
	}
	part := regexp.MustCompile(`\$(\w+)`)
	for _, o := range known().operations {
		if len(known().calculations[o.name]) == 0 {
			out = append(out, fmt.Sprintf("operations.tsv: %q has no line in calculations.tsv", o.name))
		}
		for _, m := range part.FindAllStringSubmatch(strings.Join(o.lookups[:], " "), -1) {
			if !slices.Contains([]string{"a", "the", "pred", "date"}, m[1]) && !slices.Contains(o.pattern.SubexpNames(), m[1]) {
				out = append(out, fmt.Sprintf("operations.tsv: %s: the pattern has no group for $%s", o.pattern, m[1]))
			}
		}
	}
	return out
}
