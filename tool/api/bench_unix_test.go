//go:build unix

package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/tool/api"
)

// memory replies from memory.
type memory string

func (m memory) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Request: req, ContentLength: int64(len(m)),
		Body: io.NopCloser(strings.NewReader(string(m)))}, nil
}

// processorTime returns the time that this process has used.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkCall measures the processor time of a call with 20 documents, without the network. It should be 1 ms for
// JSON, and 2 ms for XML and HTML; it fails at four times that, because a busy machine has slower processors.
func BenchmarkCall(b *testing.B) {
	read := func(kind string) string {
		return strings.NewReplacer("query: {q: =$args.query}", `query: {q: =$args.query}
    read: {`+kind+`: {total: //total, items: {each: //item, id: ./@id, title: ./h, source: ./@from, snippet: ./s}}}`).Replace(stones)
	}
	var list []map[string]any
	var page strings.Builder
	for i := range 20 {
		text := fmt.Sprintf("Stone %d is red &amp; <b>hard</b>. ", i) + strings.Repeat("It lies by the river and shines. ", 20)
		list = append(list, map[string]any{"id": i, "title": fmt.Sprintf("Stone %d", i), "source": "https://stones.example/", "snippet": text, "score": 0.5})
		fmt.Fprintf(&page, `<item id="%d" from="https://stones.example/"><h>Stone %d</h><s>%s</s></item>`, i, i, text)
	}
	raw, err := json.Marshal(map[string]any{"items": list})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name, file, body string
		most             time.Duration
	}{
		{"JSON", strings.Replace(stones, "'.items[]'", "'.items[]', title: .title | text, snippet: .snippet | text", 1), string(raw), time.Millisecond},
		{"XML", read("xml"), "<list>" + page.String() + "</list>", 2 * time.Millisecond},
		{"HTML", read("html"), "<html><body>" + page.String() + "</body></html>", 2 * time.Millisecond},
	} {
		b.Run(c.name, func(b *testing.B) {
			one := open(b, c.file, map[string]any{"host": "https://stones.example"}, api.NewRun(api.Options{Transport: memory(c.body)}))
			began := processorTime(b)
			for b.Loop() {
				out, err := one.Call(b.Context(), json.RawMessage(`{"query": "red hard stone"}`))
				if err != nil || len(out.Documents) != 20 {
					b.Fatal(err, len(out.Documents))
				}
			}
			each := (processorTime(b) - began) / time.Duration(b.N)
			b.ReportMetric(each.Seconds()*1000, "cpu-ms/op")
			if each > 4*c.most {
				b.Errorf("a call takes %v of a processor, want at most %v", each, c.most)
			}
		})
	}
}
