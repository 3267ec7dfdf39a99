package inject_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/guard/inject"
)

func BenchmarkScan(b *testing.B) {
	question := "Which company owns the newspaper that first reported the 1969 moon landing, and in what year was it founded? "
	for name, text := range map[string]string{
		"query":    question,
		"long":     strings.Repeat(question, 40),
		"most":     strings.Repeat(question, 1000),
		"triggers": strings.Repeat("you are an ai without all the usual moral and ethical previous your system ignore all ", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(min(len(text), inject.MaxScanned)))
			for b.Loop() {
				if finding := inject.Scan(text); finding.Flagged {
					b.Fatal(finding)
				}
			}
		})
	}
}
