package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/model"
)

// API describes how a provider writes requests and reads replies.
type API struct {
	Path   []string // path after Peer.Base
	Models []string // path of the list of models, after Peer.Base
	Encode func(req model.Request, stream bool) ([]byte, error)
	// Read returns a reader of the replies to a request. live gets the content of a stream; it may be nil.
	Read func(req model.Request, live *Live) Reader[model.Response]
}

// Reader reads the replies of one API as a T.
type Reader[T any] struct {
	Whole func(Reply) (T, error) // reads a successful reply that is not a stream
	// Stream reads events; nil for an API without streams. Its error is a Failed, ErrCut, a BadStream, or an
	// error of the body.
	Stream   func(io.Reader) (T, error)
	Streams  bool              // request a stream; some servers send one without a request
	Rejected func(Reply) error // reads a reply that reports a failure
}

// Complete sends a request. If the endpoint refuses a setting that may be omitted (see fields.tsv), it sends
// the request once more without this setting. If stream is set, it requests a stream and calls onText, unless
// nil, with the reply's content. Every error is a *model.Error.
func (p *Peer) Complete(
	ctx context.Context, api API, req model.Request, stream bool, onText func(string),
) (model.Response, error) {
	body, err := api.Encode(req, stream)
	if err != nil {
		return model.Response{}, p.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	verbatim := model.IsVerbatim(ctx)
	body = p.spared(body, verbatim)
	var live *Live
	if onText != nil {
		live = NewLive(p.Key, onText)
	}
	read := api.Read(req, live)
	read.Streams = stream
	out, err := Exchange(ctx, p, api.Path, body, read)
	for err != nil && p.spares(err, body, verbatim) {
		body = p.spared(body, verbatim)
		out, err = Exchange(ctx, p, api.Path, body, read)
	}
	if err != nil {
		return model.Response{}, p.explain(ctx, api, err)
	}
	p.Key.HideIn(&out)
	if !verbatim {
		out.Sent = p.sentIn(body, req)
	}
	live.Rest(out.Message.Content)
	return out, nil
}

// Exchange sends JSON to a path, and reads the reply. Every error is a *model.Error.
func Exchange[T any](ctx context.Context, p *Peer, path []string, body []byte, read Reader[T]) (none T, _ error) {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Base.JoinPath(path...).String(),
		bytes.NewReader(body))
	if err != nil {
		return none, p.Fail(model.ErrBadRequest, "make request: "+err.Error(), err)
	}
	if parent := model.Traceparent(ctx); parent != "" {
		req.Header.Set("traceparent", parent)
	}
	p.setHeader(req.Header, read.Streams)
	resp, err := p.through.Do(req)
	if err != nil {
		return none, p.Unreachable(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return none, read.Rejected(ErrorReply(resp))
	}
	reply, in := Reply{Status: resp.StatusCode, Header: resp.Header}, bufio.NewReader(resp.Body)
	kind := resp.Header.Get("Content-Type")
	if read.Stream != nil && (read.Streams || strings.HasPrefix(kind, EventStream)) && IsStream(kind, in) {
		out, err := read.Stream(in)
		if failed, ok := errors.AsType[Failed](err); ok {
			reply.Body = failed.Body
			return none, read.Rejected(reply)
		}
		if err != nil {
			return none, p.BrokenStream(ctx, err)
		}
		return out, nil
	}
	if reply.Body, err = p.ReadWhole(ctx, in); err != nil {
		return none, err
	}
	return read.Whole(reply)
}

func (p *Peer) setHeader(h http.Header, stream bool) {
	h.Set("User-Agent", "concur")
	for name, value := range p.Header {
		h.Set(name, value)
	}
	if key, _ := p.Key(); key != "" {
		name, before, _ := strings.Cut(p.KeyIn, ": ")
		h.Set(name, before+key)
	}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json")
	if stream {
		h.Set("Accept", EventStream)
	}
}

// Live passes the content on as it arrives, without the key. If the end of a piece could be the beginning of
// the key, Live keeps it until the next piece.
type Live struct {
	key  Key
	show func(string)

	pending string
	written int // bytes
}

// NewLive returns a Live that passes the content to show.
func NewLive(key Key, show func(string)) *Live { return &Live{key: key, show: show} }

// Add takes each piece of the content. A nil Live ignores it.
func (l *Live) Add(piece string) {
	if l == nil || piece == "" {
		return
	}
	_, hider := l.key()
	text := hider.Hide(l.pending + piece)
	complete := hider.Complete(text)
	l.write(complete)
	l.pending = text[len(complete):]
}

// Rest passes on the rest of the complete content, from which the key is removed. A nil Live ignores it.
func (l *Live) Rest(content string) {
	if l != nil && l.written < len(content) {
		l.write(content[l.written:])
	}
}

func (l *Live) write(text string) {
	if text != "" {
		l.written += len(text)
		l.show(text)
	}
}
