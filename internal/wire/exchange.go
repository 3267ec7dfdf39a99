package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/seed-5817661a/concur/runner/model"
)

// Request is a request to a peer. It is sent once.
type Request struct {
	Client *http.Client
	Path   []string // below Peer.Base
	Header map[string]string
	Body   []byte // JSON
	Stream bool   // ask for a stream of events
}

// Reader reads the replies of one API into a T.
type Reader[T any] struct {
	Whole func(Reply) (T, error) // reads a successful reply in one piece
	// Stream reads events. Its error is a Failed, ErrCut, a BadStream, or the body's own.
	Stream   func(io.Reader) (T, error)
	Rejected func(Reply) error // reads a reply that reports a failure
}

// Exchange sends a request and reads the reply. Every error is a *model.Error.
func Exchange[T any](ctx context.Context, p *Peer, r Request, read Reader[T]) (none T, _ error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Base.JoinPath(r.Path...).String(), bytes.NewReader(r.Body))
	if err != nil {
		return none, p.Fail(model.ErrBadRequest, "make request: "+err.Error(), err)
	}
	req.Header.Set("User-Agent", "concur")
	for name, value := range r.Header {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if r.Stream {
		req.Header.Set("Accept", EventStream)
	}
	resp, err := r.Client.Do(req)
	if err != nil {
		return none, p.Unreachable(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return none, read.Rejected(ErrorReply(resp))
	}
	reply, body := Reply{Status: resp.StatusCode, Header: resp.Header}, bufio.NewReader(resp.Body)
	if r.Stream && IsStream(resp.Header.Get("Content-Type"), body) {
		out, err := read.Stream(body)
		if failed, ok := errors.AsType[Failed](err); ok {
			reply.Body = failed.Body
			return none, read.Rejected(reply)
		}
		if err != nil {
			return none, p.BrokenStream(ctx, err)
		}
		return out, nil
	}
	if reply.Body, err = p.ReadWhole(ctx, body); err != nil {
		return none, err
	}
	return read.Whole(reply)
}
