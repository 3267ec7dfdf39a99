//go:build unix

package checking_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/judge/checking"
)

// processor returns the processor time of this process, which other programs on the machine do not change much.
func processor(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// Each built-in check takes some microseconds: for prose of 2 KiB, and for a JSON object of 200 bytes.
func BenchmarkBuiltin(b *testing.B) {
	answer, seconds, usd, tokens := "Paris", 1.0, 0.01, 300
	prose := strings.Repeat("The capital of France lies on the Seine. ", 50) + "Answer: Paris"
	object := `{"city": "Paris", "population": 2102650, "rivers": ["Seine", "Bièvre"], "text": "` + strings.Repeat("word ", 20) + `"}`
	measured := map[checks.Kind]bool{checks.Similar: true, checks.Exec: true} // these ask a model, or a program
	for _, c := range []struct{ check, message string }{
		{`contains: Paris`, prose}, {`contains_any: [Lyon, Nice, Paris]`, prose}, {`contains_all: [Seine, France, Paris]`, prose},
		{`icontains: PARIS`, prose}, {`icontains_any: [LYON, NICE, PARIS]`, prose}, {`icontains_all: [SEINE, PARIS]`, prose},
		{`not_contains: as an AI`, prose}, {`not_icontains: as an AI`, prose},
		{`starts_with: The`, prose}, {`regex: "Answer: [A-Z][a-z]+"`, prose}, {`{regex: "^[A-Z]", on: answer}`, prose},
		{`equals: Paris`, prose}, {`{equals: Paris, on: answer}`, prose}, {`equals: {city: Paris}`, object},
		{`max_seconds: 3`, prose}, {`max_usd: 3`, prose}, {`max_tokens: 500`, prose},
		{`is_json: true`, object}, {`not_is_json: true`, prose},
		{`is_json: {type: object, required: [city], properties: {population: {type: integer}}}`, object},
		{`json: '.city == "Paris"'`, object},
		{`any: [{contains: Lyon}, {contains: Paris}]`, prose}, {`{all: [{contains: Seine}, {contains: Paris}], threshold: 0.5}`, prose},
	} {
		l := prepare(b, "["+c.check+"]")
		for _, kind := range checks.Kinds() {
			if strings.Contains(c.check, string(kind)+":") {
				measured[kind] = true
			}
		}
		b.Run(fmt.Sprintf("%.30s", c.check), func(b *testing.B) {
			began := processor(b)
			for b.Loop() {
				got, _ := l.Check(b.Context(), checking.Subject{Message: c.message, Answer: &answer, Seconds: &seconds, USD: &usd, Tokens: &tokens})
				if got[0].Pass == nil {
					b.Fatal(got)
				}
			}
			b.ReportMetric(float64(processor(b)-began)/float64(b.N), "cpu-ns/op")
		})
	}
	for _, kind := range checks.Kinds() {
		if !measured[kind] {
			b.Errorf("%s is not measured", kind)
		}
	}
}
