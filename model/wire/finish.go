package wire

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
)

//go:embed finishes.tsv
var finishTable string

// failed marks finish reasons, in the table, of replies that the server broke off.
const failed = "failure"

var finishes = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, row := range text.Rows(finishTable, 2) {
		out[row[0]] = row[1]
	}
	return out
})

// Finish converts a server's finish reason. It returns an error of kind unavailable if the server broke off
// the reply; then the received part is not an answer.
func (p *Peer) Finish(reason string) (model.FinishReason, error) {
	switch meaning := finishes()[strings.ToLower(reason)]; meaning {
	case "":
		return model.FinishReason(reason), nil
	case failed:
		return "", p.Fail(model.ErrUnavailable, fmt.Sprintf("the reply ended with the finish reason %q; the endpoint "+
			"is at fault; try again later", reason), nil)
	default:
		return model.FinishReason(meaning), nil
	}
}
