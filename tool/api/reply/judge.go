package reply

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/jq"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/tool/api/documents"
	"github.com/seed-5817661a/concur/tool/api/pick"
	"github.com/seed-5817661a/concur/tool/api/spec"
	"github.com/seed-5817661a/concur/tool/search"
)

// Time is the limit of all expressions on one reply together.
const Time = time.Second

// errSlow is the cause of a reply whose expressions take longer.
var errSlow = fmt.Errorf("the expressions on it take over %s", Time)

// Failure is a failure that a reply reports.
type Failure struct {
	Kind    fetch.Kind
	Message string
	Pauses  []time.Duration // before each further try; nil if the file does not say
	Wait    time.Duration   // as the server asks in the body; 0 if it asks for none
}

// Result is what a reply means.
type Result struct {
	Failure *Failure // nil for a reply that reports no failure
	Empty   bool     // it says that nothing was found
	Rows    []documents.Row
	Passed  int // rows that gave no document
	Object  map[string]any
	Value   any // what the expressions of later requests see
}

// Judge judges the reply to request i. later reports that it is a further page, which may be without rows. s has what
// expressions see; Judge sets the parts of the reply. hide removes keys.
func Judge(ctx context.Context, f *spec.File, i int, r *fetch.Response, s *spec.Scene, later bool,
	hide func(string) string) Result {
	ctx, cancel := context.WithTimeoutCause(ctx, Time, errSlow)
	defer cancel()
	ctx, end := jq.WithStop(ctx)
	defer end()
	request := &f.Requests[i]
	body := request.Read.Read(ctx, r.Body, r.Header.Get("Content-Type"), hide)
	s.Input, s.Status, s.Headers, s.Body = body.Value, r.Status, headersOf(r.Header), body.Text
	j := judge{ctx: ctx, file: f, request: request, scene: s, body: body, hide: hide}
	out := Result{Value: body.Value}
	if out.Failure = j.failure(); out.Failure != nil {
		return out
	}
	if i < len(f.Requests)-1 {
		out.Empty = request.Empty.Holds(ctx, s)
		return out
	}
	if f.Documents != nil {
		j.documents(&out, later)
	} else {
		j.object(&out)
	}
	return out
}

func headersOf(h http.Header) map[string]any {
	out := make(map[string]any, len(h))
	for name := range h {
		out[lower(name)] = h.Get(name)
	}
	return out
}

func lower(name string) string {
	b := []byte(name)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

type judge struct {
	ctx     context.Context
	file    *spec.File
	request *spec.Request
	scene   *spec.Scene
	body    pick.Body
	hide    func(string) string
}

// failure returns the first failure that the reply reports; nil if it reports none.
func (j *judge) failure() *Failure {
	for _, list := range [][]spec.Failure{j.request.Failures, j.file.Failures} {
		for k := range list {
			if one := &list[k]; one.Status.Has(j.scene.Status) && (one.When == nil || one.When.Holds(j.ctx, j.scene)) {
				return j.declared(one)
			}
		}
	}
	if kind := kindOf(j.scene.Status, j.request.OK); kind != "" {
		return &Failure{Kind: kind, Message: j.message(nil)}
	}
	if j.body.Err != nil {
		return &Failure{Kind: fetch.Malformed, Message: j.body.Err.Error()}
	}
	return nil
}

// declared returns a failure of the file.
func (j *judge) declared(one *spec.Failure) *Failure {
	out := &Failure{Kind: fetch.Kind(one.Kind), Message: j.message(one.Message)}
	if one.HasRetry() {
		out.Pauses = []time.Duration{}
		for _, seconds := range one.Retry {
			out.Pauses = append(out.Pauses, time.Duration(seconds*float64(time.Second)))
		}
	}
	if one.Wait != nil {
		if v, err := one.Wait.First(j.ctx, j.scene); err == nil && v != nil {
			seconds, err := strconv.ParseFloat(spec.Text(v), 64)
			if err == nil && seconds > 0 && !math.IsInf(seconds, 0) {
				out.Wait = time.Duration(min(seconds, 365*24*3600) * float64(time.Second))
			}
		}
	}
	return out
}

// maxMessage is the maximum length of a message in bytes.
const maxMessage = 300

// message returns the text of a failure: its own message, that of the file, or the status.
func (j *judge) message(own *spec.Query) string {
	return cmp.Or(j.textOf(own), j.textOf(j.file.Message), fmt.Sprintf("status %d", j.scene.Status))
}

// textOf returns the text that an expression for messages gives; "" if it gives none.
func (j *judge) textOf(q *spec.Query) string {
	v, err := q.First(j.ctx, j.scene)
	if err != nil || v == nil {
		return ""
	}
	return text.Head(j.hide(search.OneLine(spec.Text(v))), maxMessage)
}

// kindOf returns the kind of failure of a status; "" if it is none.
func kindOf(status int, ok []int) fetch.Kind {
	for _, allowed := range ok {
		if status == allowed {
			return ""
		}
	}
	switch {
	case status/100 == 2:
		return ""
	case status < 400: // a redirect that is not followed, or without an address
		return fetch.Malformed
	}
	return (&fetch.Response{Status: status}).Kind()
}

// documents sets the rows of a reply.
func (j *judge) documents(out *Result, later bool) {
	rows, passed, broken, err := documents.Rows(j.ctx, j.file.Documents, j.scene)
	out.Rows, out.Passed = rows, passed
	switch {
	case err != nil:
		out.Failure = j.malformed("%s", err)
	case len(rows) > 0:
	case j.request.Empty.Holds(j.ctx, j.scene):
		out.Empty = true
	case broken != nil:
		out.Failure = j.malformed("its documents cannot be read: %s", broken)
	case later:
	default:
		out.Failure = j.malformed("it has no documents, and does not say that nothing was found")
	}
}

// object sets the object of a reply.
func (j *judge) object(out *Result) {
	v, err := j.file.Object.First(j.ctx, j.scene)
	switch {
	case err == nil && !isNothing(v):
		out.Object = objectOf(v, j.hide)
	case j.request.Empty != nil && j.request.Empty.Holds(j.ctx, j.scene):
		out.Empty = true
	case err != nil:
		out.Failure = j.malformed("its result cannot be read: %s", err)
	default:
		out.Failure = j.malformed("it has no result, and does not say that nothing was found")
	}
}

// malformed returns the failure of a reply that gives nothing, with what the reply says itself.
func (j *judge) malformed(format string, args ...any) *Failure {
	said := search.OneLine(fmt.Sprintf(format, args...)) // errors of jq quote values
	if itself := j.textOf(j.file.Message); itself != "" {
		said = itself + ": " + said
	}
	return &Failure{Kind: fetch.Malformed, Message: text.Head(j.hide(said), maxMessage)}
}

// isNothing reports whether a value is null, or an object whose values are all null.
func isNothing(v any) bool {
	fields, is := v.(map[string]any)
	for _, inner := range fields {
		if inner != nil {
			return false
		}
	}
	return v == nil || is
}

// objectOf returns a value as an object without keys of the user.
func objectOf(v any, hide func(string) string) map[string]any {
	if fields, is := hidden(v, hide).(map[string]any); is {
		return fields
	}
	return map[string]any{"result": hidden(v, hide)}
}

func hidden(v any, hide func(string) string) any {
	switch v := v.(type) {
	case string:
		return hide(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = hidden(v[i], hide)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, inner := range v {
			out[hide(name)] = hidden(inner, hide)
		}
		return out
	}
	return v
}
