package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/tool/sql/engine"
)

// Kinds of failures of servers; they are kinds of tool.BackendError.
const (
	Auth     = "auth"     // the login or the database's name is refused
	Upstream = "upstream" // the server cannot be reached, ended, or has no room
	Timeout  = "timeout"  // the server does not answer
)

// LostError is a failure of the server, which no statement corrects. Its text names host and database, and never has
// the login.
type LostError struct {
	Place Place
	Kind  string
	Text  string
}

func (e *LostError) Error() string { return e.Place.String() + ": " + e.Text }

// Login hides the parts of an address that must not be shown.
type Login struct {
	place    Place
	hider    *secret.Hider
	password string
}

// NewLogin returns the Login of an address with this password.
func NewLogin(place Place, address, password string) Login {
	values := []string{address}
	if password != "" {
		values = append(values, password)
	}
	return Login{place, secret.New(values...), password}
}

// hide removes address and password from a text. The hider leaves out passwords that are like a short word.
func (l Login) hide(text string) string {
	if l.password != "" {
		text = strings.ReplaceAll(text, ":"+l.password+"@", ":"+secret.Mark+"@")
	}
	return l.hider.Hide(text)
}

// Place returns the host and the name of the database.
func (l Login) Place() Place { return l.place }

// Failure returns the error of a server that failed.
func (l Login) Failure(kind string, err error) *LostError {
	text := err.Error()
	if failed, is := errors.AsType[*net.OpError](err); is {
		text = failed.Err.Error() // without the address, which the place has
	}
	if unknown, is := errors.AsType[*net.DNSError](err); is {
		text = "the name " + unknown.Name + " is unknown: check the host, and the network"
	}
	return &LostError{l.place, kind, l.hide(text)}
}

// Unanswered returns the error of a request that ended without an answer of the server: its own time is over, or its
// caller gave up, or the connection broke.
func (l Login) Unanswered(ctx context.Context, err error) error {
	network, isNetwork := errors.AsType[net.Error](err)
	switch {
	case errors.Is(context.Cause(ctx), context.Canceled):
		return context.Canceled
	case ctx.Err() != nil, isNetwork && network.Timeout():
		return l.Failure(Timeout, errors.New("the server did not answer in time"))
	}
	return l.Failure(Upstream, err)
}

// Wrong returns the error of a statement, with the server's own text.
func (l Login) Wrong(text string) error { return &engine.StatementError{Text: l.hide(text)} }

// TooLong returns the error of a statement that took longer than limit.
func TooLong(limit time.Duration) error {
	return &engine.StatementError{Text: fmt.Sprintf("the statement took longer than %v: ask for less", limit)}
}

// IsStatement reports whether an error is a statement's and not the server's.
func IsStatement(err error) bool {
	_, is := errors.AsType[*engine.StatementError](err)
	return is
}

// CheckStatement refuses a statement with a NUL byte, at which protocols of databases end a text.
func CheckStatement(statement string) error {
	if strings.ContainsRune(statement, 0) {
		return &engine.StatementError{Text: "the statement has a NUL byte: leave it out"}
	}
	return nil
}
