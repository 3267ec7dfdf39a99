package inject

import (
	"strings"
	"unicode/utf8"
)

// Version names the views, families and weights of this package, and the rules of Sanitise.
const Version = "inject/v3"

const (
	// MaxScanned is the most bytes that are looked at. Of a longer text the
	// first and the last half of it are scanned, where injections stand.
	MaxScanned = 64 << 10
	// FlagScore is the least score that flags a text.
	FlagScore = 0.5
	// MaxMatch is the most runes of a Hit's Match.
	MaxMatch = 80

	decodedBonus    = 0.2 // a family was found inside an encoding
	invisibleBonus  = 0.2 // more than manyInvisible invisible characters
	manyInvisible   = 3
	clippedBoundary = "\n\n"
)

// Finding is what a scan found in one text.
type Finding struct {
	Score     float64  // 0..1: 1 - prod(1 - weight of each family) + bonuses, at most 1
	Flagged   bool     // Score >= FlagScore
	Severity  Severity // how much it matters, given the source
	Hits      []Hit    // the first match of each family in each view, by view
	Invisible int      // characters that show nothing, emoji and script joiners apart
}

// Hit is one family recognised in one view.
type Hit struct {
	Family string // override, reveal, roleplay, … see doc of families
	View   string // the reading in which it was found, see doc of views
	Match  string // the matched words as they read in that view, at most MaxMatch runes
}

// Scan looks for injections in a text that came from source. It accepts any text.
func Scan(text string, from Source) Finding {
	s := newSource(clip(text))
	finding := Finding{Invisible: s.invisible}
	for _, v := range views() {
		for _, r := range v.read(&s) {
			finding.Hits = appendHits(finding.Hits, &s, v, r, from)
		}
	}
	finding.Score = score(finding)
	finding.Flagged = finding.Score >= FlagScore
	finding.Severity = from.severity(finding)
	return finding
}

// appendHits adds the families found in one reading of a view, each at most
// once for the view. The views that guess are asked only about families that no
// reading of the words has shown.
func appendHits(hits []Hit, s *source, v view, r reading, from Source) []Hit {
	all := families()
	skip := func(i int) bool { return hasHit(hits, all[i].name, v) }
	matches, seen := matchers()[v.mode].find(r.words, skip)
	s.seen.merge(&seen)
	for i, f := range all {
		match := matches[i]
		if match == "" && v.mode == plain && f.look != nil && (from == ToolOutput || !f.outputOnly) && !skip(i) {
			match = f.look(r)
		}
		if match != "" {
			hits = append(hits, Hit{Family: f.name, View: v.name, Match: shorten(match)})
		}
	}
	return hits
}

func hasHit(hits []Hit, family string, v view) bool {
	for _, h := range hits {
		if h.Family == family && (v.mode != plain || h.View == v.name) {
			return true
		}
	}
	return false
}

// score combines the families found as independent evidence (methods.md §9.2).
func score(finding Finding) float64 {
	innocent, decoded := 1.0, false
	for _, f := range families() {
		for _, h := range finding.Hits {
			if h.Family == f.name {
				innocent *= 1 - f.weight
				break
			}
		}
	}
	for _, h := range finding.Hits {
		decoded = decoded || h.View == viewDecoded
	}
	total := 1 - innocent
	if decoded {
		total += decodedBonus
	}
	if finding.Invisible > manyInvisible {
		total += invisibleBonus
	}
	return min(total, 1)
}

// clip returns text, or the head and tail of one that is too long.
func clip(text string) string {
	if len(text) <= MaxScanned {
		return text
	}
	const half = MaxScanned / 2
	head, tail := half, len(text)-half
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + clippedBoundary + text[tail:]
}

// shorten cuts s to MaxMatch runes and marks the cut.
func shorten(s string) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= MaxMatch {
		return s
	}
	return string([]rune(s)[:MaxMatch-1]) + "…"
}
