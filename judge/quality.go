package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

// Quality judges how a trace reached its final message: its reasoning, its choice of tools,
// its helpfulness and relevance (docs/method.md §7.2). It does not see the gold.
type Quality struct{ Settings }

// QualityJudgement is the quality judge's result for one trace. Scores are nil if the model gave no usable
// reply.
type QualityJudgement struct {
	Trace     int            `json:"trace"`
	Score     *int           `json:"score"` // 1..5, overall
	Scores    *QualityScores `json:"scores"`
	Verdict   Verdict        `json:"verdict"`  // correct if the score is at least the threshold
	Repeats   []Opinion      `json:"repeats"`  // of a borderline trace, the first opinion included; nil if asked once
	Canaries  *CanaryResult  `json:"canaries"` // nil if none were asked
	Flags     []string       `json:"flags"`    // phrases of the message that address a judge or look like an injection
	Judge     string         `json:"judge"`
	Prompt    string         `json:"prompt"`
	Threshold int            `json:"threshold"`
	Effort
}

// QualityScores are the four parts, each 1..5.
type QualityScores struct {
	Reasoning   int `json:"reasoning"`
	ToolChoice  int `json:"tool_choice"`
	Helpfulness int `json:"helpfulness"`
	Relevance   int `json:"relevance"`
}

// Judge judges a trace by its events, which include the conclusion. It does not ask the model in two cases: a
// trace that an infrastructure failure ended is unscored, and a trace without a final message because the agent
// failed has the score 1. Judge returns the error of Validate, or of ctx.
func (j *Quality) Judge(ctx context.Context, q datasets.Query, events []trace.Event) (out QualityJudgement, err error) {
	defer func() {
		if err != nil {
			out, err = QualityJudgement{}, fmt.Errorf("judge quality of query %s: %w", q.ID, err)
		}
	}()
	if err := j.Validate(); err != nil {
		return out, err
	}
	end, index := conclusion(events)
	out = QualityJudgement{
		Trace: index, Flags: flagsOf(end.Message), Judge: j.Name, Prompt: j.version(QualityPromptVersion),
		Threshold: j.threshold(),
	}
	switch {
	case end.Outcome == trace.Infra:
		out.Verdict = notEnded
		return out, nil
	case end.Outcome == trace.NoAnswer && strings.TrimSpace(asking.Visible(end.Message)) == "":
		out.Score = new(1)
		out.Verdict = Verdict{Incorrect, ByQuality, "no final message"}
		return out, nil
	}
	valid, err := j.onProbation(ctx, "quality", j.version(QualityPromptVersion), canaries().Quality, j.tried,
		&out.Canaries, &out.Verdict)
	if !valid {
		return out, err
	}
	transcript := Transcript(events)
	key := asking.DigestOf("quality", j.Name, j.version(QualityPromptVersion), strconv.Itoa(DefaultThreshold), q.Text,
		transcript, end.Message)
	find := func() (QualityJudgement, bool, error) { return j.settle(ctx, q, transcript, end.Message, key, out) }
	found, err := j.cache().quality.Get(ctx,
		asking.DigestOf(string(key[:]), strconv.Itoa(j.Repeats), strconv.Itoa(j.threshold())), find)
	found.Trace = out.Trace // equal traces share a judgement
	return found, err
}

// settle asks the model. If the score is borderline, it asks again and returns the judgement with the median
// score.
func (j *Quality) settle(
	ctx context.Context, q datasets.Query, transcript, message string, key asking.Digest, out QualityJudgement,
) (QualityJudgement, bool, error) {
	first, keep, err := j.grade(ctx, q, transcript, message, key, out)
	if err != nil {
		return first, false, err
	}
	asked := []QualityJudgement{first}
	opinions, err := j.again(first.Verdict.opinion(j.Name, first.Score), isBorderline(first.Score, out.Threshold),
		func(n int) (Opinion, error) {
			next, kept, err := j.grade(ctx, q, transcript, message,
				asking.DigestOf(string(key[:]), "again", strconv.Itoa(n)), out)
			keep = keep && kept
			if next.Score != nil {
				asked = append(asked, next)
			}
			first.Effort.add(next.Effort)
			return next.Verdict.opinion(j.Name, next.Score), err
		})
	if err != nil || opinions == nil {
		return first, keep, err
	}
	slices.SortStableFunc(asked, func(a, b QualityJudgement) int { return cmp.Compare(*a.Score, *b.Score) })
	median := asked[(len(asked)-1)/2]
	median.Effort, median.Repeats = first.Effort, opinions
	return median, keep, nil
}

// grade asks the model. keep is false for results that must not be cached.
func (j *Quality) grade(
	ctx context.Context, q datasets.Query, transcript, message string, key asking.Digest, out QualityJudgement,
) (_ QualityJudgement, keep bool, _ error) {
	request := j.request("quality", q.ID, out.Trace, asking.LongReply, key, QualitySchema,
		asking.Data("question", q.Text, maxQuestion), asking.Data("transcript", transcript,
			2*maxTranscript), asking.Data("final message", message, maxMessage))
	g, keep, err := askModel(ctx, j.Settings, j.token(out.Canaries), request, readQuality, &out.Effort, &out.Verdict)
	if g == nil {
		return out, keep, err
	}
	out.Score, out.Scores = &g.score, &g.scores
	out.Verdict = Verdict{RulingOf(g.score >= out.Threshold), ByQuality,
		fmt.Sprintf("score %d, %d needed", g.score, out.Threshold)}
	return out, true, nil
}

// QualityPromptVersion changes with every change of the prompt.
const QualityPromptVersion = "quality/v3"

// QualitySchema is the name of the reply's schema.
const QualitySchema = "concur_quality_v1"

const maxMessage = 8 << 10 // bytes of the final message

// quality is the model's reply.
type quality struct {
	scores QualityScores
	score  int
}

func readQuality(text string) (out quality, err error) {
	targets := map[string]any{
		"reasoning": &out.scores.Reasoning, "tool_choice": &out.scores.ToolChoice,
		"helpfulness": &out.scores.Helpfulness, "relevance": &out.scores.Relevance, "score": &out.score,
	}
	if err := asking.ReadInto(text, targets); err != nil {
		return out, err
	}
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		if err := inRange(name, *targets[name].(*int), 1, 5); err != nil {
			return out, err
		}
	}
	parts := []int{out.scores.Reasoning, out.scores.ToolChoice, out.scores.Helpfulness, out.scores.Relevance}
	if out.score < slices.Min(parts) || out.score > slices.Max(parts) {
		return out, errors.New("the reply is inconsistent: the overall score is outside the range of its parts")
	}
	return out, nil
}
