package learn

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/store"
)

const (
	// DefaultLevel is the significance level for the tests of all sequences of a run, after Holm's adjustment.
	DefaultLevel = 0.05
	// fewest is the minimum number of traces for a lesson.
	fewest = 3
	// ownShare is the minimum difference of shares for a word to describe a category: the share of the
	// category's questions with the word, minus the largest share in any other category.
	ownShare = 0.5
)

// Lesson has the findings of a reflector in a run.
type Lesson struct {
	Operations []playbook.Operation
	Learned    playbook.Learned
	// Dropped counts operations that were dropped because their text contains a gold answer.
	Dropped int
	Tested  int // number of compared sequences
	// Nameless lists categories that no word describes, so that a bullet could not say when it applies.
	Nameless []string
}

// Draft makes drafts of the bullets that the lesson adds.
func (l *Lesson) Draft() {
	for i := range l.Operations {
		if l.Operations[i].Type == playbook.Add {
			l.Operations[i].Stage = playbook.Draft
		}
	}
}

// usage counts a sequence in the traces of a category.
type usage struct {
	category    string
	tools       []string
	right, with int // right traces with the sequence, and all traces with it
	others      int // right traces without the sequence
	without     int
	steps       int // fewest steps of a right trace with the sequence
	origin      []playbook.Origin
	rightly     int // queries with a right trace with the sequence
	wrongly     int // queries where only wrong traces have the sequence
}

// Sequence learns from a run without a model. For each category of queries it compares traces with a sequence
// of tools with those without it, by Fisher's exact test (two-sided, Holm's adjustment over all sequences).
// It keeps sequences that occur in three or more traces and reach the level. The test assumes that traces are
// independent. This is not exact, because K traces share a query, so the level is nominal. An error of the
// same tool and kind in three or more traces becomes a pitfall.
func Sequence(run *store.Run, o Options) (*Lesson, error) {
	questions, err := read(run, o)
	if err != nil {
		return nil, err
	}
	l := &Lesson{Learned: playbook.Learned{Run: run.Manifest.Run, Reflector: "sequence/" + string(o.Labels)}}
	for _, q := range questions {
		l.Learned.Queries = append(l.Learned.Queries, q.Query)
	}
	uses := sequences(questions)
	l.Tested = len(uses)
	p := make([]float64, len(uses))
	for i, u := range uses {
		p[i], _ = stats.Fisher(u.right, u.with, u.others, u.without)
	}
	adjusted, _ := stats.Holm(p)
	words := ownWords(questions)
	level := cmp.Or(o.Level, DefaultLevel)
	var found []playbook.Operation
	for i, u := range uses {
		if u.with < fewest || adjusted[i] > level {
			continue
		}
		if len(words[u.category]) == 0 {
			if !slices.Contains(l.Nameless, u.category) {
				l.Nameless = append(l.Nameless, u.category)
			}
			continue
		}
		found = append(found, u.lesson(words[u.category], adjusted[i]))
	}
	found = append(found, pitfalls(questions)...)
	for _, op := range found {
		op.Created = run.Manifest.Start.UTC().Format(time.RFC3339)
		if hasAny(op.Text, o.Known) {
			l.Dropped++
			continue
		}
		l.Operations = append(l.Operations, op)
	}
	l.Operations = append(l.Operations, countTags(questions)...)
	return l, nil
}

// sequences counts the sequences of tools for each category, in the order of their names.
func sequences(questions []*question) []*usage {
	all := map[string]*usage{} // traces of a category, with any tools
	found := map[string]*usage{}
	for _, q := range questions {
		was := map[string]bool{} // for each sequence: whether a trace with it was right
		for _, t := range q.traces {
			getOrNew(all, q.category).count(t)
			if len(t.tools) == 0 {
				continue
			}
			key := q.category + "\x00" + strings.Join(t.tools, "\x00")
			u := getOrNew(found, key)
			u.category, u.tools, u.origin = q.category, t.tools, q.taughtBy(u.origin)
			u.count(t)
			was[key] = was[key] || t.right
		}
		for key, right := range was {
			if right {
				found[key].rightly++
			} else {
				found[key].wrongly++
			}
		}
	}
	out := inOrder(found)
	for _, u := range out {
		u.others, u.without = all[u.category].right-u.right, all[u.category].with-u.with
	}
	return out
}

func (u *usage) count(t *attempt) {
	u.with++
	if t.right {
		u.right++
		u.steps = min(cmp.Or(u.steps, t.steps), t.steps)
	}
}

// getOrNew returns the value for key, creating it if needed.
func getOrNew[T any](m map[string]*T, key string) *T {
	if m[key] == nil {
		m[key] = new(T)
	}
	return m[key]
}

// inOrder returns the values in the order of their keys.
func inOrder[T any](m map[string]*T) (out []*T) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[key])
	}
	return out
}

