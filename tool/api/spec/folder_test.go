package spec_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-5817661a/concur/tool/api/spec"
)

// TestFolder reads all files of the folder that CONCUR_TOOLS names.
func TestFolder(t *testing.T) {
	dir := os.Getenv("CONCUR_TOOLS")
	if dir == "" {
		t.Skip("CONCUR_TOOLS names no folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := spec.Read(filepath.Base(file), text); err != nil {
			t.Error(err)
		}
	}
}
