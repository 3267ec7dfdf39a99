package model

import (
	"fmt"
	"strings"
)

// turn begins the path of a turn.
const turn = "turn#"

// TurnPath returns the path of turn n of a conversation with a scripted person, from 0: turn#1, turn#2, … It is the
// Path of an Identity for the requests of the trace's own agent in this turn.
func TurnPath(n int) string { return fmt.Sprintf("%s%d", turn, n+1) }

// WithinTurn returns the path of an agent within its turn: "" for the trace's own agent, researcher#1 for the first
// agent that it called. ok is false for a path that is not in a turn.
func WithinTurn(path string) (inner string, ok bool) {
	if !strings.HasPrefix(path, turn) {
		return "", false
	}
	_, inner, _ = strings.Cut(path, "/")
	return inner, true
}

// IsOwnPath reports whether a path is the path of a trace's own agent. This is "", or the path of a turn of a
// conversation.
func IsOwnPath(path string) bool {
	inner, _ := WithinTurn(path)
	return path == "" || inner == "" && strings.HasPrefix(path, turn)
}
