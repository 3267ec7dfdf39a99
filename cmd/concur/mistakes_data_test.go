package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seed-5817661a/concur/cmd/concur/console"
)

// spreadsheet is a text as a spreadsheet program saves it as Unicode.
func spreadsheet(s string) string {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune("\uFEFF" + s)) {
		b.Write([]byte{byte(u), byte(u >> 8)})
	}
	return b.String()
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s)) // into memory
	z.Close()
	return b.String()
}

// dataMistakes are what users bring in place of a dataset, or with mistakes in it. Each row is a command line over one
// file, the exit code, and a line on standard error that says place, fact and way out.
var dataMistakes = []struct {
	kind int // the number in the list of kinds, 0 for others
	name string
	file string // its name
	text string
	line string // FILE stands for its name
	code int
	want string // regular expression
}{
	{14, "question,answer", "q.csv", "question,answer\nWhat is 2 + 2?,4\n", "run FILE --dry-run", 0, `FILE: query from "question", id q-0001, category all`},
	{14, "no type", "q.csv", "question,answer\nWhat is 2 + 2?,4\nWho?,Ann\n", "run FILE --dry-run", 0, "types guessed from the answers: 1 integer, 1 entity; `concur datasets convert FILE` writes them to a file that you can edit"},
	{14, "names of another language", "q.csv", "Kysymys,Vastaus\na,b\n", "run FILE", 2, "FILE:1:1: no column has the query; there are Kysymys, Vastaus; name it query or question, or map it: `concur datasets convert FILE --map query=NAME,answer=NAME`"},
	{14, "an answer misspelt", "q.csv", "question,anwser\na,b\n", "run FILE", 2, `FILE:1:1: no column has the answer; there are question, anwser \(anwser: did you mean answer\?\); name it answer`},
	{14, "other columns", "q.csv", "question,answer,level\na,b,c\n", "run FILE --dry-run", 0, `kept as metadata: "level"`},
	{14, "a column misspelt", "q.csv", "question,answer,sorce\na,b,c\n", "run FILE --dry-run", 0, `"sorce" is metadata; did you mean "source"\?`},
	{15, "semicolons", "q.csv", "question;answer\na?;3,5\nb?;2,25\n", "run FILE --dry-run", 0, `FILE: semicolons between cells, query from "question", decimal commas,`},
	{15, "tabs", "q.csv", "question\tanswer\na\tb\n", "run FILE --dry-run", 0, `FILE: tabs between cells, query from "question"`},
	{16, "capitals", "q.csv", "ID,Category,Query,Type,Answer\na,c,q,text,b\n", "datasets check FILE", 0, ``},
	{17, "a byte order mark, Windows' ends", "q.csv", "\uFEFFquestion,answer\r\na,b\r\n", "run FILE --dry-run", 0, `FILE: query from "question"`},
	{18, "Latin-1", "q.csv", "question,answer\nCaf\xe9?,b\n", "run FILE", 2, `FILE:2:1: question: this is not UTF-8; save the file as UTF-8, in Excel as "CSV UTF-8"`},
	{18, "UTF-16", "q.csv", spreadsheet("Frage\tAntwort\r\nWo liegt Köln?\tam Rhein\r\n"), "run FILE --dry-run", 0, `FILE: tabs between cells, UTF-16, query from "Frage", answer from "Antwort"`},
	{19, "a tab in YAML", "q.yaml", "- id: a\n\tquery: q\n", "run FILE", 2, `FILE:2: found a tab character that violates indentation \(the line is indented with a tab; use spaces\)`},
	{20, "an id twice", "q.csv", "id,question,answer\na,b,c\na,d,e\n", "run FILE", 2, `FILE:3:1: id: duplicate id "a", first on line 2`},
	{20, "an id that a place takes", "q.csv", "id,question,answer\nq-0002,b,c\n,d,e\n", "run FILE", 2, `FILE:3:1: id: the query has no id, and the id of its position, "q-0002", is used on line 2; give it an id`},
	{21, "input and target in JSONL", "q.jsonl", `{"input":"a","target":"b"}`, "run FILE --dry-run", 0, `FILE: query from "input", answer from "target", id q-0001`},
	{21, "question and answer in JSON", "q.json", `[{"question":"a","answer":"b"}]`, "run FILE --dry-run", 0, `FILE: query from "question"`},
	{21, "other names in JSONL", "q.jsonl", `{"kysymys":"a","vastaus":"b"}`, "run FILE", 2, "FILE:1:2: no field has the query; there are kysymys, vastaus; name it query or question, or map it: `concur datasets convert FILE"},
	{21, "several answers", "q.jsonl", `{"question":"a","answer":["b","c"]}`, "run FILE", 2, "2 answers: take the first and its aliases with `concur datasets convert FILE --map answer=answer.0,aliases=answer`"},
	{22, "a configuration of promptfoo", "promptfooconfig.yaml", "prompts: [a]\nproviders: [b]\ntests: []\n", "run FILE", 2, `FILE: this is a configuration of promptfoo; the command for it is: concur datasets convert FILE --mapping promptfoo --out queries.yaml`},
	{23, "an ablation to run", "spec.yaml", "base: {k: 1}\nconfigurations: [{name: a}]\n", "run FILE", 2, `FILE: this is an ablation; the command for it is: concur ablate FILE`},
	{23, "a configuration to run", "concur-1.yaml", "model: offline:reader\n", "run FILE", 2, `FILE: this is a configuration of concur; the command for it is: concur run --config FILE`},
	{23, "a dataset to ablate", "q.yaml", "- {query: a, gold: {answer: b}}\n", "ablate FILE", 2, `FILE: this is a dataset; the command for it is: concur run FILE; to use it in an ablation: concur ablate --dataset FILE`},
	{23, "a table to ablate", "q.csv", "question,answer\na,b\n", "ablate FILE", 2, `FILE: this is a dataset; the command for it is: concur run FILE`},
	{23, "a dataset as the configuration", "q.yaml", "- {query: a, gold: {answer: b}}\n", "run --config FILE", 2, `FILE: this is a dataset; the command for it is: concur run FILE`},
	{23, "a results file", "results.jsonl", `{"schema":"concur/results/v1"}` + "\n{}\n", "run FILE", 2, `FILE: this is a results file of a run; the command for it is: concur report \.`},
	{23, "a summary", "result.json", `{"schema":"concur/summary/v1","configurations":[{}]}`, "run FILE", 2, `FILE: this is the summary of a run; the command for it is: concur report latest`},
	{23, "a baseline", "base.json", `{"schema":"concur/baseline/v2","runs":[]}`, "run FILE", 2, `FILE: this is a baseline; the command for it is: concur gate --baseline FILE`},
	{24, "an empty table", "q.csv", "", "run FILE", 2, `FILE: the file is empty; it needs a row with the names of the columns`},
	{24, "an empty YAML file", "q.yaml", "", "run FILE", 2, `FILE: the file is empty`},
	{25, "number as a type", "q.csv", "question,type,answer\na,number,5\n", "run FILE", 2, `FILE:2:3: type: unknown answer type "number": write decimal, or integer for whole numbers`},
	{25, "a type in capitals", "q.csv", "question,type,answer\na,Integer,5\n", "run FILE", 2, `FILE:2:3: type: unknown answer type "Integer": use one of integer, decimal`},
	{26, "words as an integer", "q.csv", "question,type,answer\na,integer,forty-ish\n", "run FILE", 2, `FILE:2:11: answer: not an integer: "forty-ish"`},
	{26, "maybe as a boolean", "q.csv", "question,type,answer\na,boolean,maybe\n", "run FILE", 2, `FILE:2:11: answer: not a boolean: .*"maybe"`},
	{26, "a date with two readings", "q.csv", "question,type,answer\na,date,03/04/2024\n", "run FILE", 2, `FILE:2:8: answer: "03/04/2024" can be read in two ways as date; write it so that it cannot`},
	{26, "a date with two readings, without a type", "q.csv", "question,answer\na,03/04/2024\n", "run FILE --dry-run", 0, `FILE:2: "03/04/2024" can be read in two ways, so it is compared as a name; write a date as 2024-04-03`},
	{26, "dollars", "q.csv", "question,answer\na,$5\n", "run FILE --dry-run", 0, `FILE:2: "\$5" has the sign of several currencies, and is read as the most common one; write another with its code, such as CAD 5`},
	{27, "an answer beside the gold", "q.yaml", "- {query: a, gold: {type: text}, answer: b}\n", "run FILE", 2, `FILE:1:34: \[0\].answer: unknown field "answer"; it belongs in the gold: gold: {answer: …}`},
	{27, "expected beside the gold", "q.yaml", "- {query: a, gold: {type: text}, expected: b}\n", "run FILE", 2, `unknown field "expected"; write it as answer in the gold: gold: {answer: …}`},
	{28, "a workbook", "q.xlsx", "PK\x03\x04", "run FILE", 2, `FILE is a workbook of a spreadsheet program; save it as CSV \(UTF-8\)`},
	{28, "a workbook named .csv", "q.csv", "PK\x03\x04", "run FILE", 2, `FILE: this is a workbook of a spreadsheet program; save it as CSV \(UTF-8\)`},
	{28, ".tsv", "q.tsv", "question\tanswer\na \"b\" c\td\n", "run FILE --dry-run", 0, `FILE: tabs between cells, quotes as text, query from "question"`},
	{28, "Parquet", "q.parquet", "PAR1", "run FILE", 2, `this program was built without Parquet: build it with -tags parquet`},
	{29, "a large YAML file", "q.yaml.gz", zipped("- query: \"" + strings.Repeat("x", 65<<20) + "\"\n"), "run FILE", 2, `FILE: the file is larger than 64 MiB; write it as JSONL, which may have any size`},
	{30, "a blank row", "q.csv", "question,answer\n,\na,b\n,\n", "run FILE --dry-run", 0, `FILE: query from "question", id q-0001`},
	{30, "a row without an answer", "q.csv", "question,answer\na,b\nc,\n", "run FILE", 2, `FILE:3:1: nothing to check: give an answer`},
	{31, "an id with a blank", "q.csv", "id,question,answer\na b,c,d\n", "run FILE", 2, `FILE:2:1: id: "a b" is not a valid id: use at most 100 of A-Z a-z 0-9 . _ -`},
	{32, "a command as text", "c.yaml", "agent: {exec: python3 x.py}\n", "run --config FILE", 2, `FILE:1:15: agent.exec: expected a list, found the text "python3 x.py": write \[python3, x.py\]`},
	{36, "agents for agent", "c.yaml", "agents: {exec: [python3, x.py]}\n", "run --config FILE", 2, `agents has the agents that the agent calls; write agent: for the agent itself`},
	{37, "a quoted number", "c.yaml", "k: \"3\"\n", "run --config FILE", 2, `FILE:1:4: k: expected a whole number, found the quoted text "3"`},
	{37, "a key in the file", "c.yaml", "api_key: x\n", "run --config FILE", 2, `FILE:1:1: api_key: keys are never read from a file; set the variable of the environment, such as OPENAI_API_KEY`},
	{42, "import of a dataset", "q.yaml", "- {query: a, gold: {answer: b}}\n", "import FILE", 2, `FILE: this is a dataset; the command for it is: concur run FILE`},
	{42, "import of text in place of messages", "c.jsonl", `{"messages":"hi"}`, "import FILE", 2, `line 1: the field "messages" is text, not a list; write one object on each line`},
	{42, "import of other JSON", "c.json", `{"a":1}`, "import FILE", 2, `unknown format, one object with "a", 7 B: add --mapping query=FIELD,output=FIELD,verdict=FIELD`},
	{43, "calibration by YAML", "l.yaml", "- {query: a, answer: b, label: true}\n", "judge calibrate FILE", 2, `FILE:1: it is not JSON: it begins with "- {query: a, answer:…"; write one object on each line, as --help shows it`},
	{43, "calibration by a number", "l.jsonl", `{"query":5,"answer":"b","label":true}`, "judge calibrate FILE", 2, `FILE:1: the field "query" is a number, not text; write one object`},
	{44, "score of a workbook", "q.xlsx", "PK\x03\x04\xff", "score FILE", 2, `FILE: this is a table, and score takes recorded answers as JSONL: write one object on each line`},
	{44, "score of lists", "q.jsonl", `[1]`, "score FILE", 2, `FILE:1: it is a list, not an object; write one object on each line`},

	{0, "a formula", "q.csv", "question;answer\na;=SUMME(B1:B3)\n", "run FILE", 2, `FILE:2:3: answer: "=SUMME\(B1:B3\)" is a formula, not its value; save the file with values`},
	{0, "an error of a spreadsheet", "q.csv", "question;answer\na;#VALEUR!\n", "run FILE", 2, `FILE:2:3: answer: "#VALEUR!" is an error of a spreadsheet; correct the cell`},
	{0, "an answer of 1 MB", "q.csv", "question,answer\na," + strings.Repeat("x", 1<<20-100) + "\n", "run FILE", 2, `FILE:2:3: answer: answer of 1048476 bytes is over the limit of 65536: give the short answer only`},
	{0, "the header again", "q.csv", "question,answer\na,b\nquestion,answer\nc,d\n", "run FILE --dry-run", 0, `line 3 repeats the header, so it is skipped`},
	{0, "a column twice", "q.csv", "question,answer,answer\na,b,c\n", "run FILE", 2, `FILE:1:17: duplicate column "answer", first is column 2; rename one`},
	{0, "a comma too many", "q.csv", "question,answer\nWhat, then?,b\n", "run FILE", 2, `FILE:2:1: the row has 3 cells and the header 2; quote cells with commas in them`},
	{0, "text of another kind", "q.txt", "a\n", "run FILE", 2, `the extension of FILE is ".txt"; datasets are .yaml, .*; rename a table to .csv`},
	{0, "a gold misspelt", "q.yaml", "- {query: a, gold: {tpye: text, answer: b}}\n", "run FILE", 2, `unknown field "tpye" \(did you mean "type"\?\)`},
}

