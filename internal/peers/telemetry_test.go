//go:build peers

package peers

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The exporter that all writers use, and OpenAI's client.
var otelBase = []string{"opentelemetry-exporter-otlp-proto-http==1.45.2", "openai==3.57.0", "httpx"}

// writers are programs that record spans. opentelemetry-util-genai 1.1b0 is the newest with which
// opentelemetry-instrumentation-openai-v2 2.4b0 starts.
var writers = []struct {
	name, script, instrumentation string
	packages                      []string
}{
	{"official", "openai_client.py", "official", []string{"opentelemetry-instrumentation-openai-v2==2.4b0", "opentelemetry-util-genai==1.1b0"}},
	{"OpenInference", "openai_client.py", "openinference", []string{"openinference-instrumentation-openai==0.1.66"}},
	{"Traceloop", "openai_client.py", "traceloop", []string{"opentelemetry-instrumentation-openai==0.62.4"}},
	{"Pydantic AI", "pydantic_agent.py", "", []string{"pydantic-ai-slim[openai]==2.68.0"}},
	{"LangChain", "langchain_agent.py", "", []string{"openinference-instrumentation-langchain==0.1.80", "langchain-openai==1.7.4"}},
}

// answered is what a program printed of a question, or what its import has.
type answered struct {
	Question, Answer string
	Calls            [][]string // name, expression, result
	Tokens           []int      // input, output
}

// TestSpansOfWriters sends the spans of five instrumentations to concur collect, and imports them: question, answer,
// calls and tokens are those that the program printed.
func TestSpansOfWriters(t *testing.T) {
	b := bench{dir: t.TempDir(), most: agentTime}
	b.build(t)
	model := b.serveModel(t)
	for _, w := range writers {
		t.Run(w.name, func(t *testing.T) {
			b := bench{dir: t.TempDir(), most: agentTime, concur: b.concur}
			b.copy(t, filepath.Join("testdata", "telemetry"), ".")
			b.venv(t, append(w.packages, otelBase...)...)
			to := b.start(t, regexp.MustCompile(`collecting at (http://127\.0\.0\.1:\d+) into`), nil, b.concur, "collect", "--listen", "127.0.0.1:0")
			env := []string{"OPENAI_BASE_URL=" + model + "/v1", "OPENAI_API_KEY=" + serveKey, "OTEL_EXPORTER_OTLP_ENDPOINT=" + to,
				"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_AND_EVENT", "OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental"}
			printed, stderr, code := b.run(t, env, filepath.Join(b.dir, "venv", "bin", "python"), w.script, w.instrumentation)
			if code != 0 {
				t.Fatalf("exit code %d\n%s", code, stderr)
			}
			_, run := b.imports(t, "traces", "--from", "otlp")
			got := importedAnswers(t, filepath.Join(b.dir, run))
			for line := range strings.Lines(printed) {
				var want answered
				if err := json.Unmarshal([]byte(line), &want); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, got[want.Question]); d != "" {
					t.Error(d)
				}
			}
			if len(got) != 2 {
				t.Errorf("%d questions were imported", len(got))
			}
		})
	}
}

// importedAnswers reads the traces of an imported run, by question.
func importedAnswers(t *testing.T, run string) map[string]answered {
	t.Helper()
	questions, out := map[string]string{}, map[string]answered{}
	eachObject(t, filepath.Join(run, "results.jsonl"), func(line []byte) error {
		var r struct{ Query, Question string }
		err := json.Unmarshal(line, &r)
		questions[r.Query] = r.Question
		return err
	})
	calls := map[string][][]string{}
	eachObject(t, filepath.Join(run, "trace.jsonl"), func(line []byte) error {
		var e struct {
			Query, Event, Name, Message string
			Input                       struct{ Expression string }
			Output                      json.RawMessage
			Usage                       struct {
				Input  int `json:"input_tokens"`
				Output int `json:"output_tokens"`
			}
		}
		err := json.Unmarshal(line, &e)
		switch e.Event {
		case "action":
			calls[e.Query] = append(calls[e.Query], []string{e.Name, e.Input.Expression})
		case "observation":
			last := len(calls[e.Query]) - 1
			calls[e.Query][last] = append(calls[e.Query][last], strings.Trim(string(e.Output), `"`))
		case "final":
			q := questions[e.Query]
			out[q] = answered{q, e.Message, calls[e.Query], []int{e.Usage.Input, e.Usage.Output}}
		}
		return err
	})
	return out
}

