package limit

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"syscall"

	"github.com/seed-5817661a/concur/runner/model"
)

// fault is what a Circuit tells failures apart by.
type fault int

const (
	none         fault = iota // a success, or a failure that speaks of one request alone
	noReply                   // who was reached says nothing
	noService                 // who was reached reports that it cannot serve, or does not speak HTTP
	noSense                   // what answers is not an endpoint of models
	noConnection              // nobody was reached, or who was reached hung up
	noAccess                  // the key is refused
	noMoney                   // the quota is used up
)

// lasts tells the faults that count once they have gone on for a time.
func (f fault) lasts() bool { return f == noConnection || f == noService || f == noSense }

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
	case model.ErrUnavailable, model.ErrTimeout:
		if brokeConnection(err) {
			return noConnection
		}
		if model.KindOf(err) == model.ErrTimeout {
			return noReply
		}
		if asked := retryAfter(err); asked == 0 || asked > maxAsked { // one that says when to come back is alive
			return noService
		}
	}
	return none
}

// brokeConnection knows the errors of a connection that could not be made or kept. A reply
// that reports a failure, such as status 503, has none of them beneath it.
func brokeConnection(err error) bool {
	return is[*net.OpError](err) || is[*net.DNSError](err) || is[syscall.Errno](err) ||
		is[*tls.CertificateVerificationError](err) || is[tls.RecordHeaderError](err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || innermost(err) == closedAtOnce
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// closedAtOnce is what net/http says of a new connection that is closed before anything
// was written to it. It is the one such error that has neither type nor name there.
const closedAtOnce = "http: server closed idle connection"

func innermost(err error) string {
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	return err.Error()
}
