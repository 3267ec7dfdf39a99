package resultset_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/resultset"
)

// Texts that are read as a table, and the key of the table; "" for a text that is no table.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		`[[1, "a"], [2, null]]`: `[[1,"a"],[2,null]]`,
		`[]`:                    `[]`,
		`[1, 2, 3]`:             `[[1],[2],[3]]`,
		`["b", "a"]`:            `[["b"],["a"]]`,
		`[{"n": 1, "s": "a"}, {"s": "b", "n": 2}]`:              `[[1,"a"],[2,"b"]]`,
		`[{"n": 1, "s": "a"}, {"n": 2}]`:                        `[[1,"a"],[2,null]]`,
		`[{"n": 1}, {"n": 2, "s": "b"}]`:                        "",
		`{"columns": ["n"], "rows": [[1.0], [1e1]]}`:            `[[1],[10]]`,
		`{"columns": ["s", "n"], "rows": [{"n": 1, "s": "a"}]}`: `[["a",1]]`,
		`{"columns": ["n", "s"], "rows": [[1]]}`:                "",
		`{"data": [[true, false]]}`:                             `[[1,0]]`,
		`{"answer": [[1, 2]]}`:                                  `[[1,2]]`,
		`{"answer": 3}`:                                         "",
		`[[1, 2], [3]]`:                                         "",
		`[[1, [2]]]`:                                            "",
		`[[]]`:                                                  "",
		`[[1], 2]`:                                              `[[1],[2]]`,
		`[[1]] and more`:                                        "",
		"```json\n[[1]]\n```":                                   `[[1]]`,
		"~~~\n[[1]]\n~~~":                                       `[[1]]`,
		"| a | b |\n|---|:-:|\n| 1 | x |\n| 1,234.50 | |":       `[[1,"x"],[1234.5,null]]`,
		"a | b\n--|--\n**2** | `x`":                             `[[2,"x"]]`,
		"| a | b |\n|---|---|":                                  `[]`,
		"| a | b |\n|---|---|\n| x \\| y | NULL |":              `[["x | y",null]]`,
		"| a | b |\n|---|---|\n| 1 |":                           `[[1,null]]`,
		"| a |\n|---|\n| 1 | 2 |":                               "",
		"| a | b |\n|---|":                                      "",
		"n,s\n1,a\n2,\"b, c\"\n":                                `[[1,"a"],[2,"b, c"]]`,
		"n;s\r\n1;a\r\n2;007":                                   `[[1,"a"],[2,"007"]]`,
		"n\ts\n1\ttrue":                                         `[[1,1]]`,
		"1,a\n2,b":                                              `[[1,"a"],[2,"b"]]`,
		"a,b\nc":                                                "",
		"one line, with a comma":                                "",
		"two\nlines":                                            "",
		"```csv\nname\nAda\n```":                                `[["Ada"]]`,
		"":                                                      "",
		"```\n```":                                              "",
		"[":                                                     "",
		"{\"rows\": [[1]], \"cut\": true}":                      `[[1]]…`,
		`[["a\u0000b", "é", "é"]]`:                              `[["a\u0000b","é","é"]]`,
		`[[0, -0, 0.0, 0e5, -1.50, 1E-3]]`:                      `[[0,0,0,0,-1.5,0.001]]`,
		`[[12345678901234567890, 9007199254740993, 1e400, 1e-400]]`:          `[[12345678901234567890,9007199254740993,1e400,1e-400]]`,
		`[[0.30000000000000004, 2.9999999999999996, 0.1234567890123456789]]`: `[[0.3,3,0.1234567890123456789]]`,
		`[[1e999999999999]]`: "",
	} {
		table, err := resultset.Parse(text)
		got := ""
		if err == nil {
			got = table.Key(true)
		}
		if got != want {
			t.Errorf("%s: %s (%v), want %s", text, got, err, want)
		}
	}
}

// The last table of a message, with text around it.
func TestFind(t *testing.T) {
	const markdown = "| a | b |\n|---|---|\n| 1 | 2 |"
	for message, want := range map[string]string{
		"Here it is:\n\n" + markdown + "\n\nThat is all.": markdown,
		"Answer: [[1, 2]]":                                "[[1, 2]]",
		"**Answer:** [[1, 2]] as asked":                   "[[1, 2]]",
		"First [[1]] and then":                            "",
		"See [1] and [2].":                                "",
		"[1]: a note":                                     "",
		"Rows:\n[\n [1, 2],\n [3, 4]\n]\nDone.":           "[\n [1, 2],\n [3, 4]\n]",
		"```json\n[[1]]\n```\nand\n```csv\na,b\n1,2\n```": "```csv\na,b\n1,2\n```",
		"```sql\nSELECT a, b\nFROM t, u\n```\n":           "",
		"```python\n[[1]]\n```\n":                         "",
		"```\nno end\n[[1]]":                              "[[1]]",
		markdown + "\n\n```json\n{\"a\": 1}\n```":         markdown,
		`{"columns": ["a"], "rows": [[1]]}`:               `{"columns": ["a"], "rows": [[1]]}`,
		"a | b and c | d":                                 "",
		"no table, but a comma\nin, two lines":            "",
	} {
		if got, ok := resultset.Find(message); got != want || ok != (want != "") {
			t.Errorf("%q: %q", message, got)
		}
	}
}

