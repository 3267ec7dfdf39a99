package inject

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/internal/text"
)

// Version names the views, families and weights of this package, and the rules of Sanitise.
const Version = "inject/v10"

const (
	// MaxScanned is the maximum number of bytes that a scan reads. If a text is longer, the scan reads
	// MaxScanned/2 bytes at the beginning and MaxScanned/2 bytes at the end, because injections are usually
	// there.
	MaxScanned = 64 << 10
	// FlagScore is the lowest score of a flagged text.
	FlagScore = 0.5
	// MaxMatch is the maximum number of runes of a Hit's Match.
	MaxMatch = 80

	decodedBonus   = 0.2 // a family was found inside an encoding
	invisibleBonus = 0.2 // more than manyInvisible invisible characters
	manyInvisible  = 3
)

// Source is the origin of a scanned text. The weights depend on it: a user may give instructions and may quote
// an attack, but a tool's output should contain no instructions.
type Source int

const (
	Query      Source = iota // written by the user, or by the agent itself
	ToolOutput               // returned by a tool: search hits, pages, results
)

// Finding is the result of a scan of one text.
type Finding struct {
	Score     float64 // 0 to 1: 1 - prod(1 - weight of each family) + bonuses, at most 1
	Flagged   bool    // Score >= FlagScore
	Severity  string  // severity of a flagged text, which depends on its source: warn or error; "" if not flagged
	Hits      []Hit   // the first match of each family in each view, ordered by view
	Invisible int     // number of invisible characters, without joiners of emoji and scripts
}

// Hit is a family that was found in a view.
type Hit struct {
	Family string // override, reveal, roleplay and others: the files in the folder families
	View   string // the name of the view
	Match  string // the matched words in the form of that view, at most MaxMatch runes
}

// Scan searches a text for injections. from is the origin of the text. It accepts any text. In each view, each
// family is found at most once. The views that guess are searched only for families that were not found in
// other views.
func Scan(text string, from Source) Finding {
	s := newSource(headAndTail(text))
	finding := Finding{Invisible: s.invisible}
	for _, v := range views() {
		m := matchers()[v.mode]
		for _, r := range v.read(&s) {
			x := m.dictionary.index(r.words, sentences(r.words))
			for i, f := range families() {
				known := func(h Hit) bool { return h.Family == f.Name && (v.mode != plain || h.View == v.name) }
				if f.OutputOnly && from != ToolOutput || slices.ContainsFunc(finding.Hits, known) {
					continue
				}
				if match := m.find(i, &r, &x); match != "" {
					finding.Hits = append(finding.Hits, Hit{Family: f.Name, View: v.name, Match: shorten(match)})
				}
			}
		}
	}
	finding.Score = score(finding)
	if finding.Flagged = finding.Score >= FlagScore; finding.Flagged {
		finding.Severity = map[Source]string{Query: "warn", ToolOutput: "error"}[from]
	}
	return finding
}

// score computes the score of a finding. It treats the families that were found as independent evidence
// (docs/method.md §9.2).
func score(finding Finding) float64 {
	innocent := 1.0
	for _, f := range families() {
		if slices.ContainsFunc(finding.Hits, func(h Hit) bool { return h.Family == f.Name }) {
			innocent *= 1 - f.Weight
		}
	}
	total := 1 - innocent
	if slices.ContainsFunc(finding.Hits, func(h Hit) bool { return h.View == viewDecoded }) {
		total += decodedBonus
	}
	if finding.Invisible > manyInvisible {
		total += invisibleBonus
	}
	return min(total, 1)
}

// headAndTail returns a text. If the text is too long, it returns only its beginning and its end.
func headAndTail(text string) string {
	if len(text) <= MaxScanned {
		return text
	}
	head, tail := text[:MaxScanned/2], text[len(text)-MaxScanned/2:]
	return strings.ToValidUTF8(head, "") + "\n\n" + strings.ToValidUTF8(tail, "")
}

func shorten(s string) string { return text.Clip(strings.TrimSpace(s), MaxMatch) }

// Memo is a cache for the findings of scans, because the traces of a run often see the same pages. The zero
// value can be used directly. A nil Memo caches nothing. It is safe for concurrent use.
type Memo struct {
	findings memo.Memo[[sha256.Size]byte, Finding]
}

// Scan returns the result of [Scan]. It scans a text with the same source only once.
func (m *Memo) Scan(text string, from Source) Finding {
	if m == nil {
		return Scan(text, from)
	}
	key := sha256.Sum256([]byte(strconv.Itoa(int(from)) + text))
	return m.findings.Get(key, func() Finding { return Scan(text, from) })
}
