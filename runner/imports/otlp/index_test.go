package otlp

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// The entries of a file with several sorted parts are in the order of a stable sort, with all their fields.
func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, perPart - 1, perPart, perPart + 1, 3*perPart + 5*perRead/2} {
		var x index
		var want []entry
		for i := range n {
			e := entry{start: uint64(random.IntN(4)), end: random.Uint64(), at: int64(i) - 1, size: int32(i),
				service: int32(random.IntN(3)), kind: kind(random.IntN(6)), server: i%2 == 0, log: i%3 == 0, indexed: i%5 == 0}
			binary.BigEndian.PutUint32(e.traceID[3:], uint32(random.IntN(1+n/20)))
			binary.BigEndian.PutUint64(e.id[:], uint64(i))
			binary.BigEndian.PutUint64(e.parent[:], random.Uint64())
			want = append(want, e)
			if err := x.add(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.merge(); err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(want, func(a, b entry) int { return a.compare(&b) })
		for first := 0; first < n; {
			got, err := x.trace(int64(first))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want[first:first+len(got)]) {
				t.Fatalf("%d entries: those of the trace at %d differ from a stable sort", n, first)
			}
			first += len(got)
			if first < n && want[first].traceID == want[first-1].traceID {
				t.Fatalf("%d entries: the trace before %d was cut", n, first)
			}
		}
		if err := x.close(); err != nil {
			t.Error(err)
		}
	}
}
