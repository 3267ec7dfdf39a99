package main

import (
	"cmp"
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// talkative is an endpoint with three models: agent answers in sentences, reader copies the right words of messages,
// and echo gives the whole message back.
type talkative struct {
	server *httptest.Server

	mu       sync.Mutex
	requests map[string]int // by model
	seen     string         // all that the extractors were sent
}

// sentences are the agent's answers, with the words that give them.
var sentences = map[string][2]string{
	"How many days of annual leave do employees have?": {"Sure! Our handbook gives everybody 30 days off, and I would not change that.", "30 days"},
	"Who books flights?":          {"Happy to help! You would have to ask the people at the Travel Desk about that one.", "Travel Desk"},
	"Where is the canteen?":       {"Good question! Most people walk down to the ground floor around noon.", "ground floor"},
	"When are salaries paid?":     {"I looked it up for you: money arrives on the last working day of each month.", "the last working day of each month"},
	"How is a sick day reported?": {"I am not sure that I follow, could you tell me more about your case first, please?", ""},
}

func newTalkative(t *testing.T) *talkative {
	t.Helper()
	s := &talkative{requests: map[string]int{}}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Model    string
			Messages []model.Message
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests[req.Model]++
		text := ""
		switch req.Model {
		case "agent":
			text = sentences[req.Messages[1].Content][0]
		default:
			s.seen += req.Messages[0].Content + req.Messages[1].Content
			text = s.read(req.Model, askingtest.Blocks(model.Request{Messages: req.Messages}))
		}
		w.Header().Set("Content-Type", "application/json")
		message := map[string]any{"role": "assistant", "content": text}
		if err := json.NewEncoder(w).Encode(map[string]any{"model": req.Model, "choices": []any{map[string]any{"message": message, "finish_reason": "stop"}}, "usage": map[string]any{"prompt_tokens": 10, "completion_tokens": 2}}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.server.Close)
	return s
}

// read is the reply of an extractor.
func (s *talkative) read(of string, blocks map[string]string) string {
	words := map[string]string{
		"How many days of annual leave does an employee have?": "30 days", "What is 6 times 7?": "42",
		"How many planets orbit the Sun?": "eight", "Who painted The Night Watch?": "Rembrandt",
	}[blocks["question"]]
	if pair, known := sentences[blocks["question"]]; known {
		words = pair[1]
	}
	if of == "echo" {
		words = blocks["message"]
	}
	reply := map[string]*string{"words": &words}
	if words == "" {
		reply["words"] = nil
	}
	raw, _ := json.Marshal(reply) // texts can always be encoded
	return string(raw)
}

// newcomer is a folder with golds as CSV and an agent that answers in sentences.
func newcomer(t *testing.T) *talkative {
	t.Helper()
	s := newTalkative(t)
	t.Chdir(t.TempDir())
	write(t, "concur.yaml", "model: mine:agent\nk: 3\nagent: {strategy: direct}\nconsensus: {stages: [exact, majority]}\n"+
		"extractor: {model: \"mine:reader\"}\n"+
		"providers:\n  mine: {kind: openai, base_url: \""+s.server.URL+"/v1\", auth: none}\n")
	golds := "id,category,query,type,answer,aliases,source\n"
	for _, q := range [][2]string{
		{"leave", "How many days of annual leave do employees have?"}, {"flights", "Who books flights?"}, {"canteen", "Where is the canteen?"},
		{"salaries", "When are salaries paid?"}, {"sick", "How is a sick day reported?"},
	} {
		gold := cmp.Or(sentences[q[1]][1], "by telephone")
		golds += q[0] + ",office," + q[1] + ",text," + gold + ",only-the-gold-says-this,the handbook\n"
	}
	write(t, "golds.csv", golds)
	return s
}

// ok runs a command and gives its output with single spaces.
func ok(t *testing.T, args ...string) (out, errs string) {
	t.Helper()
	code, out, errs := invoke(append(args, "--wide")...)
	if code != exitOK {
		t.Fatalf("%v: exit %d: %s\n%s", args, code, errs, out)
	}
	return strings.Join(strings.Fields(out), " "), errs
}

// has fails for each part that a text does not have.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
}

