package assemble

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/secret"
)

// Only texts of a limited size are kept, without keys.
func TestAgentTexts(t *testing.T) {
	var kept agentTexts
	hider := secret.New("hidden-value-17")
	kept.add("a1", []byte("Answer with hidden-value-17."), hider)
	kept.add("b2", []byte("sk"+"-proj-4fJ8sK2mQ9xT7vB3nW6y is a key"), hider)
	kept.add("c3", []byte("not\x00text"), hider)
	kept.add("d4", []byte("\xff\xfe"), hider)
	kept.add("e5", []byte(strings.Repeat("x", maxAgentText+1)), hider)
	dir := t.TempDir()
	if err := kept.write(dir); err != nil {
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
		kept.add(strings.Repeat("f", i+3), []byte(strings.Repeat("y", maxAgentText)), hider)
	}
	if kept.size > maxAgentTexts {
		t.Errorf("%d bytes", kept.size)
	}
}
