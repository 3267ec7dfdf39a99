package tool

import (
	"errors"
	"strings"
)

// ObservedError is a failure as Invoke gave it once, in a recording. Invoke gives it again
// as it stands, where it puts any other error into words of its own.
type ObservedError struct {
	Text    string // the whole observation, "ERROR: …"
	Failure Failure
	Kind    string
}

func (e *ObservedError) Error() string { return strings.TrimPrefix(e.Text, PlainErrorPrefix) }

// Observed makes the error of a recorded observation. Whose fault it was follows from the
// kind: the agent's own kinds and a panic's are Invoke's, all others come from backends.
func Observed(text, kind string) error {
	if text == "" {
		return errors.New("the recorded error has no text: the recording is damaged")
	}
	e := &ObservedError{Text: text, Failure: BackendFailure, Kind: kind}
	switch {
	case kind == UnknownTool, kind == BadArguments, IsRefusal(kind):
		e.Failure = AgentFailure
	case kind == panicked:
		e.Failure = PanicFailure
	case kind == Cancelled:
		e.Failure = CallerFailure
	}
	return e
}
