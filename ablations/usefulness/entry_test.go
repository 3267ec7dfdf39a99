package usefulness

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model/gain"
	"github.com/seed-5817661a/concur/trace"
)

func TestEntryLine(t *testing.T) {
	tokens := 12
	whole := Entry{Scorer: "s", ID: trace.ID{Agent: "a", Query: "q\"\n", Trace: 1}, Path: "turn#1", Call: 2, CallID: `","crc":"`, Tool: "look", Digest: "d", Tokens: &tokens}.
		with(gain.Losses{Result: 1, NoCall: 3, Empty: 2, Tokens: 4})
	for _, e := range []Entry{whole, {Scorer: "s", Undefined: Overflow}} {
		line, err := e.encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := decode(line)
		if d := cmp.Diff(e, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", line, err, d)
		}
		for i := range line[:len(line)-1] {
			changed := []byte(string(line))
			changed[i] ^= 1
			if _, err := decode(changed); err == nil {
				t.Errorf("a changed byte %d of %s was not found", i, line)
			}
		}
	}
}

// The checksum shows damage, not who wrote the line: numbers and reasons are checked too.
func TestForgedEntries(t *testing.T) {
	two, one := 2., 1.
	for name, e := range map[string]Entry{
		"no gain":         {},
		"unknown reason":  {Undefined: "whatever"},
		"gain and reason": {Undefined: NoToken, Gain: &one},
		"other gain":      {Gain: &two, Loss: &one, LossNoCall: &two, LossEmpty: &two, Weighed: 5},
		"no tokens":       {Gain: &one, Loss: &one, LossNoCall: &two, LossEmpty: &two},
		"too many tokens": {Gain: &one, Loss: &one, LossNoCall: &two, LossEmpty: &two, Weighed: 6},
		"no loss":         {Gain: &one, LossNoCall: &two, LossEmpty: &two, Weighed: 5},
	} {
		line, err := e.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(line); err == nil || strings.Contains(err.Error(), "checksum") {
			t.Errorf("%s: got the error %v", name, err)
		}
	}
}
