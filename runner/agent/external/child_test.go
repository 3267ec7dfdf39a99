package external_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain makes the test's program the agent if it is started as one. The variable BEHAVIOUR names the
// behaviour.
func TestMain(m *testing.M) {
	if name := os.Getenv("BEHAVIOUR"); name != "" {
		behave(name)
		syscall.Exit(0) // os.Exit waits for a second under the race detector
	}
	goleak.VerifyTestMain(m)
}

// request has the parts of a request that the agent reads.
type request struct {
	Call     int64
	ID       string
	Query    string
	Trace    int
	Seed     int64
	Off      []string
	Endpoint *struct {
		OpenAI string `json:"openai_base_url"`
		Key    string `json:"api_key"`
	}
}

func behave(name string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	read := func() (r request) {
		if !in.Scan() || json.Unmarshal(in.Bytes(), &r) != nil {
			os.Exit(9)
		}
		return r
	}
	reply := func(r request, answer string) { fmt.Printf("{\"call\": %d, \"answer\": %q}\n", r.Call, answer) }
	if model, is := strings.CutPrefix(name, "embeds "); is {
		r := read()
		reply(r, embeds(r, model))
		return
	}
	switch name {
	case "answers":
		reply(read(), "42")
	case "prints first":
		read()
		fmt.Print("loading the model …\n{\"progress\": 1}\n\n{\"answer\": \"42\"}\n")
	case "answers twice":
		read()
		fmt.Print("{\"answer\": \"41\"}\n{\"answer\": \"42\"}\n")
	case "pretty":
		read()
		fmt.Print("{\n  \"answer\": [\"Oslo\", 7, true]\n}\n")
	case "prints":
		read()
		fmt.Print(os.Getenv("OUTPUT"))
	case "prints and hangs":
		read()
		fmt.Print(os.Getenv("OUTPUT"))
		time.Sleep(time.Hour)
	case "garbage":
		read()
		fmt.Print("The answer is 42")
	case "only thinks":
		read()
		fmt.Println(`{"message": "<think>Maybe 41, no, 42. Let me count"}`)
	case "shrugs":
		read()
		fmt.Println(`{"message": "I looked at both maps. One has 41 and the other 42."}`)
	case "cites figures":
		read()
		fmt.Println(`{"message": "Answer: x in [2]"}`)
	case "cites evidence":
		read()
		fmt.Println(`{"message": "Answer: the well [2]", "evidence": [{"id": "2", "text": "It is the well."}]}`)
	case "silence":
		read()
	case "crash":
		read()
		fmt.Fprintln(os.Stderr, "Traceback (most recent call last):\nKeyError: 'docs'")
		os.Exit(3)
	case "crash after the answer":
		reply(read(), "42")
		os.Exit(3)
	case "environment":
		r := read()
		fmt.Printf("{\"answer\": %q}", strings.Join(os.Environ(), ";")+";"+r.Endpoint.Key)
	case "floods standard error":
		r := read()
		fmt.Fprint(os.Stderr, strings.Repeat("err\n", 100_000))
		reply(r, "42")
	case "too much":
		read()
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for {
			if _, err := os.Stdout.Write(chunk); err != nil {
				os.Exit(1)
			}
		}
	case "ignores the end":
		signal.Ignore(syscall.SIGTERM)
		read()
		fmt.Fprintln(os.Stderr, "still thinking")
		time.Sleep(time.Hour)
	case "leaves a child":
		r := read()
		child := exec.Command(os.Args[0])
		child.Env, child.Stdout = append(os.Environ(), "BEHAVIOUR=sleeps"), os.Stdout
		if err := child.Start(); err != nil {
			os.Exit(1)
		}
		reply(r, fmt.Sprint(child.Process.Pid))
	case "sleeps":
		time.Sleep(time.Hour)
	case "asks":
		r := read()
		reply(r, ask(r, "m", r.Query))
	case "asks for another model":
		r := read()
		reply(r, ask(r, "openai:gpt-9", r.Query))
	case "asks and fails":
		r := read()
		ask(r, "m", r.Query)
		fmt.Print("{\"outcome\": \"no_answer\"}")
	case "stays":
		for {
			r := read()
			if r.Query == "crash" {
				fmt.Fprintln(os.Stderr, "out of memory")
				os.Exit(1)
			}
			if r.Query == "twice" {
				reply(r, "first")
			}
			reply(r, fmt.Sprintf("%s %d", r.Query, os.Getpid()))
		}
	case "repeats":
		read()
		h := hostile[os.Getenv("HOSTILE")]
		out := bufio.NewWriter(os.Stdout)
		out.WriteString(h.open)
		for range h.times {
			out.WriteString(h.one)
		}
		out.WriteString(h.end)
		out.Flush()
	case "stays without call":
		read()
		fmt.Println(`{"answer": "42"}`)
		time.Sleep(time.Hour)
	}
}

// ask asks the model at the endpoint, and returns the text of its reply, or the status.
func ask(r request, name, text string) string {
	status, raw := post(r, "/chat/completions", map[string]any{"model": name, "messages": []any{map[string]string{"role": "user", "content": text}}})
	var out struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if json.Unmarshal(raw, &out) != nil || len(out.Choices) == 0 {
		return status + " " + string(raw)
	}
	return out.Choices[0].Message.Content
}

// embeds requests the vector of the query from the proxy, and returns its first component.
func embeds(r request, name string) string {
	status, raw := post(r, "/embeddings", map[string]any{"model": name, "input": r.Query})
	var out struct {
		Data  []struct{ Embedding []float64 }
		Error struct{ Message string }
	}
	if json.Unmarshal(raw, &out) != nil || len(out.Data) == 0 {
		return status[:3] + " " + out.Error.Message
	}
	return fmt.Sprint(out.Data[0].Embedding[0])
}

// post sends JSON to the proxy.
func post(r request, path string, document any) (status string, body []byte) {
	raw, _ := json.Marshal(document)
	req, _ := http.NewRequest(http.MethodPost, r.Endpoint.OpenAI+path, bytes.NewReader(raw))
	req.Header.Set("Authorization", "Bearer "+r.Endpoint.Key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error(), nil
	}
	defer resp.Body.Close()
	body, _ = io.ReadAll(resp.Body)
	return resp.Status, body
}
