package checking

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/judge"
)

// Subject is the data that the checks of a query need: the texts and the figures of one trace.
type Subject struct {
	Message string  // the final message
	Answer  *string // the short answer; nil if the trace has no answer
	// Seconds is the duration of the trace, USD its cost, Tokens the tokens that it used, in and out. Each is nil if
	// it is unknown.
	Seconds, USD *float64
	Tokens       *int
	// Outside decides the checks that need a program or a model; nil if there is no such check.
	Outside Outside
}

// Outside decides a check of the kinds Exec, Tests and Similar. text is what the check reads. The result has no name,
// and takes the check's threshold into account, but not its Not.
type Outside func(ctx context.Context, c checks.Check, text string) Result

// Result says what one check says of a trace.
type Result struct {
	Check string `json:"check"` // the check in words, see checks.Check.String
	// Pass is whether the check holds; nil if that could not be decided.
	Pass   *bool    `json:"pass"`
	Score  float64  `json:"score"`           // 0 to 1; 0 if Pass is nil
	Reason string   `json:"reason"`          // why it holds, fails, or could not be decided
	Idle   bool     `json:"idle,omitempty"`  // the weight is 0: the check decides nothing
	Parts  []Result `json:"parts,omitempty"` // of a group
	// Key is a hash of everything that the result of a program or a model depends on; "" for others.
	Key string `json:"key,omitempty"`
	// Unsteady reports that a program answered the same message differently when it was asked twice.
	Unsteady bool `json:"unsteady,omitempty"`
	// Forgeable reports that the result comes from the interpreter of the program that the agent wrote, which could have
	// made it.
	Forgeable bool `json:"forgeable,omitempty"`
}

// Decided returns the result of a check that holds with a score of 1, or fails with 0.
func Decided(pass bool, reason string) Result {
	r := Result{Pass: &pass, Reason: reason}
	if pass {
		r.Score = 1
	}
	return r
}

// Undecided returns the result of a check that could not be decided.
func Undecided(format string, args ...any) Result {
	return Result{Reason: fmt.Sprintf(format, args...)}
}

// longestName is the maximum length of Result.Check in bytes.
const longestName = 200

// List is the checks of a query, with their expressions compiled. It is safe for concurrent use.
type List struct{ parts []prepared }

// prepared is one check that is ready to be decided.
type prepared struct {
	name   string
	idle   bool
	weight float64
	decide func(context.Context, *evaluation) Result
}

// Prepare compiles the expressions of checks. It returns the error of the first expression that is not valid.
// Checks that were read from a file have valid expressions.
func Prepare(list []checks.Check) (*List, error) {
	l := &List{}
	for _, c := range list {
		decide, err := prepare(c)
		if err != nil {
			return nil, fmt.Errorf("check %s: %w", c.Name(), err)
		}
		name := c.String()
		if len(name) > longestName {
			name = strings.ToValidUTF8(name[:longestName], "") + "…"
		}
		l.parts = append(l.parts, prepared{name, c.Weighs() == 0, c.Weighs(), decide})
	}
	return l, nil
}

// Check decides all checks for a trace. The error is that of ctx.
func (l *List) Check(ctx context.Context, s Subject) ([]Result, error) {
	results := l.results(ctx, &evaluation{Subject: s})
	return results, ctx.Err()
}

func (l *List) results(ctx context.Context, e *evaluation) []Result {
	results := make([]Result, len(l.parts))
	for i, p := range l.parts {
		results[i] = p.decide(ctx, e)
		results[i].Check, results[i].Idle = p.name, p.idle
	}
	return results
}

// Verdict returns the verdict of all checks of a query on a trace. It is incorrect if a check fails. Otherwise
// it is unscored if a check could not be decided, and else correct. Its reason names the first such check.
func Verdict(results []Result) judge.Verdict {
	count := 0
	for i, r := range results {
		if r.Pass != nil && !*r.Pass && !r.Idle {
			return judge.Verdict{Verdict: judge.Incorrect, By: judge.ByChecks, Reason: naming(i, r)}
		}
		if !r.Idle {
			count++
		}
	}
	for i, r := range results {
		if r.Pass == nil && !r.Idle {
			return judge.Verdict{Verdict: judge.Unscored, By: judge.ByChecks, Reason: naming(i, r)}
		}
	}
	reason := "the check holds"
	if count != 1 {
		reason = fmt.Sprintf("all %d checks hold", count)
	}
	return judge.Verdict{Verdict: judge.Correct, By: judge.ByChecks, Reason: reason}
}

