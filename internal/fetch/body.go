package fetch

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
)

// errUnreadable is the cause of Malformed failures.
var errUnreadable = errors.New("the answer cannot be read")

// readBody reads at most maxBody bytes. If a longer page reports a failure, its beginning is enough. Any other
// longer body is refused, because its beginning could be mistaken for the whole.
func readBody(res *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	_, bad := errors.AsType[flate.CorruptInputError](err)
	switch {
	case bad, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return nil, fmt.Errorf("%w: it is incomplete or corrupt", errUnreadable)
	case err != nil:
		return nil, fmt.Errorf("read answer: %w", err)
	case len(body) <= maxBody:
		return body, nil
	case res.StatusCode >= 400:
		return body[:maxBody], nil
	}
	return nil, fmt.Errorf("%w: it is over %d MB", errUnreadable, maxBody>>20)
}

// classify returns the kind of an error of net/http. A name that does not resolve is Upstream, because a
// machine without a network always gets this error. After a redirect, a bad address is the fault of the server
// that sent it.
func classify(err error, followed bool) (Kind, error) {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the URL
	}
	network, _ := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, ErrPrivateAddress) && !followed:
		return BadRequest, err
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), network != nil &&
		network.Timeout():
		return Timeout, err
	case errors.Is(err, errUnreadable):
		return Malformed, err
	}
	return Upstream, err
}

// isBroken reports whether a connection was refused or interrupted; io.EOF means that it was closed before any
// answer.
func isBroken(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) ||
		errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF)
}
