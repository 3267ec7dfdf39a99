package wire

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"
)

// MaxBody limits a reply, maxErrorBody an error's body, in bytes.
const (
	MaxBody      = 16 << 20
	maxErrorBody = 64 << 10
)

// maxQuote limits an endpoint's text in an error, in bytes.
const maxQuote = 300

// Reply is an HTTP reply.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// ErrorReply reads a reply with a status of failure. The status is enough if the rest of
// the body does not arrive.
func ErrorReply(resp *http.Response) Reply {
	raw, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	return Reply{resp.StatusCode, resp.Header, raw}
}

// ReadWhole reads the body of a successful reply that comes in one piece.
func (p *Peer) ReadWhole(ctx context.Context, body io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(body, MaxBody+1))
	switch {
	case err != nil:
		return nil, p.incompleteReply(ctx, err, fmt.Sprintf("the reply was cut off after %d bytes", len(raw)))
	case len(raw) > MaxBody:
		return nil, p.Malformed(fmt.Sprintf("the reply is longer than %d bytes", MaxBody))
	}
	return raw, nil
}

// Describe names a reply by status, type and beginning.
func (p *Peer) Describe(r Reply) string {
	if len(r.Body) == 0 {
		return "status " + statusText(r.Status) + ": the empty reply"
	}
	return fmt.Sprintf("status %s: the reply (%s) that begins %s", statusText(r.Status), p.Quote(r.Header.Get("Content-Type")), p.Quote(string(r.Body)))
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// Quote makes an endpoint's text printable on one line, without control characters and
// without the key, which is removed before the text is cut.
func (p *Peer) Quote(text string) string {
	text = strings.Join(strings.Fields(p.Key.Hide(text)), " ")
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
	if len(text) > maxQuote {
		text = strings.ToValidUTF8(text[:maxQuote], "") + " …"
	}
	return text
}
