package checking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/schema"
	"github.com/seed-5817661a/concur/internal/text"
)

// evaluation is the checks of one trace in progress. It keeps what several checks need.
type evaluation struct {
	Subject
	texts [2]words // the message, and the answer
}

// text returns the text that a check reads; nil if there is no short answer.
func (e *evaluation) text(on checks.Subject) *words {
	if on != checks.OnAnswer {
		e.texts[0].what, e.texts[0].body = "message", e.Message
		return &e.texts[0]
	}
	if e.Answer == nil {
		return nil
	}
	e.texts[1].what, e.texts[1].body = "answer", *e.Answer
	return &e.texts[1]
}

// prepare returns the function that decides a check.
func prepare(c checks.Check) (func(context.Context, *evaluation) Result, error) {
	switch c.Kind {
	case checks.Any, checks.All:
		parts, err := Prepare(c.Parts)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, e *evaluation) Result { return group(c, parts, parts.results(ctx, e)) }, nil
	case checks.MaxSeconds:
		return func(_ context.Context, e *evaluation) Result { return atMost(e.Seconds, c.Limit, "seconds") }, nil
	case checks.MaxUSD:
		return func(_ context.Context, e *evaluation) Result { return atMost(e.USD, c.Limit, "US dollars") }, nil
	case checks.MaxTokens:
		return func(_ context.Context, e *evaluation) Result {
			if e.Tokens == nil {
				return atMost(nil, c.Limit, "tokens")
			}
			used := float64(*e.Tokens)
			return atMost(&used, c.Limit, "tokens")
		}, nil
	case checks.Exec, checks.Tests:
		return func(ctx context.Context, e *evaluation) Result { return e.outside(ctx, c, e.Message) }, nil
	}
	decide, err := ofText(c)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, e *evaluation) Result {
		t := e.text(c.On)
		if t == nil {
			return Decided(false, "there is no short answer")
		}
		r := decide(ctx, e, t)
		if c.Not && r.Pass != nil {
			pass := !*r.Pass
			r.Pass, r.Score = &pass, 1-r.Score
		}
		return r
	}, nil
}

// outside asks the subject's Outside.
func (e *evaluation) outside(ctx context.Context, c checks.Check, what string) Result {
	if e.Outside == nil {
		return Undecided("this command does not decide checks with %s", c.Kind)
	}
	return e.Outside(ctx, c, what)
}

// atMost decides a check of a figure.
func atMost(figure *float64, limit float64, unit string) Result {
	if figure == nil {
		return Undecided("the trace's %s are not known", unit)
	}
	if *figure <= limit {
		return Decided(true, fmt.Sprintf("%s of at most %s %s", number(*figure), number(limit), unit))
	}
	return Decided(false, fmt.Sprintf("%s %s are more than %s", number(*figure), unit, number(limit)))
}

// ofText returns the function that decides a check of a text, without its Not.
func ofText(c checks.Check) (func(context.Context, *evaluation, *words) Result, error) {
	switch c.Kind {
	case checks.Regex:
		expression, err := c.Regexp()
		if err != nil {
			return nil, err
		}
		return func(_ context.Context, _ *evaluation, t *words) Result {
			if at := expression.FindStringIndex(t.body); at != nil {
				return Decided(true, fmt.Sprintf("the %s has the match %s", t.what, quoted(t.body[at[0]:at[1]])))
			}
			return Decided(false, "the "+t.what+" has no match")
		}, nil
	case checks.IsJSON:
		wanted, err := c.Schema()
		if err != nil {
			return nil, err
		}
		return func(_ context.Context, _ *evaluation, t *words) Result { return isJSON(t, wanted) }, nil
	case checks.JSON:
		query, err := c.Query()
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, _ *evaluation, t *words) Result { return holdsFor(ctx, t, query) }, nil
	case checks.Similar:
		return func(ctx context.Context, e *evaluation, t *words) Result { return e.outside(ctx, c, t.body) }, nil
	case checks.StartsWith:
		return func(_ context.Context, _ *evaluation, t *words) Result {
			return ifHas(strings.HasPrefix(t.body, c.Text), "the %s begins with %s", "the %s does not begin with %s",
				t.what, c.Text)
		}, nil
	case checks.Equals:
		return equals(c)
	}
	return contains(c)
}

