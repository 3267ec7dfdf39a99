package search

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes when a query could find other documents in the same corpus, or show them in another form.
const Version = "search/v3"

// Backend is a source of documents. Its documents have no ids; their Backend field becomes the beginning of
// the id. An empty result is not an error. A failure should be a *fetch.Error, whose Kind decides the agent's
// message; an unknown kind counts as upstream. Search returns when ctx is done.
type Backend interface {
	Name() string
	Search(ctx context.Context, query string, limit int) ([]trace.Document, error)
}

// Multilingual is a Backend whose documents are in several languages, each of which is searched separately.
// language is a code such as en, zh or be-tarask.
type Multilingual interface {
	Backend
	SearchLanguage(ctx context.Context, language, query string, limit int) ([]trace.Document, error)
}

// Local is a Backend that does not wait for other processes or machines. Its searches have no deadline,
// because on a busy machine their time says nothing about the backend; the length of the query limits their
// work.
type Local interface {
	Backend
	Local()
}

func isLocal(b Backend) bool {
	_, local := b.(Local)
	return local
}

// Tool offers one backend as a tool. If the backend is Multilingual, the tool has an argument for the language.
type Tool struct {
	ToolName    string // for example wiki_search
	Description string // describes the backend's content; a description of the results is added
	Backend     Backend
}

// aboutResults is added to the description of every search tool.
const aboutResults = "Each result has an id to cite, a title, a snippet, its source, and a score from 0 to 1 that " +
	"says how much of the query it covers."

// Spec describes the tool.
func (t Tool) Spec() tool.Spec {
	parameters := plainParameters
	if _, ok := t.Backend.(Multilingual); ok {
		parameters = languageParameters
	}
	return specOf(t.ToolName, t.Description, parameters, isLocal(t.Backend))
}

func specOf(name, description, parameters string, local bool) tool.Spec {
	description = strings.TrimSpace(description + " " + aboutResults)
	return tool.Spec{
		ToolSpec: model.ToolSpec{Name: name, Description: description, Parameters: json.RawMessage(parameters)},
		Evidence: true, OwnDeadline: local,
	}
}

// Call searches. The output's source_used is the name of the backend.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	in, err := readArguments(arguments)
	if err != nil {
		return tool.Output{}, err
	}
	docs, err := patienceOf(ctx, t.Backend).ask(ctx, t.Backend, in)
	if err != nil {
		return tool.Output{}, toolError(err)
	}
	return tool.Output{Object: map[string]any{"source_used": t.Backend.Name()}, Documents: docs}, nil
}

// arguments are the arguments of a search.
type arguments struct {
	Query    string `json:"query"`
	Limit    int    `json:"limit"`
	Language string `json:"language"`
}

const plainParameters = `{
  "type": "object",
  "properties": {
    "query": {"type": "string", "minLength": 1, "maxLength": 400,` +
	` "description": "What to look for: a few telling words or a short question."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 10, "description": "How many results, 5 if not given."}
  },
  "required": ["query"],
  "additionalProperties": false
}`

// languageParameters is plainParameters with a language before limit.
var languageParameters = strings.Replace(plainParameters, `"limit"`, languageParameter+`"limit"`, 1)

const languageParameter = `"language": {"type": "string", "minLength": 2, "maxLength": 24, ` +
	`"pattern": "^[a-z]{2,12}(-[a-z]+)?$",` +
	` "description": "Code of the language to search in, such as en, de or zh. Write the query in it."},
    `

const defaultLimit = 5

func readArguments(raw json.RawMessage) (arguments, error) {
	var in arguments
	if err := json.Unmarshal(raw, &in); err != nil {
		return in, fmt.Errorf("read arguments: %w", err)
	}
	if strings.TrimSpace(in.Query) == "" {
		return in, &tool.RequestError{Kind: tool.BadRequest,
			Err: errors.New("the query is empty: say what to look for")}
	}
	in.Limit = cmp.Or(in.Limit, defaultLimit)
	return in, nil
}

