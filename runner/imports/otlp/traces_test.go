package otlp_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/seed-5817661a/concur/runner/imports/otlp"
)

// Conversations can be read in any order, by several goroutines: those of large traces in turn, each with the spans
// above it.
func TestReadInTurn(t *testing.T) {
	const many = 3_000
	id := func(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n+1)) }
	var spans []*tracepb.Span
	for i := range 2 * many {
		trace, n := byte(1+i%2), i/2
		of := []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.input.messages", fmt.Sprintf("%d of %d?", n, trace), "gen_ai.output.messages", fmt.Sprint(n)}
		if n == 0 {
			of = []string{"app.gold", fmt.Sprint("gold ", trace)}
		}
		s := &tracepb.Span{TraceId: bytes.Repeat([]byte{trace}, 16), SpanId: id(n), StartTimeUnixNano: uint64(n + 1), Attributes: texts(of...)}
		if n > 0 {
			s.ParentSpanId = id(0)
		}
		spans = append(spans, s)
	}
	s, err := otlp.Read(bytes.NewReader(marshal(t, request(spans...))), otlp.Options{Fields: map[string]string{"gold": "app.gold"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var refs []otlp.Ref
	for ref, err := range s.Conversations() {
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	if len(refs) != 2*(many-1) {
		t.Fatalf("%d conversations", len(refs))
	}
	var all sync.WaitGroup
	for part := range 2 {
		all.Go(func() {
			for n := range many - 1 {
				trace := (n + part) % 2
				c, err := refs[trace*(many-1)+n].Read()
				want := fmt.Sprintf("%d of %d? %d gold %d", n+1, trace+1, n+1, trace+1)
				if got := fmt.Sprintf("%s %s %s", c.Question, c.Message, c.Gold); err != nil || got != want {
					t.Errorf("%q, not %q: %v", got, want, err)
				}
			}
		})
	}
	all.Wait()
}