// naming names the i-th check, and says why it fails.
func naming(i int, r Result) string {
	return fmt.Sprintf("check %d, %s: %s", i+1, r.Check, r.Reason)
}

// Key returns the class of a message in a vote by checks: the verdict of the checks, and the numbers of those that
// hold. A check that could not be decided has a question mark.
func Key(ruling judge.Ruling, results []Result) string {
	var b strings.Builder
	b.WriteString("checks:" + string(ruling))
	separator := ":"
	for i, r := range results {
		if r.Idle || r.Pass != nil && !*r.Pass {
			continue
		}
		b.WriteString(separator + strconv.Itoa(i+1))
		if separator = ","; r.Pass == nil {
			b.WriteByte('?')
		}
	}
	return b.String()
}

// Unsteady returns the checks whose programs gave different results on the same message. It includes checks
// inside groups.
func Unsteady(results []Result) (out []string) {
	for _, r := range results {
		if r.Unsteady {
			out = append(out, r.Check)
		}
		out = append(out, Unsteady(r.Parts)...)
	}
	return out
}

// Failed returns why the program or the model of a check that counts gave no result, also in a group; "" without such
// a check. A program that answers differently counts as well.
func Failed(results []Result) string {
	for _, r := range results {
		switch {
		case r.Pass != nil || r.Idle:
		case r.Key != "":
			return r.Reason
		default:
			if reason := Failed(r.Parts); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// classKey matches a key of Key.
var classKey = lazy.Compile(`(^|/ )checks:(correct|incorrect|unscored)(:[0-9?,]+)?( /|$)`)

// Class returns a key of Key in words, such as "incorrect, checks 1,3 hold"; any other key unchanged. The key of a
// conversation has the keys of its turns, separated by " / ".
func Class(key string) string {
	if !classKey.MatchString(key) {
		return key
	}
	parts := strings.Split(key, " / ")
	for i, p := range parts {
		parts[i] = class(p)
	}
	return strings.Join(parts, " / ")
}

func class(key string) string {
	rest, is := strings.CutPrefix(key, "checks:")
	ruling, held, some := strings.Cut(rest, ":")
	switch {
	case !is:
		return key
	case !some:
		return ruling + ", no check holds"
	case strings.Contains(held, ","):
		return ruling + ", checks " + held + " hold"
	}
	return ruling + ", check " + held + " holds"
}

// group decides an Any or an All from the results of its parts. Parts with the weight 0 decide nothing. Parts that
// could not be decided may have any score: the group is decided if none of these scores would change it.
func group(c checks.Check, l *List, results []Result) Result {
	low, high, total := 0.0, 0.0, 0.0
	best, open, failed, count := 0.0, "", "", 0
	held := ""
	for i, r := range results {
		if r.Idle {
			continue
		}
		count++
		weight := l.parts[i].weight
		total += weight
		low, high = low+weight*r.Score, high+weight*r.Score
		best = max(best, r.Score)
		switch {
		case r.Pass == nil:
			high += weight
			open = cmp.Or(open, naming(i, r))
		case *r.Pass:
			held = cmp.Or(held, r.Check)
		default:
			failed = cmp.Or(failed, naming(i, r))
		}
	}
	out := Result{Parts: results}
	decided := func(pass bool, score float64, reason string) Result {
		out.Pass, out.Score, out.Reason = &pass, score, reason
		return out
	}
	if total > 0 {
		low, high = low/total, high/total
	}
	switch {
	case count == 0:
		return decided(true, 1, "all its checks have the weight 0")
	case c.Kind == checks.Any && held != "":
		return decided(true, best, held+" holds")
	case c.Kind == checks.All && c.Threshold > 0 && low >= c.Threshold:
		return decided(true, low, fmt.Sprintf("the mean score %s reaches %s", number(low), number(c.Threshold)))
	case c.Kind == checks.All && c.Threshold > 0 && high < c.Threshold:
		return decided(false, low, fmt.Sprintf("the mean score %s is below %s; %s", number(low), number(c.Threshold), failed))
	case c.Kind == checks.All && c.Threshold == 0 && failed != "":
		return decided(false, low, failed)
	case open != "":
		out.Reason = open
		return out
	case c.Kind == checks.Any:
		return decided(false, best, "none of its checks holds; "+failed)
	}
	return decided(true, low, "all its checks hold")
}

// number formats a score, a limit or a figure.
func number(f float64) string {
	if math.Abs(f) >= 1000 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', 4, 64)
}
