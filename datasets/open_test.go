package datasets_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

// shown is a dataset in one line a query: what is asked, expected and kept.
func shown(d *datasets.Dataset) string {
	var b strings.Builder
	for _, q := range d.Queries {
		fmt.Fprintf(&b, "%s %s %q %s %q", q.ID, q.Category, q.Text, q.Gold.Type, q.Gold.Answer)
		if len(q.Meta) > 0 {
			fmt.Fprintf(&b, " %v", q.Meta)
		}
		b.WriteString("\n")
	}
	return b.String()
}

const two = `q-0001 all "How many?" integer "12"` + "\n" + `q-0002 all "Who, then?" entity "Ann Lee"` + "\n"

func TestFilesOfOthers(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"question and answer", "q.csv", "question,answer\nHow many?,12\n\"Who, then?\",Ann Lee\n", two},
		{"capitals, semicolons", "q.csv", "Question;ANSWER\r\nHow many?;12\r\nWho, then?;Ann Lee\r\n", two},
		{"tabs", "q.tsv", "input\ttarget\nHow many?\t12\nWho, then?\tAnn Lee\n", two},
		{"prompt and expected, blank rows, header again", "q.csv", "prompt,expected\n,\nHow many?,12\n,\nprompt,expected\n\"Who, then?\",Ann Lee\n", two},
		{"JSON", "q.json", `[{"query":"How many?","gold":12},{"query":"Who, then?","gold":"Ann Lee"}]`, two},
		{"JSON within an object", "q.json", `{"name":"x","data":[{"Instruction":"How many?","Output":12},{"Instruction":"Who, then?","Output":["Ann Lee"]}]}`, two},
		{"JSONL", "q.jsonl", `{"instruction":"How many?","output":"12"}` + "\n" + `{"instruction":"Who, then?","output":"Ann Lee"}`, two},
		{"YAML", "q.yaml", "- {question: \"How many?\", answer: 12}\n- question: \"Who, then?\"\n  expected: Ann Lee\n", two},
		{"YAML with queries", "q.yaml", "queries:\n- {question: \"How many?\", answer: 12}\n- {question: \"Who, then?\", answer: Ann Lee}\n", two},
		{"an instruction and its input", "q.jsonl", `{"instruction":"Add.","input":"1 and 2","output":"3"}`, `q-0001 all "Add.\n\n1 and 2" integer "3"` + "\n"},
		{"our own names, and more", "q.csv", "ID,Category,Query,Answer,Aliases,level,meta.topic,note\na1,sums,2+2?,4,four|4.0,easy,maths,\n", `a1 sums "2+2?" integer "4" map[level:easy topic:maths]` + "\n"},
		{"metadata that is no text", "q.jsonl", `{"question":"2+2?","answer":4,"about":{"b":[1,null],"a":"x"},"empty":null}`, `q-0001 all "2+2?" integer "4" map[about:{"a":"x","b":[1,null]}]` + "\n"},
		{"an index without a name", "q.csv", ",question,answer\n0,2+2?,4\n", `q-0001 all "2+2?" integer "4"` + "\n"},
		{"separators at the end", "q.csv", "question;answer;;\n2+2?;4;;\n", `q-0001 all "2+2?" integer "4"` + "\n"},
		{"decimal commas", "q.csv", "question;answer\na?;3,14\nb?;1.234\nc?;12,5 %\nd?;Rom, Oslo\n",
			`q-0001 all "a?" decimal "3.14"` + "\n" + `q-0002 all "b?" integer "1234"` + "\n" + `q-0003 all "c?" percent "12.5 %"` + "\n" + `q-0004 all "d?" entity "Rom, Oslo"` + "\n"},
		{"numbers with two readings", "q.csv", "question;answer\na?;1,234\nb?;3,5\nc?;2.5\n",
			`q-0001 all "a?" integer "1,234"` + "\n" + `q-0002 all "b?" decimal "3,5"` + "\n" + `q-0003 all "c?" decimal "2.5"` + "\n"},
		{"lines in a cell, text as a formula", "q.csv", "question,answer\n\"a\r\nb?\",\"=\"\"007\"\"\"\n", `q-0001 all "a\nb?" entity "007"` + "\n"},
		{"types in a gold", "q.yaml", "- {id: a, category: c, query: q, gold: {answer: 3 km}}\n- {query: q, gold: {answer: b, ordered: true}}\n",
			`a c "q" quantity "3 km"` + "\n" + `q-0002 all "q" list "b"` + "\n"},
		{"a date with two readings", "q.csv", "question,answer\nWhen?,03/04/2024\n", `q-0001 all "When?" entity "03/04/2024"` + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := datasets.Load(writeFile(t, c.file, c.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, shown(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, form := range []datasets.Format{datasets.YAML, datasets.JSONL, datasets.CSV} {
				var b bytes.Buffer
				if err := d.Write(&b, form); err != nil {
					t.Fatal(err)
				}
				back, err := datasets.Parse(&b, form, "q")
				if err != nil || back.Hash != d.Hash || len(back.Notes) > 0 {
					t.Errorf("written as %s: hash %s, want %s; notes %q; error %v", form, back.Hash, d.Hash, back.Notes, err)
				}
			}
		})
	}
}

