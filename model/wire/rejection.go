package wire

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/model"
)

//go:embed failures.tsv
var failures string

// Parts of a failure whose text can show its kind.
const (
	InCode  = "code"
	InType  = "type"
	InWords = "words"
)

// KindIn returns the kind of failure that a text shows. place is the part of the failure that has the text. It
// returns "" if the text shows no kind.
func KindIn(place, text string) model.ErrorKind {
	text = strings.ToLower(text)
	for line := range strings.Lines(failures) {
		cell := strings.Split(strings.TrimSpace(line), "\t")
		if len(cell) == 3 && cell[0] == place && strings.Contains(text, cell[1]) {
			return model.ErrorKind(cell[2])
		}
	}
	return ""
}

// KindOf returns the kind of a failure from its HTTP status.
func KindOf(status int) model.ErrorKind {
	if kind, known := kinds[status]; known {
		return kind
	}
	if status >= 300 && status < 500 {
		return model.ErrBadRequest
	}
	return model.ErrUnavailable
}

// Kind classifies a failure in OpenAI's form. A known code decides first. If there is no known code, known words in
// the message decide for the statuses 200, 400, 413 and 422, which do not say enough alone. In all other cases the
// status decides.
func (s Stated) Kind() model.ErrorKind {
	for _, code := range s.Codes {
		if kind := KindIn(InCode, code); kind != "" {
			return kind
		}
	}
	kind := KindOf(s.Status)
	switch s.Status {
	case http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		kind = cmp.Or(KindIn(InWords, s.Message), kind)
	}
	return kind
}

var kinds = map[int]model.ErrorKind{
	http.StatusUnauthorized: model.ErrAuth, http.StatusForbidden: model.ErrAuth,
	http.StatusProxyAuthRequired: model.ErrAuth,
	http.StatusPaymentRequired:   model.ErrQuota, http.StatusRequestTimeout: model.ErrTimeout,
	http.StatusTooManyRequests: model.ErrRateLimited,
}

// Stated has the facts in the body of a failed reply.
type Stated struct {
	Message string
	Codes   []string // code, type and similar fields, most specific first
	Param   string   // the refused field; "" if unknown
	Status  int      // nonzero if a code is an HTTP status
	Request string   // the provider's id of the call
	// Generation is the model's text, if the server refused a call in it (Groq's tool_use_failed).
	Generation string
}

// failureBody has the fields of OpenAI's and Anthropic's failures, of Azure's inner error and of Google's
// status. It also accepts these fields, or a detail, outside the object "error".
type failureBody struct {
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"`
	Code    json.RawMessage `json:"code"`
	Type    json.RawMessage `json:"type"`
	Status  json.RawMessage `json:"status"`
	Detail  json.RawMessage `json:"detail"`
	Failed  json.RawMessage `json:"failed_generation"`
	Param   json.RawMessage `json:"param"`
	Request json.RawMessage `json:"request_id"`
	Inner   struct {
		Code json.RawMessage `json:"code"`
	} `json:"innererror"`
	Metadata struct { // OpenRouter: the failure of the upstream provider
		Raw json.RawMessage `json:"raw"`
	} `json:"metadata"`
	Errors []json.RawMessage `json:"errors"` // watsonx: several errors
}

// ReadFailure reads the body of a failed reply. Unreadable parts stay empty.
func ReadFailure(raw []byte) Stated {
	raw = bytes.TrimSpace(raw)
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		raw = list[0] // Google's endpoint wraps its error in an array
	}
	var b failureBody
	if json.Unmarshal(raw, &b) != nil {
		return Stated{}
	}
	s := Stated{Request: Words(b.Request)}
	if !Present(b.Error) && len(b.Errors) > 0 {
		b.Error = b.Errors[0]
	}
	if Present(b.Error) {
		var inner failureBody
		if json.Unmarshal(b.Error, &inner) == nil {
			b = inner
		} else { // the error is a text
			b.Type = nil
			if !Present(b.Message) {
				b.Message = b.Error
			}
		}
	}
	if !Present(b.Message) {
		b.Message = b.Detail
	}
	s.Message, s.Generation, s.Param = Words(b.Message), Words(b.Failed), Words(b.Param)
	if behind := Words(b.Metadata.Raw); behind != "" && !strings.Contains(s.Message, behind) {
		s.Message = strings.TrimPrefix(s.Message+": "+behind, ": ")
	}
	for _, raw := range []json.RawMessage{b.Inner.Code, b.Code, b.Status, b.Type} {
		var n int
		if json.Unmarshal(raw, &n) == nil && n >= 400 && n <= 599 {
			s.Status = n
		}
		if code := Words(raw); code != "" {
			s.Codes = append(s.Codes, code)
		}
	}
	return s
}

