package offline

import (
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/runner/model"
)

// blocks are the pieces of data of a prompt, by label.
type blocks map[string]string

// border opens a piece of data: "[label nonce]", the nonce in hexadecimal digits.
var border = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[([a-z][A-Za-z0-9 ]*) ([0-9a-f]{16,64})\]$`)
})

// dataOf reads the data out of the first user message that has any:
//
//	[label nonce]
//	| a line of data
//	[end label nonce]
//
// Every line of data stands behind a bar, so none can pass for a border, and all borders
// carry the nonce of the first. Whatever stands outside is not read: requests are
// recognised by the name of their schema, not by wording.
func dataOf(messages []model.Message) (blocks, error) {
	for _, m := range messages {
		if m.Role != model.User {
			continue
		}
		if out := blocksIn(m.Content); len(out) > 0 {
			return out, nil
		}
	}
	return nil, errors.New(`no data was found: send it in a user message, each piece between the lines "[label nonce]" and "[end label nonce]", with a bar before every line`)
}

func blocksIn(text string) blocks {
	out := blocks{}
	nonce, label := "", ""
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := border().FindStringSubmatch(line)
		switch {
		case label != "" && strings.HasPrefix(line, "|"):
			lines = append(lines, strings.TrimPrefix(line[1:], " "))
		case label != "" && line == "[end "+label+" "+nonce+"]":
			if _, again := out[label]; !again {
				out[label] = strings.TrimSpace(strings.Join(lines, "\n"))
			}
			label = ""
		case label == "" && m != nil && (nonce == "" || m[2] == nonce):
			label, nonce, lines = m[1], m[2], nil
		default:
			label = "" // a piece that is broken off is none
		}
	}
	return out
}

// need gives the pieces of these labels; each must be there, though it may be empty.
func (b blocks) need(labels ...string) ([]string, error) {
	out := make([]string, len(labels))
	for i, l := range labels {
		text, ok := b[l]
		if !ok {
			return nil, errors.New("the data has no piece with the label " + l + "; send one")
		}
		out[i] = text
	}
	return out, nil
}