func TestMistakesInData(t *testing.T) {
	kinds := map[int]bool{}
	for _, c := range dataMistakes {
		kinds[c.kind] = true
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile(c.file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			line := strings.Fields(strings.ReplaceAll(c.line, "FILE", c.file))
			nothing := func(string) string { return "" }
			code := run(append([]string{"concur"}, line...), console.Console{In: strings.NewReader(""), Out: &out, Err: &errs, Environ: nothing, Exit: os.Exit})
			want := strings.ReplaceAll(c.want, "FILE", regexp.QuoteMeta(c.file))
			if code != c.code || !regexp.MustCompile(want).MatchString(errs.String()) {
				t.Errorf("concur %s: exit code %d, want %d, and standard error\n%.2000s\nwant %s", strings.Join(line, " "), code, c.code, &errs, want)
			}
			for printed := range strings.Lines(errs.String()) {
				if c.code != 0 && len(printed) > 400 || strings.Contains(printed, "json: cannot") || strings.Contains(printed, "goroutine ") {
					t.Errorf("concur %s prints %.500s", strings.Join(line, " "), printed)
				}
			}
			if left, _ := filepath.Glob("runs/*"); len(left) > 0 {
				t.Errorf("concur %s leaves %s", strings.Join(line, " "), left)
			}
		})
	}
	for kind := 14; kind <= 32; kind++ {
		if !kinds[kind] {
			t.Errorf("no row has a mistake of kind %d", kind)
		}
	}
}
