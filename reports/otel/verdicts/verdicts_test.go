package verdicts_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/oteltest"
	"github.com/seed-5817661a/concur/reports/otel/send"
	"github.com/seed-5817661a/concur/reports/otel/verdicts"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// judged is the record of two traces that were imported from spans, and of one that was not.
func judged() store.Record {
	origin := func(span string) (x trace.Extras) {
		x.Set(trace.OriginName, trace.Origin{TraceID: strings.Repeat("ab", 16), SpanID: strings.Repeat(span, 8)})
		return x
	}
	representative, grade, agreement := 1, 4, 2.0/3
	return store.Record{Configuration: "c", Query: "q", Answers: []store.Answer{
		{Trace: 0, Verdict: judge.Incorrect, Extras: origin("01")}, {Trace: 1, Verdict: judge.Correct, Extras: origin("02")}, {Trace: 2, Verdict: judge.Correct},
	}, Consensus: consensus.Decision{Representative: &representative, Agreement: &agreement, Votes: []consensus.Class{{Traces: []int{1, 2}}, {Traces: []int{0}}}},
		Verdict: judge.Verdict{Verdict: judge.Correct, By: "gold", Reason: "equal"},
		Judgements: &store.Judgements{Correctness: &judge.CorrectnessJudgement{Verdict: judge.Verdict{Verdict: judge.Unscored}, Judge: "openai:m"},
			Quality: []judge.QualityJudgement{{Trace: 1, Score: &grade, Verdict: judge.Verdict{Verdict: judge.Correct}, Judge: "openai:m"}}},
	}
}

