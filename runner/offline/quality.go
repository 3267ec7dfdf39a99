package offline

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/datasets/answer"
)

type qualityReply struct {
	Reasoning   int `json:"reasoning"`
	ToolChoice  int `json:"tool_choice"`
	Helpfulness int `json:"helpfulness"`
	Relevance   int `json:"relevance"`
	Score       int `json:"score"`
}

// atMost is the maximum score of an answer whose form shows that the answer is not reliable.
const atMost = 2

// ruleQuality grades the form of an agent's work. It counts things in the transcript and the final message.
// docs/offline-model.md has the table.
func ruleQuality(b blocks) (any, error) {
	d, err := b.need("question", "transcript", "final message")
	if err != nil {
		return nil, err
	}
	w := readWork(d[1], d[2])
	r := qualityReply{w.reasoning(), w.toolChoice(), w.helpfulness(), w.relevance(d[0]), 0}
	r.Score = (r.Reasoning + r.ToolChoice + r.Helpfulness + r.Relevance) / 4
	if r.Reasoning <= atMost {
		r.Score = min(r.Score, atMost)
	}
	return r, nil
}

// transcriptCounts has the counts of a transcript and a final message.
type transcriptCounts struct {
	repeated       int
	failed         int               // number of observations that report an error
	blocked        int               // number of calls that a guard blocked, and of replies with a form that it rejected
	shown          map[string]string // texts of documents in observations, by id
	computed       []string          // results of the calculator
	message, short string            // the final message and its answer line
	outcome        string            // answered, refused or abstained; empty without a message
	cited          string            // the text of the shown documents that the message cites
	invented       bool              // the message cites a document that was not shown
}

var entry = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^step \d+ (action|observation|guard|end|thought): (.*)$`)
})

var shownDocument = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ *\[([A-Za-z0-9_.:/-]+)\] (.*)`)
})

// readWork reads a transcript. An entry begins with a line "step N kind: text". Other lines belong to the entry
// before them.
func readWork(transcript, message string) transcriptCounts {
	w := transcriptCounts{shown: map[string]string{}, message: message}
	sent := map[string]bool{}
	kind := ""
	for line := range strings.Lines(transcript) {
		line = strings.TrimRight(line, "\n")
		if m := entry().FindStringSubmatch(line); m != nil {
			kind, line = m[1], m[2]
		}
		switch {
		case kind == "action":
			if sent[line] {
				w.repeated++
			}
			sent[line] = true
		case kind == "observation" && strings.HasPrefix(line, "ERROR:"):
			w.failed++
		case kind == "observation":
			if m := shownDocument().FindStringSubmatch(line); m != nil {
				w.shown[m[1]] += " " + m[2]
			} else if v, ok := (observation{text: line}).value(); ok {
				w.computed = append(w.computed, v)
			}
		case kind == "guard" && (strings.HasSuffix(line, ", block") || strings.HasSuffix(line, ", reject")):
			w.blocked++
		case kind == "end":
			if ended, _, _ := strings.Cut(line, " "); ended == "refused" || ended == "abstained" {
				w.outcome = ended // a rule of the harness may have set the outcome
			}
		}
	}
	if strings.TrimSpace(w.message) != "" {
		w.outcome = "answered"
	}
	for line := range strings.Lines(w.message) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), answerMark); ok {
			w.short = strings.TrimSpace(rest)
		}
	}
	switch w.short {
	case refusal:
		w.outcome = "refused"
	case abstention:
		w.outcome = "abstained"
	}
	for id := range cited(w.message) {
		w.cited += w.shown[id]
		w.invented = w.invented || w.shown[id] == ""
	}
	return w
}

// reasoning returns 5 for an answer that a cited document contains or the calculator returned, and 3 for an
// answer that no cited document contains. It returns 2 if no document was shown, if no shown document is
// cited, or if there is no final message. From 5 or 3 it subtracts 1 if the answer cites a document that was
// not shown, and 1 if a call failed.
func (w *transcriptCounts) reasoning() int {
	score := 5
	computed := slices.ContainsFunc(w.computed, func(v string) bool { return answer.ContainsTokens(w.short, v) })
	switch {
	case w.outcome == "", w.outcome == "answered" && w.cited == "" && (!computed || len(w.shown) > 0):
		return atMost
	case w.outcome == "answered" && !computed && share(w.short, w.cited) < 1:
		score = 3
	}
	if w.invented {
		score--
	}
	return score - min(1, w.failed)
}

// share returns the share of a text's concepts that also occur in another text. It is 1 if the text has no
// concepts.
func share(text, in string) float64 {
	said := concepts(wordsOf(in))
	asked, n := concepts(wordsOf(text)), 0
	for _, c := range asked {
		if slices.Contains(said, c) {
			n++
		}
	}
	if len(asked) == 0 {
		return 1
	}
	return float64(n) / float64(len(asked))
}

// toolChoice starts at 5. It subtracts 1 for each repeated call, for each failed call, and for each call that a
// guard blocked. For each of these three kinds it subtracts at most 2.
func (w *transcriptCounts) toolChoice() int {
	return max(1, 5-min(2, w.repeated)-min(2, w.failed)-min(2, w.blocked))
}

// helpfulness returns 5 for an answer on the answer line, 4 for a refusal, 3 for an abstention or a missing
// answer line, and 1 if there is no message.
func (w *transcriptCounts) helpfulness() int {
	switch {
	case w.outcome == "":
		return 1
	case w.outcome == "refused":
		return 4
	case w.outcome == "abstained", w.short == "":
		return 3
	}
	return 5
}

// relevance returns 2 to 5, by the share of the question's words that the message and its cited documents
// contain; 5 means a share of at least four fifths. For a refusal or an abstention it returns at least 3. If
// there is no message, it returns 1.
func (w *transcriptCounts) relevance(question string) int {
	least := map[string]int{"": 1, "answered": 2}[w.outcome]
	if least == 1 {
		return least
	}
	return max(cmp.Or(least, 3), min(5, 1+int(5*share(question, w.message+" "+w.cited))))
}