// Rejected returns the error of a reply that reports a failure. If s has no status, the reply's status is
// used. For a redirect, the advice is to use its target.
func (p *Peer) Rejected(r Reply, s Stated, kind model.ErrorKind) *model.Error {
	s.Status = cmp.Or(s.Status, r.Status)
	code := strings.Join(s.Codes, ", ")
	var f failure
	var text strings.Builder
	text.WriteString("status " + statusText(r.Status))
	if code != "" {
		text.WriteString(" (" + p.Quote(code) + ")")
	}
	switch {
	case s.Message != "":
		text.WriteString(": " + p.Quote(s.Message))
	case len(r.Body) > 0:
		text.WriteString(": the body begins " + p.Quote(string(r.Body)))
	}
	if after := r.Header.Get("Retry-After"); after != "" {
		text.WriteString("; retry after " + p.Quote(after))
	}
	if s.Request != "" {
		text.WriteString("; request " + p.Quote(s.Request))
	}
	if to := r.Header.Get("Location"); r.Status >= 300 && r.Status < 400 {
		text.WriteString("; it redirects to " + p.Quote(to) + ", and redirects are not followed: point " +
			p.Endpoint.AddressHint() + " there")
	} else {
		f.advice = p.advice(r, s.Status, kind)
		if way := p.setting(s.Message); way != "" && kind == model.ErrBadRequest {
			f.advice = way
		}
		f.doubtsModel = kind == model.ErrBadRequest && doubtsModel(s)
		if kind == model.ErrBadRequest {
			f.field = refusedField(s)
		}
	}
	f.text = text.String()
	e := p.fail(kind, f)
	e.RetryAfter, _ = pace.RetryAfter(r.Header, time.Now())
	return e
}

// proxyAdvice is the advice if a proxy requires a login.
const proxyAdvice = "a proxy requires a login: put user and password into HTTPS_PROXY, or the host into " +
	"NO_PROXY"

// advice returns the action that may resolve a rejection.
func (p *Peer) advice(r Reply, status int, kind model.ErrorKind) string {
	missing := status == http.StatusNotFound || status == http.StatusMethodNotAllowed
	page := strings.Contains(r.Header.Get("Content-Type"), "html") ||
		bytes.HasPrefix(bytes.TrimSpace(r.Body), []byte("<"))
	switch {
	case status == http.StatusProxyAuthRequired:
		return proxyAdvice
	case kind == model.ErrAuth:
		return p.Endpoint.KeyHint()
	case kind == model.ErrQuota:
		return "top up the account or raise its quota"
	case kind == model.ErrRateLimited:
		return "wait, or lower --concurrency"
	case kind == model.ErrContextOverflow:
		return "shorten the conversation, or choose a model with a longer context"
	case kind == model.ErrContentFilter:
		return "the provider's content filter refused it: change the text or the provider"
	case kind == model.ErrTimeout, kind == model.ErrUnavailable:
		return "the endpoint is at fault; try again later"
	case missing && page:
		return fmt.Sprintf("a web page answers there, not an API: correct %s to the URL that the documentation gives as "+
			"the base URL", p.Where())
	case missing:
		return fmt.Sprintf("check the model's name %q, and %s", p.Model, p.Where())
	default:
		return fmt.Sprintf("check that model %q accepts these settings and tools; some refuse a temperature or a forced tool",
			p.Model)
	}
}