// Each verdict is for the span of its trace, and has the same id each time.
func TestEvaluations(t *testing.T) {
	list, err := otel.Evaluations("r", judged(), time.Unix(1, 0), otel.Options{Content: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	ids := map[string]bool{}
	for _, e := range list {
		score := "none"
		if e.Score != nil {
			score = fmt.Sprint(*e.Score)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %s %d/%d %t %q", e.SpanID[:2], e.Name, e.Label, score, e.By, e.Winners, e.Votes, e.Wins, e.Explanation))
		ids[e.ID] = true
	}
	const share = `"2 of 3 answers to this question are right: 67 %; 95 % interval 21 to 94 %"`
	want := []string{`01 consensus pass 1 gold 2/3 false "equal"`, `01 share right  0.6666666666666666 gold 2/3 false ` + share, `01 trace fail 0 gold 2/3 false ""`,
		`02 consensus pass 1 gold 2/3 true "equal"`, `02 share right  0.6666666666666666 gold 2/3 true ` + share, `02 trace pass 1 gold 2/3 true ""`, `02 correctness unscored none openai:m 2/3 true ""`, `02 quality pass 1 openai:m 2/3 true ""`}
	if d := cmp.Diff(want, got); d != "" || len(ids) != len(want) {
		t.Errorf("%s; %d ids", d, len(ids))
	}
	again, err := otel.Evaluations("r", judged(), time.Unix(2, 0), otel.Options{})
	if err != nil || again[0].ID != list[0].ID || again[0].Explanation != "" {
		t.Errorf("%+v, %v", again[0], err)
	}
	recordOf := func(e otel.Evaluation) *logspb.LogRecord {
		raw, err := e.Record()
		if err != nil {
			t.Fatal(err)
		}
		return oteltest.Decode(t, otel.Spans{Logs: []otel.LogRecord{raw}}).Logs[0]
	}
	if record := recordOf(list[0]); fmt.Sprintf("%x", record.SpanId) != strings.Repeat("01", 8) || record.EventName != otel.EvaluationEvent {
		t.Error(record)
	}
	has := func(r store.Record, name string) bool {
		list, err := otel.Evaluations("r", r, time.Unix(1, 0), otel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(recordOf(list[0]).Attributes, func(a *commonpb.KeyValue) bool { return a.Key == name })
	}
	single := judged()
	single.Answers, single.Consensus.Agreement = single.Answers[:1], nil
	if has(single, "concur.consensus.agreement") || !has(judged(), "concur.consensus.agreement") {
		t.Error("the agreement is that of several traces")
	}
	damaged := judged()
	damaged.Answers[0].Extras.Set(trace.OriginName, trace.Origin{TraceID: "xyz"})
	if list, err = otel.Evaluations("r", damaged, time.Unix(1, 0), otel.Options{}); err == nil {
		_, err = list[0].Record()
	}
	if err == nil || !strings.Contains(err.Error(), "the id of its span is damaged") {
		t.Error(err)
	}
}

// received is a request that a service received.
type received struct {
	Path, Authorization string
	Body                any
}

// service answers as its documentation says, with statuses one after the other, and the last one again.
func service(t *testing.T, statuses ...int) (string, *[]received) {
	t.Helper()
	var all []received
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		var body any
		if err = errors.Join(err, json.Unmarshal(raw, &body)); err != nil {
			t.Error(err)
		}
		all = append(all, received{r.URL.RequestURI(), r.Header.Get("Authorization"), body})
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(statuses[min(len(all), len(statuses))-1])
		fmt.Fprint(w, `{"detail": "Spans with IDs 01 do not exist."}`)
	}))
	t.Cleanup(s.Close)
	return s.URL, &all
}

func environ(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestServices(t *testing.T) {
	list, err := otel.Evaluations("r", judged(), time.Unix(1, 0), otel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("Phoenix", func(t *testing.T) {
		at, got := service(t, 200)
		to, known, err := verdicts.Open("phoenix:"+at+"/sub/", environ("PHOENIX_API_KEY", "k"))
		if err != nil || !known {
			t.Fatal(known, err)
		}
		if taken, err := to.Send(t.Context(), list); err != nil || taken != 8 {
			t.Fatal(taken, err)
		}
		r := (*got)[0]
		data, _ := r.Body.(map[string]any)["data"].([]any)
		first := map[string]any{"span_id": strings.Repeat("01", 8), "name": "consensus", "annotator_kind": "CODE", "identifier": "concur r",
			"result": map[string]any{"label": "pass", "score": 1.0}, "metadata": map[string]any{"concur.run": "r", "concur.query": "q",
				"concur.trace.index": 0.0, "concur.vote.of": 3.0, "concur.vote.size": 2.0, "concur.judge": "gold"}}
		if d := cmp.Diff(first, data[0]); d != "" || r.Path != "/sub/v1/span_annotations?sync=true" || r.Authorization != "Bearer k" || len(data) != 8 {
			t.Errorf("%s\n%+v", d, r)
		}
		share, _ := data[1].(map[string]any)
		result, _ := share["result"].(map[string]any)
		about, _ := share["metadata"].(map[string]any)
		if share["name"] != "share right" || result["score"] != 2.0/3 || !strings.Contains(fmt.Sprint(result["explanation"]), "95 % interval 21 to 94 %") ||
			about["concur.ci.level"] != 0.95 || about["concur.traces.right"] != 2.0 || result["label"] != nil {
			t.Errorf("%+v", share)
		}
	})
	t.Run("Langfuse", func(t *testing.T) {
		at, got := service(t, 429, 200)
		to, _, err := verdicts.Open("langfuse:"+at, environ("LANGFUSE_PUBLIC_KEY", "pk", "LANGFUSE_SECRET_KEY", "sk"))
		if err != nil {
			t.Fatal(err)
		}
		if taken, err := to.Send(t.Context(), list); err != nil || taken != 7 { // a verdict without a value is no score
			t.Fatal(taken, err)
		}
		r := (*got)[len(*got)-1]
		body, _ := r.Body.(map[string]any)
		if r.Path != "/api/public/scores" || r.Authorization != "Basic cGs6c2s=" || body["traceId"] != strings.Repeat("ab", 16) ||
			body["observationId"] != strings.Repeat("02", 8) || body["name"] != "quality" || body["value"] != 1.0 || body["dataType"] != "BOOLEAN" || len(*got) != 8 {
			t.Errorf("%d requests, the last: %+v", len(*got), r)
		}
		share, _ := (*got)[2].Body.(map[string]any) // the first request was repeated
		about, _ := share["metadata"].(map[string]any)
		if share["name"] != "share right" || share["dataType"] != "NUMERIC" || share["value"] != 2.0/3 || about["concur.ci.high"] == nil ||
			!strings.Contains(fmt.Sprint(share["comment"]), "2 of 3 answers") {
			t.Errorf("%+v", share)
		}
		ranged := judged()
		ranged.Answers[2].Verdict = judge.Unscored
		list, err := otel.Evaluations("r", ranged, time.Unix(1, 0), otel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if taken, err := to.Send(t.Context(), list[1:2]); err != nil || taken != 1 {
			t.Fatal(taken, err)
		}
		body, _ = (*got)[8].Body.(map[string]any)
		if body["value"] != "33 to 67 %" || body["dataType"] != "CATEGORICAL" || body["comment"] != "1 of 3 answers to this question is right, 1 has no verdict: 33 to 67 %; 95 % interval 6 to 94 %" {
			t.Errorf("%+v", body)
		}
	})
	t.Run("refused", func(t *testing.T) {
		at, _ := service(t, 404)
		to, _, err := verdicts.Open("phoenix:"+at, environ())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Send(t.Context(), list); err == nil || !strings.Contains(err.Error(), "answers 404") || !strings.Contains(err.Error(), "do not exist") {
			t.Error(err)
		}
	})
	for address, want := range map[string]string{"langfuse:http://x": "set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY", "phoenix:x": "the address is no URL",
		"phoenix:http://u:secret@x": "has a user or a password"} {
		if _, known, err := verdicts.Open(address, environ()); !known || err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret@") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, known, err := verdicts.Open("http://127.0.0.1:4318", environ()); known || err != nil {
		t.Error(known, err)
	}
}

// A collector that reads the official messages gets the share of right answers of a question with its interval, for the
// span of each of its traces, also without content.
func TestSharesAtCollector(t *testing.T) {
	var records []*logspb.LogRecord
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		of, wrong := oteltest.Request(raw, true)
		if err = errors.Join(err, wrong); err != nil || r.URL.Path != "/v1/logs" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		records = append(records, of.Logs...)
	}))
	defer s.Close()
	endpoint, enabled, err := send.Read(s.URL, environ())
	if err != nil || !enabled {
		t.Fatal(enabled, err)
	}
	unjudged, lost := judged(), judged()
	unjudged.Answers[2].Verdict = judge.Unscored
	lost.Answers[0].Outcome, lost.Answers[0].Verdict = trace.Infra, judge.Unscored
	single := judged()
	single.Answers = single.Answers[:1]
	silent := judged()
	for i := range silent.Answers {
		silent.Answers[i].Verdict = judge.Unscored
	}
	for name, c := range map[string]struct {
		of   store.Record
		want string // the record of the first span
	}{
		"judged":                  {judged(), "0.667 [0.208, 0.939] at 0.95 2/3/3"},
		"one without a verdict":   {unjudged, "33 to 67 % [0.061, 0.939] at 0.95 1/2/3"}, // as if it were wrong, and as if it were right
		"one lost":                {lost, "1.000 [0.342, 1.000] at 0.95 2/2/2"},
		"a single trace":          {single, ""},
		"none that has a verdict": {silent, ""},
	} {
		list, err := otel.Evaluations("r", c.of, time.Unix(1, 0), otel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		records = nil
		if _, err := (verdicts.Collector{Client: send.NewClient(endpoint)}).Send(t.Context(), list); err != nil {
			t.Fatal(err)
		}
		got, spans := "", 0
		for _, r := range records {
			of := map[string]*commonpb.AnyValue{}
			for _, a := range r.Attributes {
				of[a.Key] = a.Value
			}
			if of["gen_ai.evaluation.name"].GetStringValue() != "share right" {
				continue
			}
			spans++
			share := of["gen_ai.evaluation.score.label"].GetStringValue()
			if value := of["gen_ai.evaluation.score.value"]; value != nil {
				share += fmt.Sprintf("%.3f", value.GetDoubleValue())
			}
			got = fmt.Sprintf("%s [%.3f, %.3f] at %v %d/%d/%d", share, of["concur.ci.low"].GetDoubleValue(),
				of["concur.ci.high"].GetDoubleValue(), of["concur.ci.level"].GetDoubleValue(), of["concur.traces.right"].GetIntValue(), of["concur.traces.judged"].GetIntValue(), of["concur.traces.valid"].GetIntValue())
			if r.EventName != otel.EvaluationEvent || len(r.TraceId) != 16 || of["gen_ai.evaluation.explanation"].GetStringValue() == "" {
				t.Errorf("%s: %v", name, r)
			}
		}
		if got != c.want || got != "" && spans != 2 {
			t.Errorf("%s: %q on %d spans, want %q on 2", name, got, spans, c.want)
		}
	}
}

func ExampleOpen() {
	_, known, err := verdicts.Open("langfuse:https://cloud.langfuse.com", func(string) string { return "" })
	fmt.Println(known, err)
	// Output:
	// true the keys of a Langfuse project are missing: set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY
}
