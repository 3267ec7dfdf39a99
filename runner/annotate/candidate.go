package annotate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/gain"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/tool"
)

// Candidate is a call that was proposed for a text, with its result and its losses.
type Candidate struct {
	Text        string   `json:"text_id"`
	Tool        string   `json:"tool"`
	Position    int      `json:"position"`    // in bytes
	Probability *float64 `json:"probability"` // of " [" at the position
	Call        string   `json:"call"`
	Result      string   `json:"result"`
	// With is the loss of the text that follows behind the call with its result, in nats. Without is the smaller one of
	// NoCall and Empty, behind nothing and behind the call without its result. Gain is Without - With. They are nil if
	// the call has no losses.
	With    *float64 `json:"loss_with"`
	Without *float64 `json:"loss_without"`
	NoCall  *float64 `json:"loss_no_call"`
	Empty   *float64 `json:"loss_empty_result"`
	Gain    *float64 `json:"gain"`
	Tokens  int      `json:"tokens"`    // that were weighed
	Reason  string   `json:"reason"`    // why it was dropped
	Output  string   `json:"annotated"` // the text with the call; only of a call that is kept
}

// Reasons for which a candidate is dropped. The reason of a failed call has its kind in addition.
const (
	reasonGain    = "gain below tau_f"
	reasonOther   = "another call of the text has a larger gain"
	reasonCall    = "the call cannot be read"
	reasonFailed  = "the call failed"
	reasonEmpty   = "the result is empty"
	reasonForm    = "the result has a bracket or an arrow"
	reasonLong    = "the result is too long"
	reasonAttack  = "the result looks like an attack"
	reasonNoToken = "no token begins at the same place behind each prefix"
	reasonEnd     = "no text follows"
	reasonScorer  = "the scorer refused the text"
)

// Limits of the texts that a scorer gets, in bytes. Five tokens are weighed, so that little of the following text is
// needed.
const (
	maxBefore    = 4 << 10
	maxFollowing = 256
	maxResult    = 240
)

// examine runs a proposed call, and scores the following text.
func (a *annotator) examine(ctx context.Context, t Tool, in Text, p Proposal) (Candidate, error) {
	c := Candidate{Text: in.ID, Tool: t.Name, Position: p.Position, Probability: p.Probability, Call: p.Call,
		Reason: p.Problem}
	if c.Reason != "" {
		return c, nil
	}
	if c.Result, c.Reason = a.run(ctx, t, in, p); c.Reason != "" {
		return c, context.Cause(ctx)
	}
	losses, reason, err := a.losses(ctx, in, c)
	if c.Reason = reason; err != nil || reason != "" {
		return c, err
	}
	with, none, empty, g := losses.Result, losses.NoCall, losses.Empty, losses.Gain()
	without := min(none, empty)
	c.With, c.NoCall, c.Empty, c.Without, c.Gain, c.Tokens = &with, &none, &empty, &without, &g, losses.Tokens
	if !gain.Reaches(g, t.TauF) {
		c.Reason = reasonGain
	}
	return c, nil
}

// run runs a call under the guards of the agent: the check of its arguments, the time limit, the scan for attacks and
// the cleaning of its result.
func (a *annotator) run(ctx context.Context, t Tool, in Text, p Proposal) (result, reason string) {
	if !in.Date.IsZero() {
		ctx = tool.WithDay(ctx, in.Date)
	}
	r := a.Registry.Invoke(ctx, model.ToolCall{ID: "1", Name: t.Name, Arguments: p.Arguments}, a.Timeout)
	if r.Failure != tool.NoFailure {
		return "", reasonFailed + ": " + r.Kind
	}
	shown := shortResult(r.Output)
	if inject.Scan(shown, inject.ToolOutput).Flagged {
		return "", reasonAttack
	}
	shown, _ = inject.Sanitise(shown)
	shown = strings.Join(strings.Fields(shown), " ")
	if t.Paper == "Calculator" {
		shown = groupedAs(in.Text, shown)
	}
	switch {
	case shown == "":
		return "", reasonEmpty
	case strings.ContainsAny(shown, "[]"), strings.Contains(shown, dialect.Arrow), strings.Contains(shown, "->"):
		return "", reasonForm
	case len(shown) > maxResult:
		return "", reasonLong
	}
	return shown, ""
}