// contains decides the six kinds of contains.
func contains(c checks.Check) (func(context.Context, *evaluation, *words) Result, error) {
	folds := slices.Contains([]checks.Kind{checks.IContains, checks.IContainsAny, checks.IContainsAll}, c.Kind)
	wanted := c.Texts
	if c.Kind == checks.Contains || c.Kind == checks.IContains {
		wanted = []string{c.Text}
	}
	compared := wanted
	if folds {
		compared = make([]string, len(wanted))
		for i, w := range wanted {
			compared[i] = strings.ToLower(w)
		}
	}
	one := c.Kind == checks.ContainsAny || c.Kind == checks.IContainsAny
	return func(_ context.Context, _ *evaluation, t *words) Result {
		in := t.body
		if folds {
			in = t.fold()
		}
		for i, w := range compared {
			switch has := strings.Contains(in, w); {
			case has && (one || len(compared) == 1):
				return Decided(true, "the "+t.what+" contains "+quoted(wanted[i]))
			case !has && !one:
				return Decided(false, "the "+t.what+" does not contain "+quoted(wanted[i]))
			}
		}
		if one {
			return Decided(false, fmt.Sprintf("the %s contains none of %d texts", t.what, len(wanted)))
		}
		return Decided(true, fmt.Sprintf("the %s contains all %d texts", t.what, len(wanted)))
	}, nil
}

// equals compares a text with a text, without white space around both, or with a JSON value.
func equals(c checks.Check) (func(context.Context, *evaluation, *words) Result, error) {
	if c.Value == nil {
		wanted := strings.TrimSpace(c.Text)
		return func(_ context.Context, _ *evaluation, t *words) Result {
			return ifHas(strings.TrimSpace(t.body) == wanted, "the %s is %s", "the %s is not %s", t.what, wanted)
		}, nil
	}
	wanted, err := schema.Decode(c.Value)
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, _ *evaluation, t *words) Result {
		found, err := t.json()
		if err != nil {
			return Decided(false, err.Error())
		}
		return ifHas(gojq.Compare(found, wanted) == 0, "the %s has the value %s", "the %s has another value than %s",
			t.what, string(c.Value))
	}, nil
}

// isJSON decides whether a text is JSON, and valid by a schema unless that is nil.
func isJSON(t *words, wanted *schema.Schema) Result {
	if wanted == nil && t.value == nil { // the value is not needed
		if err := schema.Valid([]byte(t.body)); err != nil {
			return Decided(false, t.noJSON(err).Error())
		}
		return Decided(true, "the "+t.what+" is JSON")
	}
	value, err := t.json()
	switch {
	case err != nil:
		return Decided(false, err.Error())
	case wanted == nil:
		return Decided(true, "the "+t.what+" is JSON")
	}
	if problems := wanted.Check(value); len(problems) > 0 {
		return Decided(false, text.Clip(problems[0], 300))
	}
	return Decided(true, "the "+t.what+" is valid by the schema")
}

// holdsFor decides whether an expression of jq gives true for a text.
func holdsFor(ctx context.Context, t *words, query *checks.Query) Result {
	if n := len(t.body); n > checks.MaxInput {
		return Undecided("the %s has %d bytes, and an expression reads at most %d", t.what, n, checks.MaxInput)
	}
	value, err := t.json()
	if err != nil {
		return Decided(false, err.Error())
	}
	result, err := query.Run(ctx, value)
	switch {
	case errors.Is(err, checks.ErrStopped) || ctx.Err() != nil:
		return Undecided("the expression %v", err)
	case err != nil:
		return Decided(false, "the expression fails: "+text.Clip(err.Error(), 300))
	case result == true:
		return Decided(true, "the expression gives true")
	case result == nil:
		return Decided(false, "the expression gives null, or no result")
	}
	return Decided(false, "the expression gives "+text.Clip(gojqText(result), 200))
}

// gojqText returns a result of jq as JSON.
func gojqText(value any) string {
	raw, err := gojq.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(raw)
}

// ifHas returns a result with one of two reasons, yes or no. The reason also names the text that was searched
// (what) and the text that was looked for (wanted).
func ifHas(pass bool, yes, no, what, wanted string) Result {
	reason := no
	if pass {
		reason = yes
	}
	return Decided(pass, fmt.Sprintf(reason, what, quoted(wanted)))
}

// quoted returns the beginning of a text in quotation marks.
func quoted(s string) string { return fmt.Sprintf("%q", text.Clip(s, 100)) }
