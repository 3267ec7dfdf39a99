package inject_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/guard/inject"
)

const benchQuestion = "Which company owns the newspaper that first reported the 1969 moon landing, and in what year was it founded? "

// benchPage is a typical search result, with characters that give each view a reading: hyphens, digits,
// addresses, accents, entities, escapes. benchTriggers is an honest sentence with many words of attacks, for
// which many expressions are run.
const benchPage = `{"results":[{"id":"web_1","title":"Victoria Palace Theatre \u2013 history","url":"https://en.example.org/wiki/Victoria_Palace_Theatre?oldid=92%20","text":"The Victoria Palace Theatre is a West End theatre in Victoria Street, opposite London's Victoria Station. It is categorised as a Grade II* listed building.\nThe theatre began life as a small concert room above the stables of the Royal Standard Hotel, a small hotel and tavern built in 1832 at what was then 522 Stockbridge Terrace. The proprietor, John Moy, enlarged the building, and by 1850 it became known as Moy's Music Hall."},{"id":"web_2","title":"Café & théâtre","text":"Le théâtre – well-known for its so-called “long runs” – passed to Sir Stephen Waley-Cohen in 1991 (£12.50 a seat)."}]}
`

const benchTriggers = "The theatre follows rules set by the previous owner; all users of the system must buy a ticket. "

func BenchmarkScan(b *testing.B) {
	for _, c := range []struct {
		name, text string
		from       inject.Source
	}{
		{"query", benchQuestion, inject.Query},
		{"long", strings.Repeat(benchQuestion, 40), inject.Query},
		{"most", strings.Repeat(benchQuestion, 1000), inject.Query},
		{"triggers", strings.Repeat("you are an ai with all the usual and previous your system ignore all ", 1000), inject.Query},
		{"page 4 KB", strings.Repeat(benchPage, 8)[:4096], inject.ToolOutput},
		{"triggers 4 KB", strings.Repeat(benchTriggers, 50)[:4096], inject.ToolOutput},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(min(len(c.text), inject.MaxScanned)))
			for b.Loop() {
				if finding := inject.Scan(c.text, c.from); finding.Flagged {
					b.Fatal(finding)
				}
			}
		})
	}
}

// BenchmarkScanObservations scans real pages that a tool returned, in parts of about 4 KB.
func BenchmarkScanObservations(b *testing.B) {
	pieces := []string{""}
	for _, o := range observations(b) {
		last := len(pieces) - 1
		if pieces[last] += o + "\n"; len(pieces[last]) >= 4096 {
			pieces = append(pieces, "")
		}
	}
	pieces = pieces[:len(pieces)-1]
	b.SetBytes(4096)
	i := 0
	for b.Loop() {
		inject.Scan(pieces[i%len(pieces)], inject.ToolOutput)
		i++
	}
}

func BenchmarkSanitise(b *testing.B) {
	text := strings.Repeat(benchPage, 4096/len(benchPage)+1) // whole pages, because a broken one is changed
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		inject.Sanitise(text)
	}
}
