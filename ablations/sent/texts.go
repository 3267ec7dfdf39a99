package sent

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/linediff"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
)

// Limits of the kept texts, in bytes.
const (
	maxText  = 64 << 10 // of one text
	maxTexts = 16 << 20 // of all texts of a sample
)

// Short is the length in bytes of texts that are always kept, such as the values of parameters.
const Short = 256

// Marks that replace parts of a text.
const (
	varyingLine = "[a line that differs from trace to trace]"
	dayOfRun    = "[day of the run]"
	timeOfRun   = "[time in the run]"
)

// texts keeps texts by their digests.
type texts struct {
	kept  map[string]string
	known map[[sha256.Size]byte]string // digests of the kept texts, by the digests of their originals
	size  int
	lines map[string]string // clean lines, by their originals
	days  *strings.Replacer
}

func newTexts(m store.Manifest) *texts {
	return &texts{kept: map[string]string{}, known: map[[sha256.Size]byte]string{},
		lines: map[string]string{}, days: replaceDays(m)}
}

// keep keeps a text, and returns its digest. It hides keys, replaces the days of the run, and cuts the text to
// 64 KiB; the digest depends on the part that was cut off, too.
func (t *texts) keep(original string) string {
	sum := sha256.Sum256([]byte(original))
	if digest, known := t.known[sum]; known {
		return digest
	}
	// A key at the border is hidden before the text is cut.
	const border = 1 << 10
	head := text.Head(original, maxText+border)
	rest := original[len(head):]
	lines := strings.Split(strings.ToValidUTF8(head, "\uFFFD"), "\n")
	for i := range lines {
		lines[i] = t.clean(lines[i])
	}
	head = strings.Join(lines, "\n")
	if len(original) > maxText {
		cut := text.Head(head, maxText)
		head, rest = cut, head[len(cut):]+rest
	}
	digest := t.store(head, rest)
	t.known[sum] = digest
	return digest
}

// Limits of the lines whose clean form is kept in memory: their number, and the bytes of each.
const (
	mostLinesKnown = 1 << 14
	maxLineKnown   = 1 << 10
)

// clean hides the keys in a line, and replaces the days of the run.
func (t *texts) clean(line string) string {
	if known, is := t.lines[line]; is {
		return known
	}
	out := clockTime.ReplaceAllString(t.days.Replace(secret.Redact(line)), timeOfRun)
	if len(t.lines) < mostLinesKnown && len(line) <= maxLineKnown {
		t.lines[line] = out
	}
	return out
}

// store keeps a text in its final form; rest is the part that is not kept.
func (t *texts) store(body, rest string) string {
	sum := sha256.Sum256([]byte(body + "\x00" + rest))
	digest := hex.EncodeToString(sum[:8])
	if _, known := t.kept[digest]; !known && (len(body) <= Short || t.size+len(body) <= maxTexts) {
		t.kept[digest] = body
		t.size += len(body)
	}
	return digest
}

// withoutVarying replaces the lines of a text that another text does not have by a mark, and returns the digest
// of the result. If most of its lines differ, or if a text was not kept, it returns the digest of the unchanged
// text.
func (t *texts) withoutVarying(digest, other string) string {
	a, known := t.kept[digest]
	b, both := t.kept[other]
	if !known || !both || len(a) >= maxText {
		return digest
	}
	var out []string
	same := 0
	for _, l := range linediff.Lines(a, b) {
		switch l.Kind {
		case linediff.Same:
			out = append(out, l.Text)
			same++
		case linediff.Removed:
			out = append(out, varyingLine)
		}
	}
	if 2*same < len(out) {
		return digest
	}
	return t.store(strings.Join(out, "\n"), "")
}

// dayForms are usual forms of a day. A form with the day of the week is tried first.
var dayForms = []string{
	"Monday, 2 January 2006", "Monday, 02 January 2006", "Monday 2 January 2006", "Monday, January 2, 2006",
	"Monday, January 02, 2006", "Mon, 02 Jan 2006", "Mon, 2 Jan 2006", "Mon Jan _2 2006",
	"2006-01-02", "2006/01/02", "2006.01.02", "01/02/2006", "02/01/2006", "02.01.2006", "2.1.2006",
	"2 January 2006", "02 January 2006", "January 2, 2006", "January 02, 2006", "2 Jan 2006", "02 Jan 2006",
	"Jan 2, 2006", "Jan 02, 2006",
}

// clockTime matches a time of day after the day of the run.
var clockTime = lazy.Compile(`\[day of the run\](?:T|,? (?:at )?)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?` +
	`(?: ?(?:Z|UTC|GMT|[AaPp][Mm]\b|[+-]\d{2}:?\d{2}\b))?`)

// mostDays limits the days of a run that are replaced.
const mostDays = 10

// replaceDays returns a replacer of the days on which a run was made, and of the days before and after them,
// because the agent may be in another time zone.
func replaceDays(m store.Manifest) *strings.Replacer {
	var pairs []string
	day, end := m.Start.UTC().AddDate(0, 0, -1), m.Start
	if m.End != nil {
		end = *m.End
	}
	end = end.UTC().Add(24 * time.Hour)
	for n := 0; n < mostDays && (!day.After(end) || n < 3); n++ {
		for _, form := range dayForms {
			pairs = append(pairs, day.Format(form), dayOfRun)
		}
		day = day.AddDate(0, 0, 1)
	}
	return strings.NewReplacer(pairs...)
}
