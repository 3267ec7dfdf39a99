package tool

import (
	"errors"
	"strings"
)

// ObservedError is a failure from a recording. Invoke returns it unchanged, while it
// rephrases other errors.
type ObservedError struct {
	Text    string // the whole observation, "ERROR: …"
	Failure Failure
	Kind    string
}

func (e *ObservedError) Error() string { return strings.TrimPrefix(e.Text, PlainErrorPrefix) }

// Observed makes the error of a recorded observation. The kind determines the party at
// fault: kinds of the agent and panics come from Invoke, all others from backends.
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
