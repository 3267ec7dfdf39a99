package fetch

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"

	"github.com/seed-5817661a/concur/internal/secret"
)

// failure is an attempt without an answer, not yet cleaned of secrets.
type failure struct {
	kind   Kind
	err    error
	broken bool // the connection was refused or broke off
}

// maxText bounds what an error says: net/http quotes headers and addresses of any length.
const maxText = 300

// public gives the error that may be shown.
func (f *failure) public(host string, hider *secret.Hider) *Error {
	text := hider.Hide(f.err.Error())
	if len(text) > maxText {
		text = text[:maxText] + "…"
	}
	return &Error{Kind: f.kind, Host: host, Err: redactedError{strings.ToValidUTF8(text, "�"), f.err}}
}

// classify sorts an error of net/http. A name that does not resolve is Upstream, since a
// machine without a network sees nothing else. After a redirect, a bad address is the fault of
// the server that led there.
func classify(err error, followed bool) *failure {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the URL
	}
	f := &failure{kind: Upstream, err: err}
	network, _ := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, ErrPrivateAddress):
		f.kind = BadRequest
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), network != nil && network.Timeout():
		f.kind = Timeout
	case isBroken(err):
		f.broken = true
	case errors.Is(err, errUnreadable):
		f.kind = Malformed
	}
	if followed && f.kind == BadRequest {
		f.kind = Upstream
	}
	return f
}

// isBroken also knows io.EOF, which is a connection that closed before any answer.
func isBroken(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) ||
		errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF)
}

// isCorrupt knows a body that broke off or does not decompress.
func isCorrupt(err error) bool {
	_, bad := errors.AsType[flate.CorruptInputError](err)
	return bad || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum)
}
