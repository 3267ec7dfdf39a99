package offline

import (
	"regexp"
	"strings"
	"sync"
)

type qualityReply struct {
	Reasoning   int `json:"reasoning"`
	ToolChoice  int `json:"tool_choice"`
	Helpfulness int `json:"helpfulness"`
	Relevance   int `json:"relevance"`
	Score       int `json:"score"`
}

// ruleQuality grades how an agent worked by what can be counted in its transcript and
// final message; docs/offline-model.md has the table.
func ruleQuality(b blocks) (any, error) {
	d, err := b.need("question", "transcript", "final message")
	if err != nil {
		return nil, err
	}
	t, m := readTranscript(d[1]), readFinal(d[2])
	if m.empty && t.outcome != "" { // a rule of the harness ended the trace in the agent's stead
		m.empty, m.refuses, m.abstains = false, t.outcome == "refused", t.outcome == "abstained"
	}
	r := qualityReply{
		Reasoning:   t.reasoning(m),
		ToolChoice:  t.toolChoice(),
		Helpfulness: m.helpfulness(),
		Relevance:   m.relevance(d[0], d[2]),
	}
	r.Score = (r.Reasoning + r.ToolChoice + r.Helpfulness + r.Relevance) / 4
	return r, nil
}

// transcript is what is counted in the record of an agent's work.
type transcript struct {
	actions  int
	repeated int
	failed   int             // observations that report an error
	blocked  int             // calls that a guard held back, or form that it refused
	limited  bool            // a limit ended the work
	outcome  string          // "refused" or "abstained" where it ended so
	offered  map[string]bool // documents that observations showed, by id
}

var transcriptEntry = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^step \d+ (thought|action|observation|guard|end): (.*)$`)
})

var shownDocument = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[([A-Za-z0-9_.:/-]+)\] `)
})

// readTranscript counts in a record of one entry a line, "step N kind: text"; further
// lines belong to the entry before them.
func readTranscript(text string) transcript {
	t := transcript{offered: map[string]bool{}}
	sent := map[string]bool{}
	kind := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := transcriptEntry().FindStringSubmatch(line); m != nil {
			kind, line = m[1], m[2]
			t.count(kind, line, sent)
		}
		if m := shownDocument().FindStringSubmatch(line); m != nil && kind == "observation" {
			t.offered[m[1]] = true
		}
	}
	return t
}

func (t *transcript) count(kind, text string, sent map[string]bool) {
	switch {
	case kind == "action":
		t.actions++
		if sent[text] {
			t.repeated++
		}
		sent[text] = true
	case kind == "observation" && strings.HasPrefix(text, "ERROR:"):
		t.failed++
	case kind == "guard" && (strings.HasSuffix(text, ", block") || strings.HasSuffix(text, ", reject")):
		t.blocked++
	case kind == "end":
		if outcome, _, _ := strings.Cut(text, " "); outcome == "refused" || outcome == "abstained" {
			t.outcome = outcome
		}
		t.limited = strings.Contains(text, "(max_steps)") || strings.Contains(text, "(max_tool_calls)")
	}
}

// finalMessage is what is counted in a final message.
type finalMessage struct {
	line      bool // it has an answer line
	abstains  bool
	refuses   bool
	empty     bool
	citations map[string]bool
}

func readFinal(text string) finalMessage {
	m := finalMessage{empty: strings.TrimSpace(text) == "", citations: cited(text)}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), answerMark)
		if !ok {
			continue
		}
		short := strings.TrimSpace(rest)
		m.line, m.abstains, m.refuses = short != "", short == abstention, short == refusal
	}
	return m
}

func (m finalMessage) answers() bool { return !m.empty && !m.abstains && !m.refuses }

// reasoning starts at 5. Off go 2 for an answer that cites none of the documents that
// were shown, 1 for one that cites a document that was not; 1 where errors came back; 1
// where a limit ended the work.
func (t transcript) reasoning(m finalMessage) int {
	score := 5
	held, invented := 0, 0
	for id := range m.citations {
		if t.offered[id] {
			held++
		} else {
			invented++
		}
	}
	if m.answers() && len(t.offered) > 0 && held == 0 {
		score -= 2
	}
	if invented > 0 {
		score--
	}
	if t.failed > 0 {
		score--
	}
	if t.limited {
		score--
	}
	if m.empty {
		score = min(score, 2)
	}
	return max(1, score)
}

// toolChoice starts at 5. Off go 1 for each repeated call, failed call and guard's block,
// at most 2 for each kind, and 1 for more than eight calls.
func (t transcript) toolChoice() int {
	const many = 8
	score := 5 - min(2, t.repeated) - min(2, t.failed) - min(2, t.blocked)
	if t.actions > many {
		score--
	}
	return max(1, score)
}

// helpfulness is 5 for an answer on its line, 3 for a message without one, 4 for a
// refusal, 3 for an abstention, 1 for no message.
func (m finalMessage) helpfulness() int {
	switch {
	case m.empty:
		return 1
	case m.refuses:
		return 4
	case m.line && !m.abstains:
		return 5
	default:
		return 3
	}
}

// relevance goes by the share of the question's concepts that the message takes up: 5
// from a half, 4 from a quarter, 3 for any, 2 for none. A refusal or an abstention that
// takes up none has 3, an empty message 1.
func (m finalMessage) relevance(question, message string) int {
	if m.empty {
		return 1
	}
	asked, said := content(question), set(content(message))
	n := 0
	for _, c := range asked {
		if said[c] {
			n++
		}
	}
	switch {
	case 2*n >= len(asked):
		return 5
	case 4*n >= len(asked):
		return 4
	case n > 0 || !m.answers():
		return 3
	default:
		return 2
	}
}
