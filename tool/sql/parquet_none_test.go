//go:build !parquet

package sql_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without its build tag, Parquet is refused with what to do.
func TestParquetIsNotBuilt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.parquet")
	if err := os.WriteFile(file, []byte("PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := declare("database: " + file)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Open(t.Context()); err == nil || !strings.Contains(err.Error(), "t.parquet: this program was built without Parquet: build it with -tags parquet") {
		t.Error(err)
	}
}
