package datasets_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
)

// One query of GSM8K's form is converted to JSONL and read back.
func BenchmarkConversion(b *testing.B) {
	mapping, err := datasets.ReadMapping("gsm8k")
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for i := range b.N {
		fmt.Fprintf(&text, `{"question":"How many clips did Natalia sell to %d friends?","answer":"She sold one to each.\n#### %d"}`+"\n", i, i)
	}
	out, err := os.Create(filepath.Join(b.TempDir(), "out.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	done, err := datasets.Conversion{Mapping: mapping, To: datasets.JSONL}.File("in", strings.NewReader(text.String()), out)
	if err != nil || done.Queries != b.N {
		b.Fatal(done, err)
	}
}