// TestSentencesAreRead is a newcomer's way: the table says what was not read, a model reads the stored messages, and
// the two runs are compared only where that is meant.
func TestSentencesAreRead(t *testing.T) {
	s := newcomer(t)
	out, _ := ok(t, "run", "golds.csv", "--quiet")
	run := filepath.Base(glob(t, filepath.Join("runs", "*-golds-*")))
	has(t, out, "0/5", "3 wrong traces would be right as quantity: see the type of leave",
		"15 of 15 traces gave no readable answer: `concur trace "+run+" canteen` shows one; an answer line, another type or `--extract model` would help")
	page, _ := ok(t, "report", run, "--format", "html")
	has(t, html.UnescapeString(page), "3 wrong traces would be right as quantity: see the type of leave",
		"15 of 15 traces gave no readable answer: `concur trace "+run+" canteen` shows one")
	_, out, _ = invoke("trace", run, "canteen")
	has(t, out, "no answer could be read in the message", "Most people walk down")
	if strings.Contains(out, "ended without an answer") {
		t.Errorf("the message is denied:\n%s", out)
	}

	out, errs := ok(t, "rejudge", run, "--extract", "model", "--quiet")
	has(t, errs, "extract: rules, now model")
	has(t, out, "4/5", "mine:reader read the answer of 12 of 15 messages", "3 of 15 traces gave no readable answer", "an answer line or another type would help")
	if s.requests["agent"] != 15*2 { // and the demand for an answer line
		t.Errorf("the agent was asked %d times", s.requests["agent"])
	}
	_, out, _ = invoke("trace", "latest-rejudge", "leave")
	has(t, out, "read         by mine:reader for default: answer 30 days (extracted: model)")

	out, _ = ok(t, "compare", run, "latest-rejudge")
	has(t, out, "extract is rules against model", "concur rejudge RUN --extract model")
	if out, _ := ok(t, "compare", run, "latest-rejudge", "--across", "extract"); strings.Contains(out, "extract is rules against") {
		t.Errorf("refused across extract:\n%s", out)
	}

	out, _ = ok(t, "rejudge", run, "--extract", "model", "--extractor", "mine:echo", "--quiet")
	has(t, out, "0/5", "warning: the extractor mine:echo was not asked: it read 6 of 6 canaries wrong", "name another with --extractor PROVIDER:MODEL")
	if strings.Contains(s.seen, "only-the-gold-says-this") {
		t.Error("an extractor was shown the gold")
	}
}

// TestRunWithAnExtractor: what it took is counted apart, and a replay asks nobody.
func TestRunWithAnExtractor(t *testing.T) {
	s := newcomer(t)
	out, _ := ok(t, "run", "golds.csv", "--extract", "model", "--dry-run")
	has(t, out, "extractor mine:reader, where rules read no answer")
	out, _ = ok(t, "run", "golds.csv", "--extract", "model", "--quiet")
	has(t, out, "4/5")
	before := s.requests["reader"]
	replayed, _ := ok(t, "run", "--replay", "latest", "--quiet")
	if has(t, replayed, "4/5"); s.requests["reader"] != before {
		t.Errorf("a replay asked %d times", s.requests["reader"]-before)
	}
	found, err := runlist.Find("runs", "latest")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records(t, found) {
		role := r.Usage.Roles[store.ExtractorRole]
		if r.Extraction == nil || r.Extraction.Messages != 3 || role.ModelCalls != 3 || role.InputTokens != 30 || r.Usage.ModelCalls != 9 {
			t.Errorf("%s: %+v, %+v", r.Query, r.Extraction, r.Usage)
		}
		for _, a := range r.Answers {
			if read := r.Query != "sick"; (a.Extract == extract.FromModel) != read || a.Unread == read {
				t.Errorf("%s: %+v", r.Query, a)
			}
		}
	}
	if code, _, errs := invoke("run", "golds.csv", "--extract", "guess"); code != exitUsage || !strings.Contains(errs, `extract "guess" is not known: rules, model`) {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestOfflineExtractor: the offline model reads by rules of its own, which are not put to canaries.
func TestOfflineExtractor(t *testing.T) {
	s := newTalkative(t)
	t.Chdir(t.TempDir())
	write(t, "concur.yaml", "model: mine:agent\nk: 1\nagent: {strategy: direct}\nextract: model\nextractor: {model: \"offline:reader\"}\n"+
		"providers:\n  mine: {kind: openai, base_url: \""+s.server.URL+"/v1\", auth: none}\n")
	write(t, "golds.csv", "id,category,query,type,answer,source\nsick,office,How is a sick day reported?,text,by telephone,the handbook\n")
	code, out, errs := invoke("run", "golds.csv", "--quiet", "--wide")
	if code != exitOK || !strings.Contains(out, "offline:reader (rule-based) read the answer of 0 of 1 message") {
		t.Errorf("exit %d: %s\n%s", code, errs, out)
	}
}

// TestImportOfSentences: import counts what rules do not read, and lets a model read it.
func TestImportOfSentences(t *testing.T) {
	s := newTalkative(t)
	t.Chdir(t.TempDir())
	write(t, "concur.yaml", "providers:\n  mine: {kind: openai, base_url: \""+s.server.URL+"/v1\", auth: none}\n")
	chats := ""
	for q, said := range sentences {
		chats += `{"messages":[{"role":"user","content":"` + q + `"},{"role":"assistant","content":"` + said[0] + `"}],"gold":"` + said[1] + `"}` + "\n"
	}
	write(t, "chats.jsonl", strings.ReplaceAll(chats, `"gold":""`, `"gold":"by telephone"`))
	code, out, errs := invoke("import", "chats.jsonl", "--wide")
	if code != exitOK || !strings.Contains(out, "5 of 5 traces gave no readable answer") || !strings.Contains(out, "`--extract model` would help") {
		t.Errorf("exit %d: %s\n%s", code, errs, out)
	}
	code, out, errs = invoke("import", "chats.jsonl", "--extract", "model", "--extractor", "mine:reader", "--wide")
	if code != exitOK || !strings.Contains(out, "4/5") || !strings.Contains(out, "mine:reader read the answer of 4 of 5 messages") {
		t.Errorf("exit %d: %s\n%s", code, errs, out)
	}
	if code, _, errs := invoke("import", "chats.jsonl", "--extract", "model", "--extractor", "nobody:x"); code != exitUsage || !strings.Contains(errs, `there is no provider "nobody"`) {
		t.Errorf("exit %d: %s", code, errs)
	}
}
