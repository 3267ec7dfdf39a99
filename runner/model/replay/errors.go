package replay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// Unrecorded says that a request is not in the recording.
type Unrecorded struct {
	Identity model.Identity
	Reason   string // what the recording has instead
}

func (e *Unrecorded) Error() string {
	return fmt.Sprintf("find recorded exchange of %s: %s; replay with --record-missing to have the model asked, or record anew", describe(e.Identity), e.Reason)
}

// Difference says that a request is not the one that was recorded under its identity.
type Difference struct {
	Identity model.Identity
	// Fields are the parts that differ: messages[i], of which the first alone is named,
	// tools, choice, single_call, temperature, seed, stop, schema.
	Fields []string
	// Recorded and Now are the first of them as text; "" is a message that is not there.
	Recorded, Now string
}

func (e *Difference) Error() string {
	return fmt.Sprintf("replay %s: the request differs from the recorded one in %s:\n%s\nundo the change, or record anew",
		describe(e.Identity), strings.Join(e.Fields, ", "), e.Diff())
}

// Diff shows the first difference as a unified diff of a few lines.
func (e *Difference) Diff() string { return unified(e.Recorded, e.Now) }

// Failure is a recorded call that failed.
type Failure struct {
	Kind     model.ErrorKind // "" where the recording does not say: then unavailable
	Text     string          // the whole error
	Attempts int
}

// fromOutside tells failures that say nothing of the model: whoever recorded stopped.
func (f Failure) fromOutside() bool { return f.Kind == model.ErrCancelled || f.Kind == model.ErrBudget }

// err is the failure as an error with the recorded kind and text.
func (f Failure) err() error {
	e := &model.Error{Kind: f.Kind, Err: errors.New(f.Text), Attempts: f.Attempts}
	if e.Kind == "" {
		e.Kind = model.ErrUnavailable
	}
	if rest, ok := strings.CutPrefix(f.Text, "call "); ok { // so begins the text of a model.Error itself
		if name, cause, ok := strings.Cut(rest, ": "+string(e.Kind)+": "); ok {
			e.Model, e.Err = name, errors.New(cause)
			return e
		}
	}
	return wrapped{f.Text, e}
}

// wrapped is a model's error whose text was changed on its way into the recording.
type wrapped struct {
	text string
	err  *model.Error
}

func (w wrapped) Error() string { return w.text }
func (w wrapped) Unwrap() error { return w.err }

func describe(id model.Identity) string {
	return fmt.Sprintf("%s trace %d step %d (%s, by %s)", id.Query, id.Trace, id.Step, id.Purpose, id.Agent)
}

// whyNone says what there is where a conversation is not recorded.
func (r *Recording) whyNone(id model.Identity) string {
	if id.Purpose != model.Agent || r.agents[id.Agent] {
		return "the recording has nothing of it"
	}
	if len(r.agents) == 0 {
		return "the recording has no agent's exchanges"
	}
	var known []string
	for a := range r.agents {
		known = append(known, a)
	}
	slices.Sort(known)
	more := ""
	if len(known) > maxAgents {
		known, more = known[:maxAgents], ", …"
	}
	return fmt.Sprintf("the recording is of %s%s: what can reach the agent has changed", strings.Join(known, ", "), more)
}

// maxAgents bounds the agents that an error names.
const maxAgents = 3

// whyNone says what a conversation has where a step is not left in it.
func (d *dialogue) whyNone(step int) string {
	recorded := 0
	for _, e := range d.entries {
		if e.step == step {
			recorded++
		}
	}
	if recorded > 0 {
		return fmt.Sprintf("it was asked %d times when that was recorded, and is asked once more now", recorded)
	}
	return fmt.Sprintf("the recording has %d exchanges of the conversation, and none of this step", len(d.entries))
}
