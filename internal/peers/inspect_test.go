//go:build peers

package peers

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inspectPackage is the version of Inspect AI that reads the logs which concur writes.
const inspectPackage = "inspect_ai==0.3.285"

// TestInspectReads lets Inspect AI read a run that was exported as its log, and concur the
// same log: both must count what the run has.
func TestInspectReads(t *testing.T) {
	python := lookUpPython(t)
	b := bench{dir: t.TempDir(), most: clientTime}
	script, err := os.ReadFile("testdata/inspect_log.py")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "inspect_log.py"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	packages := filepath.Join(b.dir, "python")
	b.install(t, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir", "--only-binary=:all:", "--retries=1", "--target="+packages, inspectPackage)
	b.build(t)
	concur := func(args ...string) (stdout, stderr string) {
		t.Helper()
		stdout, stderr, code := b.run(t, nil, b.concur, args...)
		if code != 0 {
			t.Fatalf("concur %s ended with %d:\n%s", strings.Join(args, " "), code, stderr)
		}
		return stdout, stderr
	}
	concur("run", "--quiet", "--category", "calculation,safety")
	concur("export", "latest", "--format", "inspect", "--out", "log.json")
	votes, _ := concur("export", "latest", "--format", "votes")
	stdout, stderr, code := b.run(t, []string{"PYTHONPATH=" + packages}, python, "inspect_log.py", "log.json")
	var read struct {
		Samples, Epochs, Correct, Incorrect, Calls int
		Status                                     string
	}
	if err := json.Unmarshal([]byte(stdout), &read); err != nil || code != 0 {
		t.Fatalf("Inspect ended with %d, %v:\n%s%s", code, err, stdout, stderr)
	}
	verdicts := map[string]int{}
	rows, err := csv.NewReader(strings.NewReader(votes)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		verdicts[row[slices.Index(rows[0], "verdict")]]++
	}
	if read.Status != "success" || read.Epochs != 3 || read.Samples != len(rows)-1 || read.Calls == 0 || read.Correct != verdicts["correct"] || read.Incorrect != verdicts["incorrect"] {
		t.Errorf("Inspect read %+v of %v", read, verdicts)
	}
	_, back := concur("import", "log.json")
	if want := fmt.Sprintf("%d traces correct, %d incorrect", read.Correct, read.Incorrect); !strings.Contains(back, want) {
		t.Errorf("concur reads %q, not %q", back, want)
	}
}