// askBackend searches with one backend. Unless there is an error, documents are not nil, because nil means a
// tool without documents.
func askBackend(ctx context.Context, b Backend, in arguments) ([]trace.Document, error) {
	var docs []trace.Document
	var err error
	if m, ok := b.(Multilingual); ok && in.Language != "" {
		docs, err = m.SearchLanguage(ctx, in.Language, in.Query, in.Limit)
	} else {
		docs, err = b.Search(ctx, in.Query, in.Limit)
	}
	if err != nil {
		if kind, _ := kindOf(err); kind != empty {
			return nil, err
		}
		docs = nil
	}
	return append([]trace.Document{}, docs...), nil
}

// patience is the time in which a call may wait for remote backends. The time of local backends does not
// count.
type patience struct {
	left   time.Duration
	remote int // number of remote backends that have not been asked yet
}

func patienceOf(ctx context.Context, backends ...Backend) *patience {
	p := &patience{left: math.MaxInt64}
	if timeout, invoked := tool.TimeoutOf(ctx); invoked {
		p.left = timeout
	}
	for _, b := range backends {
		if !isLocal(b) {
			p.remote++
		}
	}
	return p
}

// ask searches with one backend. A remote backend may use its share of the time, less a twentieth. So its
// failure is reported before the deadline of the tool itself.
func (p *patience) ask(ctx context.Context, b Backend, in arguments) ([]trace.Document, error) {
	if isLocal(b) {
		return askBackend(ctx, b, in)
	}
	if deadline, ok := ctx.Deadline(); ok {
		p.left = min(p.left, time.Until(deadline))
	}
	ctx, cancel := context.WithTimeout(ctx, (p.left-p.left/20)/time.Duration(p.remote))
	defer cancel()
	start := time.Now()
	docs, err := askBackend(ctx, b, in)
	p.left -= time.Since(start)
	p.remote--
	return docs, err
}

const (
	empty    = string(fetch.Empty)
	upstream = string(fetch.Upstream) // the kind for unknown kinds, and for different kinds together
)

// kindOf returns the kind of a backend's error (docs/agent.md#search), and the wait that the error demands.
// For a private address, net/http reports a bad request; but the address comes from the configuration, so the
// agent cannot correct it.
func kindOf(err error) (kind string, wait time.Duration) {
	kind = upstream
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		kind, wait = string(e.Kind), e.RetryAfter
	} else if e, ok := errors.AsType[*tool.BackendError](err); ok {
		kind, wait = e.Kind, e.RetryAfter
	} else if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		kind = string(fetch.Timeout)
	}
	if !fetch.Kind(kind).Known() || errors.Is(err, fetch.ErrPrivateAddress) {
		kind = upstream
	}
	return kind, wait
}

// isAgents reports whether failures of a kind are the agent's errors: requests that the backend refuses.
func isAgents(kind string) bool { return kind == tool.BadRequest || kind == tool.NotFound }

// toolError converts the error of a tool's only backend to the tool's error, with a kind, a cause and an
// action. It is a RequestError if the agent is at fault, otherwise a BackendError.
func toolError(err error) error {
	kind, wait := kindOf(err)
	if isAgents(kind) {
		return &tool.RequestError{Kind: kind, Err: fmt.Errorf("%w; change the query", err)}
	}
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		err = fmt.Errorf("%w; %s", err, wayOut(fetch.Kind(kind)))
	}
	return &tool.BackendError{Kind: kind, Err: err, RetryAfter: wait}
}

// wayOut returns the advice for an agent after a backend's failure.
func wayOut(kind fetch.Kind) string {
	switch kind {
	case fetch.Auth, fetch.Quota, fetch.CaptchaBlocked:
		return "it will fail again; try another search tool"
	case fetch.RateLimited:
		return "call it later, or try another search tool"
	}
	return "try another search tool"
}
