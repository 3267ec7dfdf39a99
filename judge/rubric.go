package judge

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

const (
	RubricPromptVersion = "rubric/v2"        // changes with every change of the prompt
	RubricSchema        = "concur_rubric_v1" // the name of the reply's schema
)

// Item is one yes-or-no question of a rubric.
type Item struct {
	ID       string
	Ask      string // a question to be answered yes or no
	Evidence bool   // the reply must quote the part of the trace that supports it
}

// Rubric asks a model yes-or-no questions about a trace, one call each.
type Rubric struct {
	Settings
	Items []Item
}

// RubricJudgement is the answer to one question about one trace. Verdict is correct for yes.
type RubricJudgement struct {
	Item    string  `json:"item"`
	Trace   int     `json:"trace"`
	Verdict Verdict `json:"verdict"`
	// Quote is the part of the trace that the judge quotes. Entry names the entry of the transcript
	// that contains it, such as "step 2 observation". Both are "" without a quotation.
	Quote    string        `json:"quote"`
	Entry    string        `json:"entry"`
	LeftOut  int           `json:"left_out"` // entries omitted because the trace is too long
	Judge    string        `json:"judge"`
	Canaries *CanaryResult `json:"canaries,omitempty"` // nil if none were asked
	Prompt   string        `json:"prompt"`
	Effort
}

// rubricReply is the model's reply.
type rubricReply struct {
	quote, reason string
	holds         bool
}

func readRubric(text string) (out rubricReply, err error) {
	err = asking.ReadInto(text, map[string]any{"quote": &out.quote, "reason": &out.reason, "holds": &out.holds})
	return out, err
}

// Judge answers every question of the rubric for a trace. A question is unscored if its reply cannot be read or
// quotes words that are not in the trace. All questions are unscored if an infrastructure failure ended the
// trace, or the model got a canary wrong. Judge returns the error of Validate, or of ctx.
func (r *Rubric) Judge(ctx context.Context, q datasets.Query, events []trace.Event) ([]RubricJudgement, error) {
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("judge query %s by the rubric: %w", q.ID, err)
	}
	end, index := conclusion(events)
	text, leftOut := transcript(events)
	var out []RubricJudgement
	for _, item := range r.Items {
		j := RubricJudgement{Item: item.ID, Trace: index, LeftOut: leftOut, Judge: r.Name,
			Prompt: r.version(RubricPromptVersion)}
		if end.Outcome == trace.Infra {
			j.Verdict = notEnded
			out = append(out, j)
			continue
		}
		valid, err := r.onProbation(ctx, "rubric", r.version(RubricPromptVersion)+" "+RubricCanariesVersion(),
			rubricCanaries().Rubric, r.tried, &j.Canaries, &j.Verdict)
		if err != nil {
			return nil, fmt.Errorf("judge query %s by the rubric: %w", q.ID, err)
		}
		if !valid {
			out = append(out, j)
			continue
		}
		key := asking.DigestOf("rubric", r.Name, r.version(RubricPromptVersion), item.Ask, fmt.Sprint(item.Evidence),
			q.Text, text, end.Message)
		found, err := r.cache().rubric.Get(ctx, key,
			func() (RubricJudgement, bool, error) { return r.answer(ctx, q, item, text, end.Message, key, j) })
		if err != nil {
			return nil, fmt.Errorf("judge query %s by the rubric: %w", q.ID, err)
		}
		found.Item, found.Trace = item.ID, index // equal traces share a judgement
		out = append(out, found)
	}
	return out, nil
}

// answer asks the model one question. keep is false for results that must not be cached.
func (r *Rubric) answer(
	ctx context.Context, q datasets.Query, item Item, transcript, message string,
	key asking.Digest, out RubricJudgement,
) (_ RubricJudgement, keep bool, _ error) {
	request := r.request("rubric", q.ID, out.Trace, asking.LongReply, key, RubricSchema,
		asking.Data("question", q.Text, maxQuestion), asking.Data("transcript", transcript, 2*maxTranscript),
		asking.Data("final message", message, maxMessage), asking.Data("point to check", item.Ask, maxQuestion))
	v, keep, err := askModel(ctx, r.Settings, r.token(out.Canaries), request, readRubric, &out.Effort, &out.Verdict)
	if v == nil {
		return out, keep, err
	}
	out.Quote = asking.Cut(asking.Visible(v.quote), maxEntry)
	found := false
	out.Entry, found = entryOf(v.quote, transcript, message)
	switch {
	case strings.TrimSpace(v.quote) != "" && !found:
		out.Verdict = Verdict{Unscored, ByJudge, "the judge quotes text that is not in the trace"}
	case !found && item.Evidence:
		out.Verdict = Verdict{Unscored, ByJudge, "the judge quotes nothing, but this question needs evidence"}
	default:
		out.Verdict = Verdict{RulingOf(v.holds), ByRubric, v.reason}
	}
	return out, true, nil
}

// entryOf finds a quotation in one entry of the transcript or in the final message, and returns the
// name of the place. It ignores differences in white space.
func entryOf(quote, transcript, message string) (entry string, found bool) {
	words := strings.Join(strings.Fields(asking.Visible(quote)), " ")
	if words == "" {
		return "", false
	}
	in := func(text string) bool {
		return strings.Contains(strings.Join(strings.Fields(asking.Visible(text)), " "), words)
	}
	for _, e := range strings.Split(strings.ReplaceAll(transcript, "\n    ", " "), "\n") {
		if in(e) {
			name, _, _ := strings.Cut(e, ":")
			return name, true
		}
	}
	return "final message", in(message)
}
