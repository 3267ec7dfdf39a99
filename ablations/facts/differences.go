package facts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/config"
)

// Settings lists the settings in which two configurations differ, one sentence each, sorted by key. Settings
// without an effect, such as the tools of cot, are left out.
func Settings(was, now config.Configuration) []string {
	side := func(c config.Configuration) Facts {
		return Facts{Settings: config.Settings(c), effective: config.Settings(c.Effective())}
	}
	d := side(was).compare(side(now))
	return append([]string{}, d.sentences...) // nil would be "not compared"
}

// Differences lists the differences between an earlier run, f, and a later one, now: one sentence for each
// setting, prompt, tool, corpus, query set and gold that changed. It returns nil if nothing changed. A fact
// that is unknown for one of the runs is not compared. If the agent hashes differ and no recorded difference
// reaches the agent, a sentence reports that too.
func (f Facts) Differences(now Facts) []string {
	d := f.compare(now)
	if alike := f.sent != "" && f.sent == now.sent; f.Agent != "" && now.Agent != "" && f.Agent != now.Agent &&
		!d.agent && !alike {
		d.add(true, "agent", fmt.Sprintf("its hash has changed (%s, now %s), but no recorded fact has, such "+
			"as a search backend that lacked its key in one of the runs", f.Agent, now.Agent))
	}
	return d.sentences
}

// differences holds the sentences. agent reports whether one of them is about a setting that reaches the
// agent.
type differences struct {
	sentences []string
	agent     bool
}

func (d *differences) add(agent bool, what, change string) {
	if change != "" {
		d.sentences = append(d.sentences, what+": "+change)
		d.agent = d.agent || agent
	}
}

func (f Facts) compare(now Facts) *differences {
	d := &differences{}
	for _, key := range unequal(f.Settings, now.Settings) {
		if f.effective == nil || now.effective == nil || f.effective[key] != now.effective[key] {
			change := setting(cmp.Or(f.Settings[key], unwritten[key]), cmp.Or(now.Settings[key], unwritten[key]))
			sent := !f.leftOut(key) || !now.leftOut(key)
			if !sent {
				change += ", and neither was sent"
			}
			d.add(sent && reachesAgent(key), key, change)
		}
	}
	for _, key := range unequal(f.Versions, now.Versions) {
		d.add(reachesAgent(key), "version of "+key, changed(f.Versions[key], now.Versions[key]))
	}
	if f.Models != nil && now.Models != nil && !slices.Equal(f.Models, now.Models) {
		d.add(false, "the provider's name of the model",
			changed(strings.Join(f.Models, ", "), strings.Join(now.Models, ", ")))
	}
	for _, name := range unequal(f.Tools, now.Tools) {
		switch _, ofServer := config.ServerOf(name); {
		case f.Tools[name] != "" && now.Tools[name] != "":
			d.add(true, "tool "+name, "its description or schema changed")
		case ofServer && f.Tools[name] == "": // of others agent.tools says so
			d.add(true, "tool "+name, "its server has it now")
		case ofServer:
			d.add(true, "tool "+name, "its server no longer has it, or it is left out")
		}
	}
	for _, name := range unequal(f.Files, now.Files) {
		d.add(true, "file "+name, setting(f.Files[name], now.Files[name]))
	}
	if f.Corpus != "" && now.Corpus != "" && f.Corpus != now.Corpus {
		d.add(true, "corpus", documents(f.Documents, now.Documents))
	}
	if f.Queries != nil && now.Queries != nil {
		queries(d, f.Queries, now.Queries)
	}
	return d
}

// leftOut reports whether a setting of the agent was not sent to its model.
func (f Facts) leftOut(key string) bool {
	name, of := strings.CutPrefix(key, "agent.")
	return of && slices.Contains(f.unset, name)
}

// unwritten maps settings that facts omit at their default to that default, because older facts do not have
// them.
var unwritten = map[string]string{"extract": string(config.ExtractRules)}