func TestUTF16(t *testing.T) {
	var text []byte
	for _, u := range utf16.Encode([]rune("\uFEFFNummer\tFrage\tAntwort\r\n1\tWo liegt Köln?\tam Rhein\r\n")) {
		text = append(text, byte(u), byte(u>>8))
	}
	d, err := datasets.Load(writeFile(t, "q.csv", string(text)))
	if err != nil || d.Queries[0].Text != "Wo liegt Köln?" || d.Queries[0].Meta["Nummer"] != "1" {
		t.Errorf("dataset %v, error %v", d, err)
	}
}

func TestNotes(t *testing.T) {
	file := writeFile(t, "q.csv", "question;answer;output;sorce;level\n2+2?;4,5;x;y;z\nWhen?;03/04/2024;x;y;z\nquestion;answer;output;sorce;level\n")
	d, err := datasets.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`FILE: semicolons between cells, query from "question", decimal commas, ids q-0001 to q-0002, category all`,
		`kept as metadata: "output", "sorce", "level"`,
		"\"output\" is metadata, because \"answer\" is used; choose otherwise with `concur datasets convert FILE --map`",
		`"sorce" is metadata; did you mean "source"?`,
		`line 4 repeats the header, so it is skipped`,
		"types guessed from the answers: 1 decimal, 1 entity; `concur datasets convert FILE` writes them to a file that you can edit",
		`FILE:3: "03/04/2024" can be read in two ways, so it is compared as a name; write a date as 2024-04-03, a number as 1.5`,
	}
	if diff := cmp.Diff(want, strings.Split(strings.ReplaceAll(strings.Join(d.Notes, "\n"), file, "FILE"), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, own := range []string{"testdata/small.yaml", "testdata/small.jsonl", "testdata/small.csv", "gold29"} {
		if d := open(t, own); len(d.Notes) > 0 {
			t.Errorf("%s says everything itself; notes %q", own, d.Notes)
		}
	}
}

// The agent does not see metadata, so options that are metadata are missing from the question.
func TestOptionsAreMetadata(t *testing.T) {
	d, err := datasets.Load(writeFile(t, "q.jsonl", `{"question":"Which?","Choices":["Rome","Oslo"],"answer":1}`))
	want := `"Choices" is metadata, so the agent does not see the options: put them into the query, ` +
		"as --mapping mmlu of `concur datasets convert` does"
	if err != nil || !slices.Contains(d.Notes, want) {
		t.Errorf("notes %q, error %v; want %s", d.Notes, err, want)
	}
}

// A file of ours stays strict: a misspelt name is an error, also in a record that has lost its gold by it.
func TestOwnFilesAreStrict(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"a misspelt key", "f.yaml", "- {id: a, category: c, query: q, gold: {type: text, answer: x}, sorce: y}", `FILE:1:65: [0].sorce: unknown field "sorce" (did you mean "source"?)`},
		{"a gold misspelt later", "f.jsonl", `{"query":"q","gold":{"answer":"x"}}` + "\n" + `{"query":"q","glod":{"answer":"x"}}`, `FILE:2:14: glod: unknown field "glod" (did you mean "gold"?)`},
		{"a gold misspelt first", "f.yaml", "- {query: q, glod: {answer: x}}\n- {query: q, gold: {answer: x}}", `FILE:1:4: no field has the answer; there are query, glod (glod: did you mean gold?); name it answer or target`},
		{"a misspelt column", "f.csv", "query,type,answer,sorce\nq,text,x,y\n", `FILE:1:19: unknown column "sorce" (did you mean "source"?)`},
		{"another column", "f.csv", "query,type,answer,level\nq,text,x,y\n", `FILE:1:19: unknown column "level"; name it meta.level to keep it`},
		{"an answer beside the gold", "f.yaml", "- {query: q, gold: {outcome: answered}, answer: x}", `[0].answer: unknown field "answer"; it belongs in the gold: gold: {answer: …}`},
		{"expected beside the gold", "f.yaml", "- {query: q, gold: {all_of: [x]}, expected: x}", `[0].expected: unknown field "expected"; write it as answer in the gold: gold: {answer: …}`},
		{"expected in the gold", "f.yaml", "- {query: q, gold: {expected: x}}", `[0].gold.expected: unknown field "expected"; write it as answer in the gold: gold: {answer: …}`},
		{"a type of others", "f.yaml", "- {query: q, gold: {type: number, answer: x}}", `[0].gold.type: unknown answer type "number": write decimal, or integer for whole numbers`},
	} {
		file := writeFile(t, c.file, c.text)
		_, err := datasets.Load(file)
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), file, "FILE"), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestBadFilesOfOthers(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"names in another language", "f.csv", "Kysymys;Vastaus\na;b\n", "FILE:1:1: no column has the query; there are Kysymys, Vastaus; name it query or question, or map it: `concur datasets convert FILE --map query=NAME,answer=NAME`"},
		{"no answer", "f.csv", "question,anwser\na,b\n", "FILE:1:1: no column has the answer; there are question, anwser (anwser: did you mean answer?); name it answer or target, or map it: `concur datasets convert FILE --map query=question,answer=anwser`"},
		{"an answer that is blank", "f.csv", "question,answer\na,b\nc,\n", "FILE:3:1: nothing to check: give an answer, keywords"},
		{"a column twice", "f.csv", "question,answer,answer\na,b,c\n", `FILE:1:17: duplicate column "answer", first is column 2; rename one`},
		{"metadata twice", "f.csv", "question,answer,level,meta.level\na,b,c,d\n", `FILE:1:23: duplicate metadata "level"; rename one`},
		{"a type of something else", "f.csv", "question,answer,type\na,b,bridge\n", `FILE:2:5: type: unknown answer type "bridge": use one of `},
		{"data without a header", "f.csv", strings.Repeat("a long question ", 9) + ",b\nc,d\n", "FILE:1:1: no column has the query; there are a long question a long question a long q, b; name it"},
		{"a formula", "f.csv", "question,answer\na,=SUM(B1:B3)\n", `FILE:2:3: answer: "=SUM(B1:B3)" is a formula, not its value; save the file with values`},
		{"an error of a spreadsheet", "f.csv", "question;answer\na;#NV\n", `FILE:2:3: answer: "#NV" is an error of a spreadsheet; correct the cell, or leave the row out`},
		{"too few cells", "f.csv", "question,answer\na\n", `FILE:2:1: cells are missing: the row has 1 and the header 2; add the missing ones, empty if need be`},
		{"too many cells", "f.csv", "question;answer\na;b;c\n", `FILE:2:1: the row has 3 cells and the header 2; quote cells with semicolons in them`},
		{"an answer of 1 MB", "f.csv", "question,answer\na," + strings.Repeat("x", 1<<20-100) + "\n", "FILE:2:3: answer: "},
		{"an answer of 2 MB", "f.csv", "question,answer\na," + strings.Repeat("x", 2<<20) + "\n", "FILE:2: the row is longer than 1 MiB"},
		{"a query of 2 MB", "f.csv", "question,answer\n\"a\nb\",\"c\nd\"\n" + strings.Repeat("x", 2<<20) + ",a\n", "FILE:5: the row is longer than 1 MiB"},
		{"several answers", "f.jsonl", `{"question":"a","answer":["b","c"]}`, "FILE:1:26: answer: 2 answers: take the first and its aliases with `concur datasets convert FILE --map answer=answer.0,aliases=answer`"},
		{"objects within", "f.jsonl", `{"inputs":{"question":"a"},"outputs":{"answer":"b"}}`, "map it: `concur datasets convert FILE --map query=inputs.question,answer=outputs.answer`"},
		{"objects deep within", "f.jsonl", `{"data":{"q":"a","ref":{"value":"b","target":4}}}`, "map it: `concur datasets convert FILE --map query=NAME,answer=data.ref.target`"},
		{"answers of SQuAD", "f.jsonl", `{"question":"a","answers":{"answer_start":[1],"text":["b"]}}`, "map it: `concur datasets convert FILE --map query=question,answer=answers.text.0,aliases=answers.text`"},
		{"answers in the plural", "f.jsonl", `{"question":"a","answers":["b","c"]}`, "map it: `concur datasets convert FILE --map query=question,answer=answers.0,aliases=answers`"},
		{"messages, several answers", "f.jsonl", `{"input":[{"role":"user","content":"a"}],"ideal":["b","c"]}`, "convert FILE --map query=input.0.content,answer=ideal.0,aliases=ideal`"},
		{"a similar name", "f.jsonl", `{"question":"a","answerKey":"B"}`, "convert FILE --map query=question,answer=answerKey`"},
		{"messages", "f.jsonl", `{"input":[{"role":"system","content":"s"},{"role":"user","content":"a"}],"ideal":"b"}`, "FILE:1:10: input: a list of messages: take the last of the user with `concur datasets convert FILE --map query=input.1.content,answer=ideal`"},
		{"a name twice", "f.jsonl", `{"question":"a","answer":"b","answer":"c"}`, `FILE:1:30: answer: duplicate field "answer"; keep one`},
		{"a workbook", "f.csv", "PK\x03\x04", "FILE: this is a workbook of a spreadsheet program; save it as CSV (UTF-8)"},
		{"a workbook by its name", "f.xlsx", "", "FILE is a workbook of a spreadsheet program; save it as CSV (UTF-8)"},
		{"other text", "f.txt", "", `rename a table to .csv`},
		{"Latin-1", "f.csv", "question,answer\nCaf\xe9?,b\n", `FILE:2:1: question: this is not UTF-8; save the file as UTF-8, in Excel as "CSV UTF-8"`},
		{"an id that is taken", "f.csv", "id,question,answer\nq-0002,a,b\n,c,d\n", `FILE:3:1: id: the query has no id, and the id of its position, "q-0002", is used on line 2; give it an id`},
	} {
		file := writeFile(t, c.file, c.text)
		_, err := datasets.Load(file)
		got := strings.ReplaceAll(fmt.Sprint(err), file, "FILE")
		got = strings.ReplaceAll(got, filepath.ToSlash(file), "FILE")
		if err == nil || !strings.Contains(got, c.want) || len(got) > 1000 {
			t.Errorf("%s:\n got %.1000s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestFilesThatAreNoDatasets(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"promptfooconfig.yaml", "prompts: [a]\nproviders: [b]\ntests: [{vars: {q: x}}]\n", "FILE: this is a configuration of promptfoo; the command for it is: concur datasets convert FILE --mapping promptfoo"},
		{"promptfooconfig.json", `{"prompts":["a"],"tests":[{"vars":{"q":"x"}}]}`, "FILE: this is a configuration of promptfoo; the command for it is: concur datasets convert FILE --mapping promptfoo"},
		{"spec.yaml", "base: {k: 3}\nconfigurations: [{name: a}]\n", "FILE: this is an ablation; the command for it is: concur ablate FILE"},
		{"concur.yaml", "model: offline:reader\nk: 3\n", "FILE: this is a configuration of concur; the command for it is: concur run --config FILE"},
		{"results.jsonl", `{"schema":"concur/results/v1"}` + "\n" + `{"query":"a"}`, "FILE: this is a results file of a run; the command for it is: concur report "},
		{"summary.json", `{"schema":"concur/summary/v1","configurations":[{"name":"a"}]}`, "FILE: this is the summary of a run; the command for it is: concur report latest, for the run itself"},
		{"baseline.json", `{"schema":"concur/baseline/v2","runs":[]}`, "FILE: this is a baseline; the command for it is: concur gate --baseline FILE"},
		{"run.yaml", "schema: concur/run/v1\nrun: a\n", "FILE: this is the manifest of a run; the command for it is: concur report "},
		{"answers.jsonl", `{"id":"a","gold":"x","answers":["x","y"]}`, "FILE: this is a file of recorded answers; the command for it is: concur score FILE"},
		{"chats.jsonl", `{"messages":[]}`, "FILE: this is a file of chats; the command for it is: concur import FILE"},
		{"list.yaml", "a: 1\n", "FILE:1:1: expected a list, found a mapping; begin each query with \"- \", or put the list under queries:"},
	} {
		file := writeFile(t, c.file, c.text)
		_, err := datasets.Load(file)
		if got := strings.ReplaceAll(fmt.Sprint(err), file, "FILE"); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.file, got, c.want)
		}
	}
}

