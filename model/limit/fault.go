package limit

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/seed-5817661a/concur/model"
)

// fault is the kind of failure that a Circuit distinguishes.
type fault int

const (
	none         fault = iota // a success, or a failure of a single request
	noReply                   // the server is silent
	noService                 // the server reports a failure, or does not speak HTTP
	noSense                   // the reply is not from a model endpoint
	noConnection              // no connection, or it was closed
	noAccess                  // the key is refused
	noMoney                   // the quota is used up
	noTurn                    // the server says that there are too many requests
)

func faultOf(err error) fault {
	if err == nil {
		return none
	}
	switch model.KindOf(err) {
	case model.ErrAuth:
		return noAccess
	case model.ErrQuota:
		return noMoney
	case model.ErrMalformed:
		return noSense
	case model.ErrRateLimited:
		return noTurn
	case model.ErrUnavailable, model.ErrTimeout:
		if brokeConnection(err) {
			return noConnection
		}
		if model.KindOf(err) == model.ErrTimeout {
			return noReply
		}
		if wait := retryAfter(err); wait == 0 || wait > maxRetryAfter { // a server that sends Retry-After works
			return noService
		}
	}
	return none
}

// brokeConnection reports whether the error is that a connection could not be made or was lost. A reply with
// a failure status, such as 503, is another kind of error.
func brokeConnection(err error) bool {
	return hasType[*net.OpError](err) || hasType[*net.DNSError](err) || hasType[syscall.Errno](err) ||
		hasType[*tls.CertificateVerificationError](err) || hasType[tls.RecordHeaderError](err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), closedAtOnce)
}

func hasType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// closedAtOnce is net/http's error for a new connection that was closed before anything was written to it.
// net/http exports no type or name for it.
const closedAtOnce = "http: server closed idle connection"
