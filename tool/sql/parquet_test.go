//go:build parquet

package sql_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool"
)

// ask runs a statement on a database and returns the rows as JSON.
func ask(t *testing.T, database, statement string) string {
	t.Helper()
	d, err := declare("database: " + database)
	if err != nil {
		t.Fatal(err)
	}
	var opened tool.Tool
	if opened, _, err = d.Open(t.Context()); err != nil {
		return "error: " + err.Error()
	}
	defer opened.(interface{ Close() error }).Close()
	raw, _ := json.Marshal(map[string]string{"statement": statement}) // encoding texts never fails
	out, err := opened.Call(t.Context(), raw)
	if err != nil {
		return "error: " + err.Error()
	}
	rows, _ := json.Marshal(out.Object["rows"]) // JSON holds all values of rows
	return string(rows)
}

// The types of files that pyarrow 26.0.1 wrote, also in the form of older programs, whose times are INT96.
func TestParquet(t *testing.T) {
	for _, c := range []struct{ file, statement, want string }{
		{"types", "SELECT id, small, u64, name, price, f FROM types", `[[9007199254740993,1,"18446744073709551615","Zoë",0.1,0.1],[null,2,"7","","Infinity",2.5],[-1,null,null,null,null,null]]`},
		{"types", "SELECT day, at, ms, t FROM types", `[["2026-02-01","2026-02-01 03:04:05.6","2026-02-01 03:04:05.6","10:00:01"],["1969-12-31","1960-01-01 00:00:00.000001",null,null],[null,null,null,null]]`},
		{"types", "SELECT cost, big, ok, raw, kind, none FROM types", `[[12.5,"12345678901234567890.123",1,"[blob of 2 bytes]","a",null],[-0.05,"-1.000",0,"[blob of 0 bytes]","b",null],[null,null,null,null,"a",null]]`},
		{"types", "SELECT strftime('%Y', at), sum(small) FROM types WHERE id > 0", `[["2026",1]]`},
		{"old", "SELECT * FROM old", `[[9007199254740993,"2026-02-01 03:04:05.6","Zoë"],[null,"1960-01-01 00:00:00.000001",""],[-1,null,null]]`},
		{"lists", "SELECT * FROM lists", "error: database testdata/lists.parquet: lists.parquet: the column tags has lists or objects: write its parts as columns"},
	} {
		if got := ask(t, "testdata/"+c.file+".parquet", c.statement); got != c.want {
			t.Errorf("%s: got %s, want %s", c.statement, got, c.want)
		}
	}
}

// A damaged file is an error and nothing worse, at whichever 97th byte it was cut or changed.
func TestParquetDamaged(t *testing.T) {
	whole, err := os.ReadFile("testdata/types.parquet")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "t.parquet")
	for i := 0; i < len(whole); i += 97 {
		changed := append(append(append([]byte{}, whole[:i]...), whole[i]^0xff), whole[i+1:]...)
		for name, text := range map[string][]byte{"cut": whole[:i], "changed": changed} {
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := ask(t, file, "SELECT count(*) FROM t"); name == "cut" && !strings.HasPrefix(got, "error: ") {
				t.Fatalf("%s at byte %d: %s", name, i, got)
			}
		}
	}
}