// BenchmarkProposals reads 100,000 rows without types.
func BenchmarkProposals(b *testing.B) {
	var rows strings.Builder
	rows.WriteString("question;answer\n")
	answers := []string{"42", "3,14", "$5.00", "20 July 1969", "yes", "William Shakespeare", "Rome, Oslo and Paris", "3 km", "27,3%", "a text of more than six words, it is"}
	for i := range 100_000 {
		fmt.Fprintf(&rows, "What is number %d of them?;%s\n", i, answers[i%len(answers)])
	}
	for b.Loop() {
		if d, err := datasets.Parse(strings.NewReader(rows.String()), datasets.CSV, "q"); err != nil || len(d.Queries) != 100_000 {
			b.Fatal(err)
		}
	}
}

// A comma inside a sentence shifts the cells: the answer must not be read from another column.
func TestShiftedRowIsRefused(t *testing.T) {
	_, err := datasets.Parse(strings.NewReader("question,answer\na,b\nHow much, in euros?,12,\n"), datasets.CSV, "q")
	if err == nil || !strings.Contains(err.Error(), "the row has 4 cells and the header 2") {
		t.Errorf("%v", err)
	}
}

// TestEmptyCellsBehindARow: spreadsheets write empty cells behind the last one of a row.
func TestEmptyCellsBehindARow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(file, []byte("question;answer\na;b;;\nc;d; ;\ne;f\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := datasets.Open(file)
	if err != nil || len(d.Queries) != 3 || d.Queries[1].Gold.Answer != "d" {
		t.Errorf("%v: %v", d, err)
	}
}