// lesson returns a strategy if traces with the sequence were right more often than traces without it, and
// otherwise a pitfall.
func (u *usage) lesson(words []string, p float64) playbook.Operation {
	about := fmt.Sprintf("For questions with the words %s", strings.Join(words, ", "))
	how := "`" + strings.Join(u.tools, "`, then `") + "`"
	reason := fmt.Sprintf("%d of %d traces with it right, %d of %d without, p = %.2g (Fisher, Holm)", u.right, u.with,
		u.others, u.without, p)
	op := playbook.Operation{Type: playbook.Add, Category: u.category, Origin: u.origin,
		Rate: float64(u.right) / float64(u.with), Reason: reason}
	if u.right*u.without > u.others*u.with {
		op.Section, op.Tools, op.Steps = playbook.Strategies, u.tools, u.steps
		op.Helpful, op.Harmful = u.rightly, u.wrongly
		op.Text = fmt.Sprintf("%s: call %s, and answer with the last result.", about, how)
	} else {
		op.Section, op.Helpful, op.Harmful = playbook.Pitfalls, u.wrongly, u.rightly
		op.Text = fmt.Sprintf("%s: %s alone gave wrong answers.", about, how)
	}
	return op
}

// pitfalls returns the errors of tools, by tool and kind.
func pitfalls(questions []*question) (out []playbook.Operation) {
	type count struct {
		failure
		traces, calls int
		origin        []playbook.Origin
	}
	found := map[string]*count{}
	for _, q := range questions {
		for _, t := range q.traces {
			for i, f := range t.fails {
				c := getOrNew(found, f.tool+"\x00"+f.kind)
				c.failure, c.origin = f, q.taughtBy(c.origin)
				c.calls++
				if !slices.Contains(t.fails[:i], f) {
					c.traces++
				}
			}
		}
	}
	for _, c := range inOrder(found) {
		if c.traces >= fewest {
			out = append(out, playbook.Operation{
				Type: playbook.Add, Section: playbook.Pitfalls, Origin: c.origin,
				Text: fmt.Sprintf("The tool `%s` can fail with `%s`: after one such failure, do something else.",
					c.tool, c.kind),
				Reason: fmt.Sprintf("%d calls in %d traces", c.calls, c.traces),
			})
		}
	}
	return out
}

// countTags counts the bullets that were shown in the run: a bullet is helpful in each right trace, and harmful
// in each wrong trace.
func countTags(questions []*question) (out []playbook.Operation) {
	found := map[string]*playbook.Operation{}
	for _, q := range questions {
		for _, t := range q.traces {
			for _, id := range t.shown {
				op := getOrNew(found, id)
				op.Type, op.ID, op.Reason = playbook.Tag, id, "shown in traces of this run"
				if t.right {
					op.Helpful++
				} else {
					op.Harmful++
				}
			}
		}
	}
	for _, op := range inOrder(found) {
		out = append(out, *op)
	}
	return out
}

// ownWords returns the words that are typical of each category, in the order in which they first occur in its
// questions. For such a word, the share of questions that have it is higher by ownShare than in any other
// category. If there is only one category, these are the words of most questions.
func ownWords(questions []*question) map[string][]string {
	in, size := map[string]map[string]int{}, map[string]int{}
	order := map[string][]string{}
	for _, q := range questions {
		if in[q.category] == nil {
			in[q.category] = map[string]int{}
		}
		size[q.category]++
		seen := map[string]bool{}
		for _, t := range text.Tokens(q.text, 0) {
			if !seen[t.Folded] {
				seen[t.Folded] = true
				in[q.category][t.Folded]++
				order[q.category] = append(order[q.category], t.Folded)
			}
		}
	}
	out := map[string][]string{}
	for category, n := range size {
		for _, w := range order[category] {
			own, others := float64(in[category][w])/float64(n), 0.0
			for other, counts := range in {
				if other != category {
					others = max(others, float64(counts[w])/float64(size[other]))
				}
			}
			if own-others >= ownShare && !slices.Contains(out[category], w) {
				out[category] = append(out[category], w)
			}
		}
	}
	return out
}

// hasAny reports whether a text contains one of the answers as a sequence of whole tokens. It ignores answers
// of fewer than three letters and digits, and yes, no, true and false, because they occur by chance.
func hasAny(s string, answers []string) bool {
	whole := text.Joined(text.Tokens(s, 0))
	return slices.ContainsFunc(answers, func(a string) bool {
		letters := 0
		for _, r := range text.Fold(a) {
			if text.IsWord(r) {
				letters++
			}
		}
		joined := text.Joined(text.Tokens(a, 0))
		return letters >= 3 && !slices.Contains([]string{"yes", "true", "false"}, text.Fold(a)) && joined != "" &&
			strings.Contains(whole, joined)
	})
}
