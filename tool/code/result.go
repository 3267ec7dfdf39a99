package code

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/runners"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Backend is the beginning of the ids of results, such as code_1.
const Backend = "code"

// Limits of the document of a result, in bytes, and of other texts.
const (
	maxTitle      = 300
	maxSnippet    = 1200
	maxSaid       = 500 // of the output that a failure quotes
	traceback     = 12  // lines
	maxUnreadable = 200 // of a reply
)

// newJob returns the job of a call.
func newJob(p program, limit int, limits sandbox.Limits) (sandbox.Job, error) {
	arguments := p.Arguments
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	input, err := json.Marshal(runners.Request{Arguments: arguments, Limit: limit, Lines: traceback})
	if err != nil {
		return sandbox.Job{}, fmt.Errorf("encode the arguments: %w", err)
	}
	return sandbox.Job{Language: p.Language, Script: []byte(p.Code), Runner: runners.Of(p.Language), Input: input,
		Limits: limits}, nil
}

// output returns what the model sees of a program. A program that was stopped is a failure of the agent, and names the
// limit.
func (d Declared) output(p program, ended sandbox.Ended, limits sandbox.Limits) (tool.Output, error) {
	reply, err := readReply(ended)
	if stop := stopOf(ended, reply); stop != sandbox.NotStopped {
		return tool.Output{}, badRequest("%s: %s%s", stop, describe(stop, limits), quoted(ended))
	}
	object := map[string]any{"exit": ended.Exit, "duration_ms": ended.Time.Milliseconds(), "result": nil}
	var cut []string
	clip := func(name string, raw []byte) string {
		whole := strings.ToValidUTF8(string(raw), "\uFFFD")
		if len(whole) <= d.MaxBytes {
			return whole
		}
		cut = append(cut, name)
		return text.Clip(whole, d.MaxBytes)
	}
	object["stdout"], object["stderr"] = clip("stdout", ended.Stdout), clip("stderr", ended.Stderr)
	switch {
	case err != nil:
		object["error"] = err.Error()
	case reply.Error != "":
		object["error"] = text.Clip(reply.Error, maxSaid)
	case !reply.None:
		object["result"] = reply.Result
	case len(ended.Stdout) > 0:
		object["result"] = strings.TrimRight(object["stdout"].(string), "\r\n")
	}
	if reply.Cut {
		cut = append(cut, "result")
	}
	if len(cut) > 0 {
		object["cut"] = cut
	}
	out := tool.Output{Object: object}
	if object["error"] == nil && object["result"] != nil {
		one := strings.Join(strings.Fields(p.Code), " ")
		out.Documents = []trace.Document{{Ref: one, Title: text.Clip(p.Language+": "+one, maxTitle),
			Source: Backend + ":" + d.name, Snippet: text.Clip(shown(object["result"]), maxSnippet), Score: 1, Unscored: true,
			Backend: Backend}}
	}
	return out, nil
}

// readReply reads the reply of a runner. The program can have written it, so it may be anything. The error is about
// the program.
func readReply(ended sandbox.Ended) (r runners.Reply, err error) {
	raw := bytes.TrimSpace(ended.Result)
	if len(raw) == 0 {
		r.None = true
		switch {
		case ended.Signal != "":
			err = fmt.Errorf("the program ended by %s", ended.Signal)
		case ended.Exit != 0:
			err = fmt.Errorf("the program ended with exit code %d", ended.Exit)
		}
		return r, err
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return runners.Reply{None: true}, errors.New("the program wrote to the descriptor of its result: " +
			text.Clip(strings.ToValidUTF8(string(raw), "\uFFFD"), maxUnreadable))
	}
	if len(r.Result) == 0 {
		r.None = true
	}
	return r, nil
}

// stopOf returns the limit that ended a program: the engine's, or the one that its interpreter reports.
func stopOf(ended sandbox.Ended, reply runners.Reply) sandbox.Stop {
	if ended.Stop == sandbox.NotStopped && (reply.Memory ||
		ended.Exit != 0 && bytes.Contains(ended.Stderr, []byte("JavaScript heap out of memory"))) {
		return sandbox.StopMemory
	}
	return ended.Stop
}

// describe describes a limit for the author of the program.
func describe(stop sandbox.Stop, l sandbox.Limits) string {
	switch stop {
	case sandbox.StopTime:
		return fmt.Sprintf("the program ran longer than %v and was ended: do less", l.Time)
	case sandbox.StopMemory:
		return fmt.Sprintf("the program needs more memory than %v allow: use less", Size(l.Memory))
	case sandbox.StopOutput:
		return fmt.Sprintf("the program printed more than %v and was ended: print less", Size(l.Output))
	case sandbox.StopFiles:
		return fmt.Sprintf("the program stored more files than %v allow: store less", Size(l.Files))
	case sandbox.StopProcesses:
		return fmt.Sprintf("the program started more than %d processes: start fewer", l.Processes)
	}
	return "the program was ended"
}

// quoted returns the beginning of what a stopped program printed.
func quoted(ended sandbox.Ended) string {
	printed := strings.TrimSpace(strings.ToValidUTF8(string(ended.Stdout), "\uFFFD"))
	if printed == "" {
		return ""
	}
	return "; it had printed: " + text.Clip(printed, maxSaid)
}

// shown writes a result as text.
func shown(result any) string {
	switch v := result.(type) {
	case string:
		return v
	case json.RawMessage:
		var s string
		if json.Unmarshal(v, &s) == nil {
			return s
		}
		return string(v)
	}
	return fmt.Sprint(result)
}
