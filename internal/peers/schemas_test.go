//go:build peers

package peers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testSchemas validates outputs by the schemas in docs with ajv.
func testSchemas(t *testing.T, b bench) {
	docs, err := filepath.Abs(filepath.Join("..", "..", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{docs}
	for _, c := range []struct{ schema, command string }{
		{"summary", "run --limit 3 --quiet --runs-dir runs"},
		{"plan", "ablate --dry-run"},
		{"summary", "ablate --limit 2 --quiet --runs-dir ablations"},
		{"queries", "report latest --rows queries --runs-dir runs"},
		{"runs", "runs --runs-dir runs"},
		{"operating", "gate simulate --rates 5x0.9 --simulations 20 --quiet"},
		{"results", "ask 2+2 --quiet --runs-dir asked"},
	} {
		out, errs, code := b.run(t, nil, b.concur, append(strings.Fields(c.command), "--format", "json")...)
		if code != 0 {
			t.Fatalf("%s ended with %d: %s", c.command, code, errs)
		}
		file := strings.ReplaceAll(c.command, " ", "_") + ".json"
		if err := os.WriteFile(filepath.Join(b.dir, file), []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, c.schema+"="+file)
	}
	runs, err := filepath.Glob(filepath.Join(b.dir, "*", "*-gold29-*"))
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	for _, run := range runs {
		for _, name := range []string{"results", "trace", "chat"} {
			args = append(args, name+"="+filepath.Join(run, name+".jsonl"))
		}
	}
	b.script(t, nil, b.node, "schemas.mjs", args...)
}
