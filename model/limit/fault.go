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
		if wait := retryAfter(err); wait == 0 || wait > maxRetryAfter { // a server with a Retry-After works
			return noService
		}
	}
	return none
}

// brokeConnection reports errors of a connection that could not be made or kept. A reply
// that reports a failure, such as status 503, has no such error.
func brokeConnection(err error) bool {
	return is[*net.OpError](err) || is[*net.DNSError](err) || is[syscall.Errno](err) ||
		is[*tls.CertificateVerificationError](err) || is[tls.RecordHeaderError](err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), closedAtOnce)
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// closedAtOnce is the error of net/http for a new connection that is closed before anything
// was written to it. It has neither a type nor a name there.
const closedAtOnce = "http: server closed idle connection"