func eachObject(t *testing.T, path string, take func([]byte) error) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := take(lines.Bytes()); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// phoenixVersion is the version of docs/telemetry.md.
const phoenixVersion = "arize-phoenix==20.26.1"

// TestVerdictsInPhoenix sends spans to Phoenix, and then the verdicts on them, twice: Phoenix has each annotation once.
func TestVerdictsInPhoenix(t *testing.T) {
	b := bench{dir: t.TempDir(), most: agentTime}
	b.build(t)
	b.venv(t, phoenixVersion)
	url := b.phoenix(t)
	b.prints(t, 0, nil, "run", "--limit", "2", "-k", "3", "--quiet")
	b.prints(t, 0, nil, "export", "latest", "--format", "otlp", "--content", "--to", url)
	b.prints(t, 0, nil, "export", "latest", "--format", "otlp", "--content", "--out", "spans.jsonl")
	_, run := b.imports(t, "spans.jsonl", "--from", "otlp", "--mapping", "gold=concur.expected")
	verdicts := b.prints(t, 0, nil, "export", run, "--format", "otlp-evaluations")
	spans := map[string]bool{}
	for _, m := range regexp.MustCompile(`"spanId":"([0-9a-f]{16})"`).FindAllStringSubmatch(verdicts, -1) {
		spans[m[1]] = true
	}
	if len(spans) != 6 {
		t.Fatalf("verdicts on %d spans", len(spans))
	}
	for range 2 {
		// Phoenix keeps spans some time after it has answered.
		for try := 0; ; try++ {
			_, stderr, code := b.run(t, nil, b.concur, "export", run, "--format", "otlp-evaluations", "--content", "--to", "phoenix:"+url)
			if code == 0 && strings.Contains(stderr, "sent 18 verdicts on 6 imported traces") {
				break
			}
			if try == 60 || !strings.Contains(stderr, "answers 404") {
				t.Fatalf("exit code %d\n%s", code, stderr)
			}
			time.Sleep(time.Second)
		}
	}
	for span := range spans {
		var got struct {
			Data []struct {
				Name   string
				SpanID string `json:"span_id"`
				Result struct{ Label, Explanation string }
			}
		}
		answer(t, url+"/v1/projects/default/span_annotations?span_ids="+span, &got)
		labels, intervals := 0, 0
		for _, a := range got.Data {
			if a.SpanID == span && a.Result.Label != "" {
				labels++
			}
			if a.SpanID == span && a.Name == "share right" && strings.Contains(a.Result.Explanation, "95 % interval") {
				intervals++
			}
		}
		if len(got.Data) != 3 || labels != 2 || intervals != 1 {
			t.Errorf("%s: %+v", span, got)
		}
	}
}

func answer(t *testing.T, url string, into any) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close(), json.Unmarshal(raw, into)); err != nil {
		t.Fatalf("%s: %v\n%s", url, err, raw)
	}
}

// phoenix starts Phoenix with an empty database.
func (b bench) phoenix(t *testing.T) string {
	t.Helper()
	ports := freePorts(t, 2)
	log := b.serve(t, []string{"PHOENIX_WORKING_DIR=" + b.dir, "PHOENIX_HOST=127.0.0.1", "PHOENIX_PORT=" + ports[0],
		"PHOENIX_GRPC_PORT=" + ports[1], "PHOENIX_TELEMETRY_ENABLED=false"}, filepath.Join(b.dir, "venv", "bin", "phoenix"), "serve")
	url := fmt.Sprintf("http://127.0.0.1:%s", ports[0])
	for range 240 {
		if resp, err := http.Get(url + "/healthz"); err == nil {
			_ = resp.Body.Close()
			return url
		}
		time.Sleep(time.Second)
	}
	said, _ := os.ReadFile(log)
	t.Fatalf("Phoenix does not answer\n%s", said)
	return ""
}

// freePorts returns ports on which nothing listens.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	ports := make([]string, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_, ports[i], _ = net.SplitHostPort(l.Addr().String())
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return ports
}

// serve starts a program until the end of the test, and returns the file of what it says.
func (b bench) serve(t *testing.T, env []string, name string, args ...string) (said string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = b.dir, append(environment(), env...)
	log, err := os.Create(filepath.Join(b.dir, filepath.Base(name)+".log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has nothing to save
		_ = cmd.Wait()
		_ = log.Close()
	})
	return log.Name()
}