// Reasons for a difference: one line with the first row that differs, or the counts.
func TestDifference(t *testing.T) {
	for _, c := range []struct {
		have, gold string
		ordered    bool
		want       string
	}{
		{`[[1, "a"]]`, `[[1.0, "a"]]`, true, ""},
		{`[[2], [1]]`, `[[1], [2]]`, false, ""},
		{`[[2], [1]]`, `[[1], [2]]`, true, "row 1 is [2], and the gold's is [1]"},
		{`[[1], [3]]`, `[[1], [2]]`, false, "the row [2] is missing"},
		{`[[1], [1], [2]]`, `[[1], [2], [2]]`, false, "the row [2] is missing (it is there 1 time, and 2 times in the gold)"},
		{`[[1], [2], [2]]`, `[[1], [2]]`, false, "it has 3 rows, and the gold has 2: the row [2] is too much (it is there 2 times, and 1 time in the gold)"},
		{`[[1], [2]]`, `[[1], [2], [3]]`, true, "it has 2 rows, and the gold has 3: the row [3] is missing"},
		{`[[1], [3]]`, `[[1], [2], [3]]`, true, "it has 2 rows, and the gold has 3: row 2 is [3], and the gold's is [2]"},
		{`[[1, 2]]`, `[[1]]`, false, "it has 2 columns, and the gold has 1"},
		{`[]`, `[[1]]`, false, "it has 0 rows, and the gold has 1: the row [1] is missing"},
		{`[]`, `[]`, true, ""},
		{`{"rows": [[1]], "cut": true}`, `[[1]]`, false, "it has more than 1 row, and the gold has 1"},
		{`[["1"]]`, `[[1]]`, false, "the row [1] is missing"},
		{`[[null]]`, `[[0]]`, false, "the row [0] is missing"},
		{`[[null]]`, `[[""]]`, false, `the row [""] is missing`},
		{`[["Ada"]]`, `[["ada"]]`, false, `the row ["ada"] is missing`},
		{`[["Ada "]]`, `[["Ada"]]`, false, `the row ["Ada"] is missing`},
		{`[["2026-01-05"]]`, `[["05.01.2026"]]`, false, `the row ["05.01.2026"] is missing`},
		{`[[9007199254740993]]`, `[[9007199254740992]]`, false, "the row [9007199254740992] is missing"},
		// without types
		{"a,b\n1,x", `[["1", "x"]]`, false, ""},
		{"a,b\n1.0,x", `[[1, "x"]]`, false, ""},
		{"a,b\n ,x", `[["", "x"]]`, false, ""},
		{"a,b\nNULL,x", `[[null, "x"]]`, false, ""},
		{"a,b\n0,x", `[[null, "x"]]`, false, `the row [null,"x"] is missing`},
		{"a,b\n7,x", `[["007", "x"]]`, false, `the row ["007","x"] is missing`},
		{"a,b\n007,x", `[["007", "x"]]`, false, ""},
		{"a,b\n1,X", `[[1, "x"]]`, false, `the row [1,"x"] is missing`},
	} {
		have, err := resultset.Parse(c.have)
		gold, wrong := resultset.Parse(c.gold)
		if err != nil || wrong != nil {
			t.Fatal(c, err, wrong)
		}
		if got := resultset.Difference(have, gold, c.ordered); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.have, c.gold, got, c.want)
		}
		if typed := !have.Plain && !gold.Plain && !have.Cut; typed && (have.Key(c.ordered) == gold.Key(c.ordered)) != (c.want == "") {
			t.Errorf("%s, %s: the keys say something else", c.have, c.gold)
		}
	}
	long, _ := resultset.Parse(`[["` + strings.Repeat("x\\n", 1000) + `"]]`)
	short, _ := resultset.Parse(`[["x"]]`)
	if why := resultset.Difference(short, long, false); len(why) > 160 || strings.Contains(why, "\n") {
		t.Errorf("%q", why)
	}
}

func TestOf(t *testing.T) {
	table, err := resultset.Of([]string{"a", "b"}, [][]any{{json.Number("1"), 2.5}, {nil, "x"}})
	if err != nil || table.JSON() != `{"columns":["a","b"],"rows":[[1,2.5],[null,"x"]]}` {
		t.Error(table.JSON(), err)
	}
	for _, rows := range [][][]any{{{1, 2}}, {{"a"}}, {{[]any{}, "b"}}, {{"a", "b"}, {"c"}}} {
		if _, err := resultset.Of([]string{"a", "b"}, rows); err == nil {
			t.Errorf("%v has no error", rows)
		}
	}
	if many := strings.Repeat(",[1]", 500); !strings.Contains(keyOf(t, "[[2]"+many+"]"), "501 rows of 1:sha256:") ||
		keyOf(t, "[[2]"+many+"]") == keyOf(t, "[[3]"+many+"]") {
		t.Error("the key of many rows")
	}
}

func keyOf(t *testing.T, s string) string {
	table, err := resultset.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return table.Key(false)
}

// What a message holds never fails, and a table that was found is read again with the same key from its JSON.
func FuzzFind(f *testing.F) {
	for _, s := range []string{"[[1]]", "| a |\n|--|\n| 1 |", "```csv\na,b\n1,2\n```", "{\"rows\":[[1e5,null]]}", "a;b\n1;2", "[{\"a\":1}]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, message string) {
		for _, text := range []string{message, "```json\n" + message + "\n```"} {
			found, ok := resultset.Find(text)
			if !ok {
				continue
			}
			table, err := resultset.Parse(found)
			if err != nil {
				t.Fatalf("%q is found and not read: %v", found, err)
			}
			again, err := resultset.Parse(table.JSON())
			if err != nil || again.Key(true) != table.Key(true) || resultset.Difference(again, table, true) != "" && !table.Cut {
				t.Errorf("%q: %s, again %s (%v)", found, table.Key(true), again.Key(true), err)
			}
		}
	})
}
