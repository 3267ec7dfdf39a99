package verdicts

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/otel"
)

// The environment variables with the keys of services.
const (
	phoenixKey     = "PHOENIX_API_KEY"
	langfusePublic = "LANGFUSE_PUBLIC_KEY"
	langfuseSecret = "LANGFUSE_SECRET_KEY"
)

// Services lists the services whose own interfaces are known, as they begin an address.
var Services = []string{"phoenix", "langfuse"}

// Open returns the receiver at an address such as phoenix:http://127.0.0.1:6006. known is false if the address does not
// begin with the name of a service. environ has the keys.
func Open(address string, environ func(string) string) (to Receiver, known bool, err error) {
	name, base, _ := strings.Cut(address, ":")
	switch name {
	case "phoenix":
		authorization := ""
		if key := environ(phoenixKey); key != "" {
			authorization = "Bearer " + key
		}
		at, err := joined(base, "v1/span_annotations")
		return phoenix{newService("Phoenix", at+"?sync=true", authorization)}, true, err // sync: unknown spans are an error
	case "langfuse":
		public, secret := environ(langfusePublic), environ(langfuseSecret)
		if public == "" || secret == "" {
			return nil, true, fmt.Errorf("the keys of a Langfuse project are missing: set %s and %s", langfusePublic,
				langfuseSecret)
		}
		at, err := joined(base, "api/public/scores")
		basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(public+":"+secret))
		return langfuse{newService("Langfuse", at, basic)}, true, err
	}
	return nil, false, nil
}

func joined(base, path string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", errors.New("the address is no URL: write it as phoenix:http://127.0.0.1:6006")
	}
	if u.User != nil {
		return "", errors.New("the address has a user or a password: set the key as an environment variable")
	}
	u.RawQuery, u.Fragment = "", ""
	return u.JoinPath(path).String(), nil
}

// phoenix sends annotations of spans (https://arize.com/docs/phoenix, POST /v1/span_annotations). An annotation with
// the same span, name and identifier replaces the one before.
type phoenix struct{ service }

type annotation struct {
	SpanID        string         `json:"span_id"`
	Name          string         `json:"name"`
	AnnotatorKind string         `json:"annotator_kind"` // LLM, CODE or HUMAN
	Result        annotated      `json:"result"`
	Metadata      map[string]any `json:"metadata"`
	Identifier    string         `json:"identifier"`
}

type annotated struct {
	Label       string   `json:"label,omitempty"`
	Score       *float64 `json:"score,omitempty"`
	Explanation string   `json:"explanation,omitempty"`
}

func (p phoenix) Send(ctx context.Context, list []otel.Evaluation) (int, error) {
	var body struct {
		Data []annotation `json:"data"`
	}
	for _, e := range list {
		body.Data = append(body.Data, annotation{e.SpanID, e.Name, kindOf(e),
			annotated{e.Label, e.Score, e.Explanation}, metadata(e), "concur " + e.Run})
	}
	if err := p.post(ctx, body); err != nil {
		return 0, err
	}
	return len(list), nil
}

// kindOf says who judged: a person, the gold and checks, or a judge's model.
func kindOf(e otel.Evaluation) string {
	switch {
	case e.By == judge.ByPerson:
		return "HUMAN"
	case e.Name == "consensus" || e.Name == "trace" || e.Share != nil:
		return "CODE"
	}
	return "LLM"
}

func metadata(e otel.Evaluation) map[string]any {
	out := map[string]any{"concur.run": e.Run, "concur.query": e.Query, "concur.trace.index": e.Trace,
		"concur.vote.of": e.Votes, "concur.vote.size": e.Winners, "concur.judge": e.By}
	if e.Share != nil {
		maps.Copy(out, e.Share.Metadata())
	}
	return out
}

// langfuse sends scores (https://api.reference.langfuse.com, POST /api/public/scores), one a request. A score with the
// same id replaces the one before.
type langfuse struct{ service }

type score struct {
	ID            string         `json:"id"`
	TraceID       string         `json:"traceId"`
	ObservationID string         `json:"observationId"`
	Name          string         `json:"name"`
	Value         any            `json:"value"` // a number, or the text of a category
	DataType      string         `json:"dataType"`
	Comment       string         `json:"comment,omitempty"`
	Metadata      map[string]any `json:"metadata"`
}

func (l langfuse) Send(ctx context.Context, list []otel.Evaluation) (taken int, err error) {
	for _, e := range list {
		s := score{e.ID, e.TraceID, e.SpanID, e.Name, e.Score, "BOOLEAN", e.Explanation, metadata(e)}
		switch {
		case e.Share != nil && e.Score == nil:
			s.Value, s.DataType = e.Label, "CATEGORICAL"
		case e.Share != nil:
			s.DataType = "NUMERIC"
		case e.Score == nil: // a score needs a value
			continue
		}
		if err := l.post(ctx, s); err != nil {
			return taken, err
		}
		taken++
	}
	return taken, nil
}
