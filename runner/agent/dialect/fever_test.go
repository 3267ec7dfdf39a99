package dialect_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// recording is one of the published ReAct transcripts on FEVER.
type recording struct {
	N          int    `json:"n"`
	Gold       string `json:"gold"`
	Answer     string `json:"answer"`
	Steps      int    `json:"steps"`
	EM         int    `json:"em"`
	Transcript string `json:"transcript"`
}

// feverTranscripts reads the recorded data, or skips the test.
func feverTranscripts(t *testing.T) []recording {
	t.Helper()
	folder := os.Getenv("CONCUR_DATA")
	if folder == "" {
		t.Skip("CONCUR_DATA names no folder with the recorded data")
	}
	file, err := os.Open(filepath.Join(folder, "fever_react", "transcripts.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []recording
	for dec := json.NewDecoder(unpacked); ; {
		var r recording
		if err := dec.Decode(&r); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
}

// tally has the counts over all transcripts.
type tally struct {
	Transcripts, Right             int
	Steps                          map[int]int
	Answers                        map[string]int
	Actions                        map[string]int
	WithoutAction, Invalid, Broken int
}

// forced is the step at which the recorded program ended a question itself.
const forced = 8

// TestFEVER parses 500 recorded transcripts, turn by turn, and compares the counts with the published result
// (Yao et al. 2022, arXiv 2210.03629): 270 right, 54 %.
func TestFEVER(t *testing.T) {
	tools := []model.ToolSpec{spec("Search", 1, `entity:"string"`), spec("Lookup", 1, `keyword:"string"`)}
	got := tally{Steps: map[int]int{}, Answers: map[string]int{}, Actions: map[string]int{}}
	for _, r := range feverTranscripts(t) {
		answer, steps := "", forced
		for _, e := range readTranscript(r.Transcript) {
			if e.Rejected != "" {
				rejected := dialect.Parse(e.Rejected, tools)
				if rejected.Problem == nil {
					t.Errorf("%d: %q has an action", r.N, e.Rejected)
				}
				got.WithoutAction++
				got.count(rejected, tools)
			}
			turn := dialect.Parse(e.Reply, tools)
			if got.count(turn, tools); turn.Final != "" {
				answer, steps = strings.TrimPrefix(turn.Final, "Answer: "), e.Number
			}
			if strings.HasPrefix(e.Observation, "Invalid action") {
				got.Invalid++
			}
		}
		if answer != r.Answer || steps != r.Steps || (answer == r.Gold) != (r.EM == 1) {
			t.Errorf("%d: answer %q in %d steps, recorded %q in %d", r.N, answer, steps, r.Answer, r.Steps)
		}
		got.Transcripts++
		got.Steps[steps]++
		if got.Answers[answer]++; answer == r.Gold {
			got.Right++
		}
	}
	want := tally{
		Transcripts: 500, Right: 270,
		Steps:         map[int]int{2: 368, 3: 78, 4: 25, 5: 9, 6: 5, 7: 6, 8: 9},
		Answers:       map[string]int{"SUPPORTS": 218, "REFUTES": 161, "NOT ENOUGH INFO": 112, "": 9},
		Actions:       map[string]int{"Search": 530, "Lookup": 222, "Finish": 491},
		WithoutAction: 3, Invalid: 12, Broken: 8,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("500 transcripts (-published +parsed):\n%s", diff)
	}
}

// count counts a turn's action: one of the three actions, or a broken one, which names no tool or an unknown
// one.
func (c *tally) count(turn dialect.Turn, tools []model.ToolSpec) {
	_, known := dialect.Resolve(turn.Name, tools)
	switch {
	case known:
		c.Actions[turn.Name]++
	case turn.Problem == nil && turn.Name == "":
		c.Actions["Finish"]++
	case turn.Name != "" || errors.Is(turn.Problem, dialect.ErrNoTool):
		c.Broken++
	}
}

// exchange is one numbered turn of a recorded ReAct transcript.
type exchange struct {
	Number      int
	Rejected    string // a first reply that the recorded program could not read and requested again
	Reply       string // the reply in the form in which Parse reads it
	Observation string // the reply of the environment; "" at the end
}

// turnHead matches the beginning of a numbered turn, observed the beginning of the environment's reply.
var (
	turnHead = regexp.MustCompile(`(?m)^Thought ([0-9]{1,9}):`)
	observed = regexp.MustCompile(`(?m)^Observation ([0-9]{1,9}):`)
)

// rejected is printed by the published ReAct program before a reply without an action, which it then requests
// again.
const rejected = "\nohh..."

// readTranscript divides a transcript of numbered turns in the form of the program of Yao et al. 2022 (arXiv
// 2210.03629). A turn continues from its Thought to the next one; text before the first turn is omitted.
func readTranscript(text string) []exchange {
	heads := turnHead.FindAllStringSubmatchIndex(text, -1)
	out := make([]exchange, len(heads))
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		n, err := strconv.Atoi(text[h[2]:h[3]])
		if err != nil { // cannot happen, because nine digits always fit
			continue
		}
		out[i].Number = n
		body := text[h[0]:end]
		if at := strings.LastIndex(body, rejected); at >= 0 && i+1 < len(heads) {
			out[i+1].Rejected = strings.TrimSpace(body[at+len(rejected):])
			body = body[:at]
		}
		out[i].Reply = strings.TrimSpace(body)
		if o := observed.FindStringIndex(body); o != nil {
			out[i].Reply = strings.TrimSpace(body[:o[0]])
			out[i].Observation = strings.TrimSpace(body[o[1]:])
		}
	}
	return out
}
