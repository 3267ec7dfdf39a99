package wire

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model/endpoints"
)

//go:embed settings.tsv
var settingTable string

// refused matches the phrases by which servers refuse a field.
var refused = lazy.Compile(`not support|unsupported|does not exist|not permitted|not allowed|unrecognized|` +
	`unknown|unexpected|deprecated|extra input|unavailable|only .{0,40}(?:is|are) (?:allowed|supported)`)

// setting returns advice about a refused setting, with its name in concur.yaml or its flag; "" if the message
// names no setting.
func (p *Peer) setting(message string) string {
	message = strings.ToLower(message)
	for _, row := range text.Rows(settingTable, 2) {
		all := true
		for word := range strings.SplitSeq(row[0], "|") {
			all = all && strings.Contains(message, word)
		}
		if all {
			return strings.ReplaceAll(row[1], "{provider}", p.Endpoint.Name)
		}
	}
	if !refused.MatchString(message) {
		return ""
	}
	for _, field := range endpoints.Omittable() {
		if named := regexp.MustCompile(`\b` + regexp.QuoteMeta(field) + `\b`); named.MatchString(message) {
			return fmt.Sprintf("leave it out in concur.yaml: providers: {%s: {omit: [%s]}}", p.Endpoint.Name, field)
		}
	}
	return ""
}
