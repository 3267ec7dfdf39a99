package dialect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadTranscript(t *testing.T) {
	const transcript = "Claim: x\n" +
		"Thought 1: a\nAction 1: Search[x]\nObservation 1: It is\nso.\n\n" +
		"ohh...  I give up.\nAction 2\n" +
		"Thought 2: b\nAction 2: Lookup[y]\nObservation 2: No more results.\n\n\n" +
		"Thought 3: c\nAction 3: Finish[z]"
	want := []exchange{
		{Number: 1, Reply: "Thought 1: a\nAction 1: Search[x]", Observation: "It is\nso."},
		{Number: 2, Rejected: "I give up.\nAction 2", Reply: "Thought 2: b\nAction 2: Lookup[y]", Observation: "No more results."},
		{Number: 3, Reply: "Thought 3: c\nAction 3: Finish[z]"},
	}
	if diff := cmp.Diff(want, readTranscript(transcript)); diff != "" {
		t.Errorf("exchanges (-want +got):\n%s", diff)
	}
	for _, text := range []string{"", "nothing of the kind", "Action 1: x\nObservation 1: y"} {
		if got := readTranscript(text); len(got) != 0 {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

// FuzzReadTranscript checks that every reply is a part of the transcript, and that the replies are in order.
func FuzzReadTranscript(f *testing.F) {
	f.Add("Thought 1: a\nAction 1: Search[x]\nObservation 1: y\n\nohh...  z\nThought 2: b\nAction 2: Finish[c]")
	f.Add("Thought 99999999999999999999: a\nObservation 1:")
	f.Fuzz(func(t *testing.T, text string) {
		size := 0
		for _, e := range readTranscript(text) {
			size += len(e.Rejected) + len(e.Reply) + len(e.Observation)
		}
		if size > len(text) {
			t.Errorf("%d bytes are made of %q", size, text)
		}
	})
}
