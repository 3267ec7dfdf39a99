package code

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/choose"
	"github.com/seed-5817661a/concur/internal/sandbox/quickjs"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

// maxCode is the largest program in bytes, and the largest arguments.
const maxCode = 256 << 10

// Declared is the tool before it is opened.
type Declared struct {
	name string
	Settings
	getenv func(string) string
}

// With gives the tool the environment in which it finds sandboxes and interpreters: PATH and HOME. Programs do not
// get it.
func (d Declared) With(getenv func(name string) string) Declared {
	d.getenv = getenv
	return d
}

// program is a call.
type program struct {
	Language  string          `json:"language"`
	Code      string          `json:"code"`
	Arguments json.RawMessage `json:"arguments"`
}

// Spec describes the tool.
func (d Declared) Spec() tool.Spec {
	about := "Run a program and get its result. Define main, which gets the arguments (in Python as keywords, in " +
		"JavaScript as one object) and returns the result; or write a script, whose last expression is the result, or " +
		"else what it prints. Arguments are also in the variable args. "
	embedded := d.Sandbox.Name == choose.Auto || d.Sandbox.Name == quickjs.Name
	if embedded && slices.Contains(d.Languages, sandbox.JavaScript) {
		about += "JavaScript has console and no modules. "
	}
	about += fmt.Sprintf("There is no network and no file from earlier calls. Limits: %v, %v of memory. "+
		"The result has an id to cite.", d.Timeout, d.Memory)
	if d.About = strings.TrimSpace(d.About); d.About != "" {
		about = d.About + " " + about
	}
	required := []string{"code"}
	if len(d.Languages) > 1 {
		required = []string{"language", "code"}
	}
	parameters, err := json.Marshal(map[string]any{
		"type": "object", "required": required, "additionalProperties": false,
		"properties": map[string]any{
			"language":  map[string]any{"type": "string", "enum": d.Languages},
			"code":      map[string]any{"type": "string", "description": "The program."},
			"arguments": map[string]any{"type": "object", "description": "Arguments of main by name."},
		},
	})
	if err != nil {
		panic(err) // texts and lists of texts can be encoded
	}
	return tool.Spec{ToolSpec: model.ToolSpec{Name: d.name, Description: about, Parameters: parameters},
		Evidence: true, OwnDeadline: true} // the engine limits the time
}

// Open opens the sandboxes. The digest names them and their interpreters.
func (d Declared) Open(ctx context.Context) (tool.Tool, string, error) {
	open, err := d.open(ctx, d.getenv)
	if err != nil {
		return nil, "", err
	}
	call := func(ctx context.Context, p program) (tool.Output, error) { return d.run(ctx, open, p) }
	return closingTool{tool.Func(d.Spec(), call), open}, Version + " " + open.Version(), nil
}

// closingTool is a tool that has to be closed.
type closingTool struct {
	tool.Tool
	io.Closer
}

// run runs a program.
func (d Declared) run(ctx context.Context, engine sandbox.Engine, p program) (tool.Output, error) {
	if p.Language == "" {
		p.Language = d.Languages[0]
	}
	switch {
	case strings.TrimSpace(p.Code) == "":
		return tool.Output{}, badRequest("the code is empty: write a program")
	case len(p.Code) > maxCode || len(p.Arguments) > maxCode:
		return tool.Output{}, badRequest("code or arguments have more than %d bytes: shorten them", maxCode)
	}
	limits := d.limits()
	if most, invoked := tool.TimeoutOf(ctx); invoked && most > 0 {
		limits.Time = min(limits.Time, most)
	}
	job, err := newJob(p, d.MaxBytes, limits)
	if err != nil {
		return tool.Output{}, err
	}
	ended, err := engine.Run(ctx, job)
	if err != nil {
		if ctx.Err() != nil {
			return tool.Output{}, ctx.Err()
		}
		return tool.Output{}, &tool.BackendError{Kind: "sandbox", Err: err}
	}
	return d.output(p, ended, limits)
}

func badRequest(format string, values ...any) error {
	return &tool.RequestError{Kind: tool.BadRequest, Err: fmt.Errorf(format, values...)}
}
