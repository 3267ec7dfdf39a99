package facts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/config"
)

// Settings lists the settings in which two configurations differ, one sentence for each, sorted by key.
// Settings without an effect are left out, such as the tools of an agent that calls none.
func Settings(was, now config.Configuration) []string {
	side := func(c config.Configuration) Facts {
		return Facts{Settings: config.Settings(c), effective: config.Settings(c.Effective())}
	}
	d := side(was).compare(side(now))
	return append([]string{}, d.sentences...) // never nil, which means "not compared"
}

// Differences lists the differences between an earlier run, f, and a later run, now: one sentence for each
// setting, prompt, tool, corpus, query set and gold that changed; nil if nothing changed. A fact that is
// unknown for one of the runs is not compared. If the agent hashes differ although no recorded difference
// affects the agent, a sentence says so.
func (f Facts) Differences(now Facts) []string {
	d := f.compare(now)
	if alike := f.sent != "" && f.sent == now.sent; f.Agent != "" && now.Agent != "" && f.Agent != now.Agent &&
		!d.agent && !alike {
		d.add(true, "agent", fmt.Sprintf("its hash changed (%s, now %s), but no recorded fact did: for example, "+
			"a search backend had no key in one of the runs", f.Agent, now.Agent))
	}
	return d.sentences
}

// differences collects the sentences. agent is true if a sentence is about a difference that affects the agent.
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
			change := setting(quoted(key, cmp.Or(f.Settings[key], unwritten[key])),
				quoted(key, cmp.Or(now.Settings[key], unwritten[key])))
			sent := !f.leftOut(key) || !now.leftOut(key)
			if !sent {
				change += ", but neither was sent to the model"
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
		case ofServer && f.Tools[name] == "": // agent.tools shows the others
			d.add(true, "tool "+name, "its server has it now")
		case ofServer:
			d.add(true, "tool "+name, "its server no longer has it, or the tool is left out")
		}
	}
	for _, name := range unequal(f.Files, now.Files) {
		d.add(true, "file "+name, setting(f.Files[name], now.Files[name]))
	}
	for _, name := range unequal(f.Programs, now.Programs) {
		if f.Programs[name] != "" && now.Programs[name] != "" { // another command is another query
			d.add(false, "a program of the checks", clip(name)+" has changed")
		}
	}
	if f.Corpus != "" && now.Corpus != "" && f.Corpus != now.Corpus {
		d.add(true, "corpus", documents(f.Documents, now.Documents))
	}
	if f.Queries != nil && now.Queries != nil {
		queries(d, f.Queries, now.Queries)
	}
	return d
}

// leftOut reports whether a setting of the agent was not sent to its model, because the model does not accept
// it.
func (f Facts) leftOut(key string) bool {
	name, of := strings.CutPrefix(key, "agent.")
	return of && slices.Contains(f.unset, name)
}

// unwritten maps the settings that facts omit at their default to that default, because facts of older runs do
// not have them.
var unwritten = map[string]string{"extract": string(config.ExtractRules)}

// reachesAgent reports whether a setting or a version affects the agent, and not only votes and verdicts.
func reachesAgent(key string) bool {
	head, _, _ := strings.Cut(strings.ReplaceAll(key, "_", "."), ".")
	return !slices.Contains([]string{"k", "extract", "extractor", "extraction", "consensus", "verifier", "judge",
		"pass", "pick", "correctness", "quality"}, head)
}

// unequal returns the keys whose values differ between two maps, sorted.
func unequal[V comparable](was, now map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(now))
	slices.Sort(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool { return was[key] == now[key] })
}

// quoted returns a text of a prompt in quotes, so that its end is seen; other values do not change.
func quoted(key, value string) string {
	if !strings.HasPrefix(key, "agent.prompts.") || value == "" {
		return value
	}
	return strconv.Quote(text.Clip(value, 99))
}

func changed(old, new string) string {
	return fmt.Sprintf("%s, now %s", clip(cmp.Or(old, "none")), clip(cmp.Or(new, "none")))
}

// setting describes the change of a setting. For a list it names the added and the removed elements.
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
	return cmp.Or(strings.Join(words, ", "), changed(old, new)) // if only the order changed, both lists
}

// documents describes the differences of two corpora, each listed as in a manifest. A list is nil if the corpus
// was too large to record.
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

// digests returns the digest of each document by its id, and adds the titles to titles.
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

// sorted divides the names of two maps into those that were removed, added, or got another value.
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
		d.add(false, "gold, checks or step limit", fmt.Sprintf("changed for %d of the queries (%s)", len(gold),
			text.Listed(gold)))
	}
}

func clip(s string) string { return text.Clip(s, 101) }
