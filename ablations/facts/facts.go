// Package facts owns what a run was made with, as its manifest tells, and in what two runs
// differ. It imports runner/config and runner/store.
package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Facts are what a run was made with, so that a gate can say in what a later run differs.
type Facts struct {
	Settings map[string]string `json:"settings"` // resolved, by dotted key, without limits
	Versions map[string]string `json:"versions"` // of prompts, rules and models
	// Tools are the digests of the tools' schemas, by name, and Documents the digest and
	// title of each document of the corpus, as in the manifest; nil where not known.
	Tools     map[string]string `json:"tools,omitempty"`
	Documents []string          `json:"documents,omitempty"`
	Corpus    string            `json:"corpus,omitempty"` // digest of all of it
}

// Of reads them from a manifest.
func Of(m store.Manifest, c store.Configuration) Facts {
	f := Facts{Settings: config.Settings(c.Configuration), Versions: maps.Clone(m.Versions)}
	maps.DeleteFunc(f.Settings, func(key, _ string) bool {
		return strings.HasPrefix(key, "limits.") || key == "search.corpus" || key == "prices" // paths; the digest tells the corpus
	})
	for _, name := range []string{"concur", "commit"} { // another build with the same rules is the same
		delete(f.Versions, name)
	}
	if a, ok := m.Agents[c.Agent]; ok {
		f.Tools, f.Documents, f.Corpus = a.Tools, a.Documents, a.Corpus
	}
	return f
}

// Key is a hash of all of it, by which runs name it.
func (f Facts) Key() string {
	raw, err := json.Marshal(f)
	if err != nil { // maps of strings
		panic(fmt.Sprintf("encode facts: %v", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// Differences says in what a run differs from one that was made earlier, one sentence per
// setting, prompt, tool and corpus, sorted by name; nil where they are the same.
func (f Facts) Differences(now Facts) []string {
	out := differing("", f.Settings, now.Settings, setting)
	out = append(out, differing("version of ", f.Versions, now.Versions, changed)...)
	out = append(out, differing("tool ", f.Tools, now.Tools, func(old, new string) string {
		if old == "" || new == "" { // agent.tools says so
			return ""
		}
		return "its description or schema changed"
	})...)
	if f.Corpus != "" && now.Corpus != "" && f.Corpus != now.Corpus {
		out = append(out, "corpus: "+documents(f.Documents, now.Documents))
	}
	return out
}

func differing(prefix string, old, new map[string]string, say func(old, new string) string) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(old)), maps.Keys(new))
	slices.Sort(keys)
	var out []string
	for _, key := range slices.Compact(keys) {
		if old[key] == new[key] {
			continue
		}
		if text := say(old[key], new[key]); text != "" {
			out = append(out, prefix+key+": "+text)
		}
	}
	return out
}

func changed(old, new string) string {
	return fmt.Sprintf("%s, now %s", orNone(old), orNone(new))
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return clip(value)
}

// clip cuts a text down to what a sentence can hold.
func clip(s string) string {
	const longest = 80
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}

// setting compares two values of a setting, of a list its elements.
func setting(old, new string) string {
	was, isList := elements(old)
	is, areList := elements(new)
	if !isList || !areList {
		return changed(old, new)
	}
	var words []string
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
	if len(words) == 0 {
		return changed(old, new)
	}
	return strings.Join(words, ", ")
}

// elements are those of a list as settings write it.
func elements(value string) ([]string, bool) {
	inner, ok := strings.CutPrefix(value, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	return strings.Fields(inner), ok && closed
}

// documents compares two corpora, each given as "digest title" per document.
func documents(old, new []string) string {
	if old == nil || new == nil {
		return "another content"
	}
	count := map[string]int{}
	for _, d := range old {
		count[d]++
	}
	titlesBefore, titlesNow := map[string]bool{}, map[string]bool{}
	var added []string
	for _, d := range new {
		if count[d]--; count[d] < 0 {
			added = append(added, titleOf(d))
			titlesNow[titleOf(d)] = true
		}
	}
	var gone, changed []string
	for _, d := range old {
		if count[d] <= 0 {
			continue
		}
		count[d]--
		titlesBefore[titleOf(d)] = true
		if titlesNow[titleOf(d)] {
			changed = append(changed, titleOf(d))
		} else {
			gone = append(gone, titleOf(d))
		}
	}
	added = slices.DeleteFunc(added, func(title string) bool { return titlesBefore[title] })
	var words []string
	for _, w := range []struct {
		titles []string
		word   string
	}{{gone, "fewer"}, {added, "more"}, {changed, "changed"}} {
		if n := len(w.titles); n > 0 {
			words = append(words, fmt.Sprintf("%s %s (%s)", plural(n, "document"), w.word, clip(listed(w.titles))))
		}
	}
	if len(words) == 0 {
		return "another order of its documents"
	}
	return strings.Join(words, ", ")
}

func titleOf(document string) string {
	_, title, _ := strings.Cut(document, " ")
	return title
}

// listed names up to five things.
func listed(names []string) string {
	const most = 5
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
