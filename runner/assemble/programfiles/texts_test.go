package programfiles

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/secret"
)

// Only texts of a limited size are kept, without keys.
func TestTexts(t *testing.T) {
	var kept Texts
	hider := secret.New("hidden-value-17")
	kept.Add("a1", []byte("Answer with hidden-value-17."), hider)
	kept.Add("b2", []byte("sk"+"-proj-4fJ8sK2mQ9xT7vB3nW6y is a key"), hider)
	kept.Add("c3", []byte("not\x00text"), hider)
	kept.Add("d4", []byte("\xff\xfe"), hider)
	kept.Add("e5", []byte(strings.Repeat("x", maxText+1)), hider)
	dir := t.TempDir()
	if err := kept.Write(dir); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(kept.texts)); !slices.Equal(got, []string{"a1", "b2"}) {
		t.Errorf("kept %v", got)
	}
	for name, want := range map[string]string{"agent-a1.txt": "Answer with [API key].", "agent-b2.txt": "[API key] is a key"} {
		if raw, err := os.ReadFile(dir + "/" + name); err != nil || string(raw) != want {
			t.Errorf("%s: %q, %v", name, raw, err)
		}
	}
	for i := range 100 {
		kept.Add(strings.Repeat("f", i+3), []byte(strings.Repeat("y", maxText)), hider)
	}
	if kept.size > maxTexts {
		t.Errorf("%d bytes", kept.size)
	}
}