// shortResult returns what a text shows of a tool's output: the value of an object with one value, the first document,
// or the whole object. A document is cut.
func shortResult(o tool.Output) string {
	if len(o.Documents) > 0 {
		d := o.Documents[0]
		title := strings.TrimSpace(d.Title)
		return strings.TrimSpace(strings.NewReplacer("[", "(", "]", ")").Replace(
			text.Clip(strings.Trim(title+": "+d.Snippet, ": "), maxResult-4)))
	}
	if len(o.Object) == 1 {
		for _, value := range o.Object {
			return fmt.Sprint(value)
		}
	}
	raw, err := o.Render(nil)
	if err != nil || len(o.Object) == 0 {
		return ""
	}
	return string(raw)
}

// groupedAs writes an integer with the commas that the numbers of a text have, because a model reads other tokens
// without them.
func groupedAs(in, value string) string {
	digits := strings.TrimPrefix(value, "-")
	if len(digits) < 4 || strings.Trim(digits, "0123456789") != "" || !groups.MatchString(in) {
		return value
	}
	out := ""
	for len(digits) > 3 {
		out, digits = ","+digits[len(digits)-3:]+out, digits[:len(digits)-3]
	}
	return value[:len(value)-len(strings.TrimPrefix(value, "-"))] + digits + out
}

// losses scores the text that follows a call behind the three prefixes. As in the paper, the call comes before the
// text so far, and not within it, because the scorer has not learnt to read calls within texts.
func (a *annotator) losses(ctx context.Context, in Text, c Candidate) (l gain.Losses, reason string, err error) {
	before, following := in.Text[:c.Position], in.Text[c.Position:]
	if strings.TrimSpace(following) == "" {
		return l, reasonEnd, nil
	}
	before, following = lastBytes(before, maxBefore), firstBytes(following, maxFollowing)
	call := "[" + c.Call + " " + dialect.Arrow
	var scores [3]model.Scores
	group, within := errgroup.WithContext(ctx)
	for i, prefix := range []string{call + " " + c.Result + "] " + before, before, call + "] " + before} {
		group.Go(func() (err error) {
			scores[i], err = a.score(within, model.ScoreRequest{Prefix: prefix, Text: following,
				Identity: model.Identity{Query: c.Text, Step: i, Purpose: model.Scoring, Task: c.Call}})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		switch model.KindOf(err) {
		case model.ErrContextOverflow, model.ErrBadRequest, model.ErrContentFilter, model.ErrMalformed:
			return l, reasonScorer, nil
		}
		return l, "", err
	}
	l, err = gain.Of(scores[0].Tokens, scores[1].Tokens, scores[2].Tokens)
	switch {
	case errors.Is(err, gain.ErrNoToken):
		return l, reasonNoToken, nil
	case err != nil: // the scorer does not do what its interface says
		return l, reasonScorer, nil
	}
	return l, "", nil
}

// score sends a request to the scorer, if the limit of requests allows it.
func (a *annotator) score(ctx context.Context, req model.ScoreRequest) (model.Scores, error) {
	if err := a.admit(); err != nil {
		return model.Scores{}, err
	}
	return a.Scorer.Score(ctx, req)
}

// DefaultTimeout is the time limit of a tool's call.
const DefaultTimeout = 30 * time.Second

// lastBytes returns the last n bytes of a text, from the beginning of a character.
func lastBytes(in string, n int) string {
	if len(in) <= n {
		return in
	}
	in = in[len(in)-n:]
	for in != "" && !utf8.RuneStart(in[0]) {
		in = in[1:]
	}
	return in
}

// firstBytes returns the first n bytes of a text at most, up to the last space.
func firstBytes(in string, n int) string {
	if len(in) <= n {
		return in
	}
	in = in[:n]
	if space := strings.LastIndexByte(in, ' '); space > 0 {
		return in[:space]
	}
	return strings.ToValidUTF8(in, "")
}