// reachesAgent reports whether a setting or a version affects the agent, and not only votes and verdicts.
func reachesAgent(key string) bool {
	head, _, _ := strings.Cut(strings.ReplaceAll(key, "_", "."), ".")
	return !slices.Contains([]string{"k", "extract", "extractor", "extraction", "consensus", "verifier", "judge",
		"pass", "pick", "correctness", "quality"}, head)
}

// unequal returns the keys under which two maps hold different values, sorted.
func unequal[V comparable](was, now map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(now))
	slices.Sort(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool { return was[key] == now[key] })
}

func changed(old, new string) string {
	return fmt.Sprintf("%s, now %s", clip(cmp.Or(old, "none")), clip(cmp.Or(new, "none")))
}

// setting describes the change of a setting; for a list, the elements that were added and removed.
func setting(old, new string) string {
	var words []string
	if strings.HasPrefix(old, "[") && strings.HasPrefix(new, "[") {
		was, is := strings.Fields(strings.Trim(old, "[]")), strings.Fields(strings.Trim(new, "[]"))
		for _, e := range was {
			if !slices.Contains(is, e) {
				words = append(words, e+" is gone")
			}
		}
		for _, e := range is {
			if !slices.Contains(was, e) {
				words = append(words, e+" is new")
			}
		}
	}
	return cmp.Or(strings.Join(words, ", "), changed(old, new)) // if only the order changed, both lists are shown
}

// documents compares two corpora, each listed as in a manifest. The list is nil if the corpus was too large to
// record.
func documents(old, new []string) string {
	if old == nil || new == nil {
		return "another content"
	}
	titles := map[string]string{}
	fewer, more, other := sorted(digests(old, titles), digests(new, titles))
	var words []string
	for _, c := range []change{{"fewer", fewer}, {"more", more}, {"changed", other}} {
		for i, id := range c.names {
			c.names[i] = clip(fmt.Sprintf("%s %q", id, titles[id]))
		}
		if n := len(c.names); n > 0 {
			words = append(words, fmt.Sprintf("%s %s (%s)", text.Counted(n, "document"), c.word, text.Listed(c.names)))
		}
	}
	return strings.Join(words, ", ")
}

// digests returns the digest of each document by its id, and stores the titles in titles.
func digests(documents []string, titles map[string]string) map[string]string {
	out := map[string]string{}
	for _, d := range documents {
		digest, name, _ := strings.Cut(d, " ")
		id, title, _ := strings.Cut(name, "\t")
		out[id], titles[id] = digest, title
	}
	return out
}

type change struct {
	word  string
	names []string
}

// sorted divides names into those that were removed, added, and given another value.
func sorted[V comparable](was, now map[string]V) (fewer, more, other []string) {
	for _, name := range unequal(was, now) {
		_, before := was[name]
		_, after := now[name]
		switch {
		case !after:
			fewer = append(fewer, name)
		case !before:
			more = append(more, name)
		default:
			other = append(other, name)
		}
	}
	return fewer, more, other
}

func queries(d *differences, was, now map[string]Query) {
	fewer, more, other := sorted(was, now)
	var reworded, gold []string
	for _, id := range other {
		switch a, b := was[id], now[id]; {
		case a.Question != b.Question:
			reworded = append(reworded, id)
		case a.Expected != b.Expected:
			gold = append(gold, clip(fmt.Sprintf("%s: %s → %s", id, clip(a.Expected), clip(b.Expected))))
		case a.Hash != b.Hash:
			gold = append(gold, id)
		}
	}
	for _, c := range []change{{"fewer", fewer}, {"more", more}, {"reworded", reworded}} {
		if len(c.names) > 0 {
			d.add(false, "queries", fmt.Sprintf("%d %s (%s)", len(c.names), c.word, text.Listed(c.names)))
		}
	}
	if len(gold) > 0 {
		d.add(false, "gold or step limit", fmt.Sprintf("another for %d of the queries (%s)", len(gold),
			text.Listed(gold)))
	}
}

func clip(s string) string { return text.Clip(s, 101) }
