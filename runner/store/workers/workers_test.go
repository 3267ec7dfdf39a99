package workers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/store/workers"
	"github.com/seed-5817661a/concur/trace"
)

// added adds lines in a session of its own.
func added(t *testing.T, dir string, lines ...[2]string) {
	t.Helper()
	log, err := workers.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range lines {
		if err := log.Add(trace.ID{Agent: "a", Query: l[0], Trace: i}, l[1], "v1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestSumsAndTraces(t *testing.T) {
	dir := t.TempDir()
	if sums, err := workers.Sums(dir); sums != nil || err != nil {
		t.Errorf("without a file: %v, %v", sums, err)
	}
	added(t, dir, [2]string{"q1", "left"}, [2]string{"q1", "right"}, [2]string{"q2", "left"})
	file, err := os.OpenFile(filepath.Join(dir, workers.File), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(file, `{"agent":"a","query":"q1","trace":0,"wor`) // the process was killed
	file.Close()
	added(t, dir, [2]string{"q1", "later"}) // trace 0 of q1 once more
	sums, err := workers.Sums(dir)
	if diff := cmp.Diff(map[string]workers.Worker{"left": {"v1", 2}, "right": {"v1", 1}, "later": {"v1", 1}}, sums); err != nil ||
		diff != "" {
		t.Errorf("error %v, sums (-want +got):\n%s", err, diff)
	}
	by, err := workers.Of(dir, "q1")
	want := map[trace.ID]string{{Agent: "a", Query: "q1"}: "later", {Agent: "a", Query: "q1", Trace: 1}: "right"}
	if diff := cmp.Diff(want, by); err != nil || diff != "" {
		t.Errorf("error %v, workers of q1 (-want +got):\n%s", err, diff)
	}
}

// A link in a folder of somebody else is not followed.
func TestOtherKindOfFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(t.TempDir(), "x"), filepath.Join(dir, workers.File)); err != nil {
		t.Skip(err)
	}
	if _, err := workers.Sums(dir); err == nil {
		t.Error("a link was read")
	}
	if _, err := workers.Open(dir); err == nil {
		t.Error("a link was written")
	}
}

func ExampleSums() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	log, err := workers.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = log.Add(trace.ID{Agent: "0123456789abcdef", Query: "q1"}, "laptop-1a2b3c", "v1.0.0")
	fmt.Println(err, log.Close())
	fmt.Println(workers.Sums(dir))
	// Output:
	// <nil> <nil>
	// map[laptop-1a2b3c:{v1.0.0 1}] <nil>
}
