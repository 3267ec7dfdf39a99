package replay

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Unrecorded says that a call is not in the recording.
type Unrecorded struct {
	Caller tool.Caller
	Reason string // what the recording has instead
}

func (e *Unrecorded) Error() string {
	return fmt.Sprintf("find recorded tool call %s: %s; replay with --record-missing to have the tool run, or record anew", describe(e.Caller), e.Reason)
}

// Difference says that a call is not the one that was recorded under its id.
type Difference struct {
	Caller        tool.Caller
	Recorded, Now string // name(arguments), in the canonical spelling
}

func (e *Difference) Error() string {
	return fmt.Sprintf("replay tool call %s: it differs from the recorded one: recorded %s, now %s; undo the change, or record anew",
		describe(e.Caller), clip(e.Recorded), clip(e.Now))
}

// difference holds a call against the recorded one; nil is none.
func difference(who tool.Caller, was trace.Action, name, arguments string) *Difference {
	d := &Difference{who, spell(was.Name, argumentsOf(was.Input)), spell(name, arguments)}
	if d.Recorded == d.Now {
		return nil
	}
	return d
}

func spell(name, arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}" // as Invoke calls a tool
	}
	return name + "(" + tool.Canonical(arguments) + ")"
}

// argumentsOf undoes trace.InputOf.
func argumentsOf(input json.RawMessage) string {
	var text string
	if json.Unmarshal(input, &text) == nil {
		return text
	}
	return string(input)
}

// maxShown bounds the bytes of a call that an error shows.
const maxShown = 200

func clip(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "…"
}

func describe(c tool.Caller) string {
	return fmt.Sprintf("%s of %s trace %d (by %s)", c.Call, c.Trace.Query, c.Trace.Trace, c.Trace.Agent)
}
