package learn

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/playbook"
)

// wording is a lesson in the words of a model, with its query and the tools that it is about. These are the
// tools of its sequence or, for a warning, the tools that its text names.
type wording struct {
	playbook.Operation
	query *question
	about []string
}

// unite joins the lessons of a model that have the same category and section and are about the same sequence of
// tools. They become one bullet. Its text is the most central wording. Each other wording becomes a tag, which
// adds its query to the bullet's origins. Counts, rate and steps are computed from the traces of the run, in
// the same way as in Sequence. Lessons that are about no tools are not joined here; the curator compares their
// words. After these come the operations on existing bullets.
func unite(questions []*question, notes []noted) []playbook.Operation {
	byID := map[string]*question{}
	for _, q := range questions {
		byID[q.ID] = q
	}
	quote, names := quoter(questions)
	var out, tags []playbook.Operation
	groups := map[string]*[]wording{}
	var order []*[]wording
	for _, n := range notes {
		for _, op := range n.Operations {
			q := byID[n.Query]
			if op.Type != playbook.Add || q == nil {
				tags = append(tags, op)
				continue
			}
			op.Category, op.Text = q.category, quote(op.Text)
			w := wording{op, q, op.Tools}
			if len(w.about) == 0 {
				w.about = names(op.Text)
			}
			if len(w.about) == 0 {
				order = append(order, &[]wording{w})
				continue
			}
			key := fmt.Sprintf("%q %q %q %d", op.Section, op.Category, w.about, len(op.Tools))
			if groups[key] == nil {
				groups[key] = &[]wording{}
				order = append(order, groups[key])
			}
			*groups[key] = append(*groups[key], w)
		}
	}
	for _, group := range order {
		out = append(out, bullet(*group, questions)...)
	}
	return append(out, tags...)
}

// bullet returns the operations for the wordings of one lesson. One operation adds the bullet, and the others
// tag it.
func bullet(group []wording, questions []*question) []playbook.Operation {
	texts := make([]string, len(group))
	for i, w := range group {
		texts[i] = w.Text
	}
	at := playbook.Central(texts)
	first := group[at]
	if u := useOf(first, questions); u != nil {
		first.Rate = float64(u.right) / float64(u.with)
		first.Helpful, first.Harmful = u.rightly, u.wrongly
		if first.Section == playbook.Pitfalls {
			first.Helpful, first.Harmful = u.wrongly, u.rightly
		} else {
			first.Steps = u.steps
		}
		first.Reason += fmt.Sprintf(": %d of %d traces with its tools right", u.right, u.with)
	}
	out := []playbook.Operation{first.Operation}
	for i, w := range group {
		if i != at {
			out = append(out, playbook.Operation{Type: playbook.Tag, Text: w.Text, Origin: w.Origin,
				Reason: "another wording, from query " + w.query.ID})
		}
	}
	return out
}

// useOf counts the traces of the lesson's category that have exactly its sequence of tools. If there are no
// such traces, it counts those that have these tools in this order with others between them. If there are no
// such traces either, it returns nil. It also returns nil for a lesson that has no sequence and is not a
// pitfall.
func useOf(w wording, questions []*question) *usage {
	if len(w.about) == 0 || len(w.Tools) == 0 && w.Section != playbook.Pitfalls {
		return nil
	}
	for _, match := range []func(tools, about []string) bool{slices.Equal[[]string], contains} {
		u := &usage{}
		for _, q := range questions {
			if q.category != w.Category {
				continue
			}
			right, with := u.right, u.with
			for _, t := range q.traces {
				if match(t.tools, w.about) {
					u.count(t)
				}
			}
			if u.right > right {
				u.rightly++
			} else if u.with > with {
				u.wrongly++
			}
		}
		if u.with > 0 {
			return u
		}
	}
	return nil
}

// contains reports whether tools has the parts in this order, with or without others between them.
func contains(tools, parts []string) bool {
	for _, name := range tools {
		if len(parts) > 0 && parts[0] == name {
			parts = parts[1:]
		}
	}
	return len(parts) == 0
}

// quoter returns two functions for texts about the tools of the traces. quote puts names of tools into
// backquotes, as Sequence does, so that the curator can compare the tools of two texts. It leaves out names
// without a digit or an underscore, because they may be ordinary words. names returns the quoted tools of a
// text, in order.
func quoter(questions []*question) (quote func(string) string, names func(string) []string) {
	tools := map[string]bool{}
	for _, q := range questions {
		for _, t := range q.traces {
			for _, name := range t.tools {
				tools[name] = true
			}
			for _, f := range t.fails {
				tools[f.tool] = true
			}
		}
	}
	word := regexp.MustCompile("`?[A-Za-z0-9_.-]*[A-Za-z0-9_]`?")
	quote = func(text string) string {
		return word.ReplaceAllStringFunc(text, func(s string) string {
			if tools[s] && strings.ContainsAny(s, "0123456789_") {
				return "`" + s + "`"
			}
			return s
		})
	}
	names = func(text string) (out []string) {
		for _, s := range word.FindAllString(text, -1) {
			if name := strings.Trim(s, "`"); name != s && tools[name] {
				out = append(out, name)
			}
		}
		return out
	}
	return quote, names
}
