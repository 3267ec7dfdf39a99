package external_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/agent/external"
)

// exchanges is the number of exchanges in a round of BenchmarkProxy. It is less than external.MaxExchanges.
const exchanges = 500

// BenchmarkProxy runs a trace with 500 exchanges with a model that replies at once, through the proxy. It
// measures the time that the proxy adds, including the agent's own HTTP client.
func BenchmarkProxy(b *testing.B) {
	p, err := external.NewProxy("offline:reader", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	defer http.DefaultClient.CloseIdleConnections()
	body := []byte(`{"model": "m", "messages": [{"role": "user", "content": "Which?"}]}`)
	asks := asker(func(request external.Request) {
		for range exchanges {
			req, _ := http.NewRequest(http.MethodPost, request.Endpoint.OpenAI+"/chat/completions", bytes.NewReader(body))
			req.Header.Set("Authorization", "Bearer "+request.Endpoint.Key)
			req.Header.Set("Content-Type", "application/json")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				b.Fatal(resp.Status)
			}
		}
	})
	for b.Loop() {
		var r recorder
		a := &external.Agent{Config: configuration(nil), Transport: asks, Proxy: p}
		a.Run(b.Context(), task("Which?", answer.Text, modelFunc(echo), &r))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*exchanges), "µs/exchange")
}

// asker is an agent in this process.
type asker func(external.Request)

func (a asker) Send(_ context.Context, r external.Request) ([]byte, error) {
	a(r)
	return []byte(`{"answer": "x"}`), nil
}
func (asker) Close() error { return nil }
func (asker) Kill()        {}

// BenchmarkExec runs a trace of a process that replies at once. It measures the start of the process, and the
// time that concur adds.
func BenchmarkExec(b *testing.B) {
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: &external.Command{Argv: []string{"/bin/sh", "-c", `read line; echo '{"answer": "x"}'`}}}
	for b.Loop() {
		if t := a.Run(b.Context(), task("Which?", answer.Text, nil, &r)); t.Answer != "x" {
			b.Fatal(t.Cause)
		}
	}
}
