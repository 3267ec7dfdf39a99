package judge

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
)

//go:embed families.tsv
var familyTable string

var families = sync.OnceValue(func() [][]string { return text.Rows(familyTable, 2) })

// Family returns the maker of a model that is named as provider:model[?option=value]; "" if the name
// does not show it. A judge of the agent's family favours that agent (docs/method.md §7.1).
func Family(spec string) string {
	name := strings.ToLower(model.BareName(spec))
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, f := range families() {
		if strings.HasPrefix(name, f[0]) {
			return f[1]
		}
	}
	return ""
}
