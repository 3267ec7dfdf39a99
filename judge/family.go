package judge

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed families.tsv
var familyTable string

var families = sync.OnceValue(func() (out [][2]string) {
	for line := range strings.Lines(familyTable) {
		if part, name, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			out = append(out, [2]string{part, name})
		}
	}
	return out
})

// Family is the maker of a model, named as provider:model[?option=value]; "" where its name
// does not tell. A judge of the agent's family favours it (methods.md §7.1).
func Family(spec string) string {
	_, name, _ := strings.Cut(spec, ":")
	name, _, _ = strings.Cut(strings.ToLower(name), "?")
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, f := range families() {
		if strings.HasPrefix(name, f[0]) {
			return f[1]
		}
	}
	return ""
}
