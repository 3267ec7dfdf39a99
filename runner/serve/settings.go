package serve

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
)

//go:embed settings.tsv
var settings string

// extrasOf returns the fields of a request that have no field in model.Request and are passed to the
// provider. It returns an error for a field that would change the reply and is not supported.
func extrasOf(api string, all map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for name, value := range all {
		if present(value) {
			out[name] = value
		}
	}
	for line := range strings.Lines(settings) {
		cell := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if cell[0] != api {
			continue
		}
		for name := range strings.FieldsSeq(cell[2]) {
			value, sent := out[name]
			switch {
			case !sent || cell[1] == "pass" && !slices.Contains(cell[3:], string(value)):
			case cell[1] == "refuse" && !slices.Contains(cell[3:], string(value)):
				return nil, badRequest(name, "%s: it is not supported here; leave it out", name)
			default:
				delete(out, name)
			}
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, nil
}
