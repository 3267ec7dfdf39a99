package dotenv_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/internal/dotenv"
)

func environ(name string) string { return map[string]string{"HOST": "example.org"}[name] }

func TestParse(t *testing.T) {
	const pem = "-----BEGIN KEY-----\nAb9=\nQUJD/+x==\n-----END KEY-----"
	for text, want := range map[string][]dotenv.Variable{
		"":                              nil,
		"\n \t\n# A=1\n  # B=2":         nil,
		"A=1":                           {{"A", "1", 1}},
		"\ufeffA=1\r\nB=2\r\n":          {{"A", "1", 1}, {"B", "2", 2}},
		"\n export  A_1 = two words \t": {{"A_1", "two words", 2}},
		"export\tA=1":                   {{"A", "1", 1}},
		"exported=1":                    {{"exported", "1", 1}},
		"export=1":                      {{"export", "1", 1}},
		"A=\nB=''\nC=\"\" # none\nD= # none": {
			{"A", "", 1}, {"B", "", 2}, {"C", "", 3}, {"D", "", 4}},
		"A=a#b # comment":                    {{"A", "a#b", 1}},
		"A='a # b' # comment":                {{"A", "a # b", 1}},
		"A=x=y==":                            {{"A", "x=y==", 1}},
		`A="a\n\t\"b\" \\ \$x"`:              {{"A", "a\n\t\"b\" \\ $x", 1}},
		`A='a\n"b" ${HOST}'`:                 {{"A", `a\n"b" ${HOST}`, 1}},
		"A=p$ss$word$":                       {{"A", "p$ss$word$", 1}},
		"A=http://${HOST}/v1":                {{"A", "http://example.org/v1", 1}},
		"A=a\nB=\"${A}-${A}\"\nC='${A}'":     {{"A", "a", 1}, {"B", "a-a", 2}, {"C", "${A}", 3}},
		"HOST=mine\nA=${HOST}":               {{"HOST", "mine", 1}, {"A", "example.org", 2}},
		"A=\nB=x${A}y":                       {{"A", "", 1}, {"B", "xy", 2}},
		"A=\"\\${HOST}\"":                    {{"A", "${HOST}", 1}},
		"K=\"" + pem + "\"\nB=1":             {{"K", pem, 1}, {"B", "1", 5}},
		"K='" + pem + "' # of the test\nB=1": {{"K", pem, 1}, {"B", "1", 5}},
		"A=größe":                            {{"A", "größe", 1}},
	} {
		got, err := dotenv.Parse(".env", []byte(text), environ)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"A=1\nB":                                 ".env:2: this line is not NAME=value",
		"export A":                               ".env:1: this line is not NAME=value",
		"=1":                                     ".env:1: this line is not NAME=value",
		"1A=1":                                   ".env:1: this line is not NAME=value",
		"A-B=1":                                  ".env:1: this line is not NAME=value",
		"A B=1":                                  ".env:1: this line is not NAME=value",
		"A: 1":                                   ".env:1: this line is not NAME=value",
		"'A'=1":                                  ".env:1: this line is not NAME=value",
		"secret\nA=1":                            ".env:1: this line is not NAME=value",
		"A=1\n\nA=2":                             ".env:3: A has a value on line 1 already",
		"A=1\nB=\"secret":                        ".env:2: B: the quote \" has no end",
		"A='secret\n":                            ".env:1: A: the quote ' has no end",
		"A=\"secret\nB=\"x\"":                    ".env:1: A: the quote \" is not closed before the next variable",
		"A=\"secret\nB=1\nC=\"x\"":               ".env:1: A: the quote \" is not closed before the next variable",
		"A='secret\nexport B='":                  ".env:1: A: the quote ' is not closed before the next variable",
		"A=\"secret\\\"":                         ".env:1: A: the quote \" has no end",
		"A=\"secret\\":                           ".env:1: A: the quote \" has no end",
		"A=\"secret\" more":                      ".env:1: A: text follows the closing quote \"",
		"A='secret'more":                         ".env:1: A: text follows the closing quote '",
		"A='secret'#more":                        ".env:1: A: text follows the closing quote '",
		"A=sec'ret":                              ".env:1: A: a quote is inside the value",
		"A=secret\"":                             ".env:1: A: a quote is inside the value",
		"A=`secret`":                             ".env:1: A: a quote is inside the value",
		"A=\"C:\\secret\"":                       ".env:1: A: a backslash in double quotes",
		"A=secret${HOST":                         ".env:1: A: ${ has no closing brace",
		"A=\"secret${HOST\"":                     ".env:1: A: ${ has no closing brace",
		"A=secret${}":                            ".env:1: A: ${…} takes only the name",
		"A=secret${HOST:-x}":                     ".env:1: A: ${…} takes only the name",
		"A=secret${B}\nB=1":                      ".env:1: A: ${B} is not set",
		"A=secret${A}":                           ".env:1: A: ${A} is not set",
		"A=1\rB=secret":                          ".env:1: A: a carriage return is inside the value",
		"A=1\nB=sec\x00ret":                      ".env:2: a byte is NUL or not UTF-8",
		"A=1\nB=sec\xffret":                      ".env:2: a byte is NUL or not UTF-8",
		"\xff\xfeA\x00=\x001\x00":                ".env:1: a byte is NUL or not UTF-8",
		strings.Repeat("A", 65) + "=":            ".env:1: this line is not NAME=value",
		"A=" + strings.Repeat("secret", 1<<20/6): ".env has more than 64 KiB",
	} {
		got, err := dotenv.Parse(".env", []byte(text), environ)
		if err == nil || !strings.HasPrefix(err.Error(), want) || got != nil {
			t.Errorf("%.40q: %v, %v; want %q", text, got, err, want)
		} else if strings.Contains(err.Error(), "sec") || len(err.Error()) > 160 {
			t.Errorf("%.40q: the error shows the value, or is long: %v", text, err)
		}
	}
}

// Each of 30 variables is the one before it, twice: written out, the last would have 16 GiB.
func TestExpansionIsBounded(t *testing.T) {
	text := "A0=0123456789abcdef\n"
	for i := range 30 {
		text += fmt.Sprintf("A%d=${A%d}${A%[2]d}\n", i+1, i)
	}
	if _, err := dotenv.Parse(".env", []byte(text), environ); err == nil ||
		!strings.HasPrefix(err.Error(), ".env:13: A12: the values have more than 64 KiB together") {
		t.Error(err)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".env")
	if got, err := dotenv.Read(path, environ); got != nil || err != nil {
		t.Errorf("without a file: %v, %v", got, err)
	}
	if _, err := dotenv.Read(dir, environ); err == nil || !strings.HasPrefix(err.Error(), dir+" is not a plain file") {
		t.Errorf("a folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pyvenv.cfg"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := dotenv.Read(dir, environ); got != nil || err != nil {
		t.Errorf("a virtual environment of Python: %v, %v", got, err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err == nil { // Windows may refuse to make a link
		if _, err := dotenv.Read(link, environ); err == nil || !strings.HasPrefix(err.Error(), link+" is a link to") {
			t.Errorf("a link without its file: %v", err)
		}
	}
	if err := os.WriteFile(path, []byte("A=1\nB"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dotenv.Read(path, environ); err == nil || !strings.HasPrefix(err.Error(), path+":2: ") {
		t.Error(err)
	}
	if _, err := dotenv.Read("/dev/zero", environ); err == nil || !strings.Contains(err.Error(), "not a plain file") {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"A=1\nB=\"x${A}\" # c\r\n", "export A='\n'", "A=\"\\", "\ufeffA=${HOST}", "A='x'#", "A=\"a\nB=c\""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := dotenv.Parse(".env", []byte(text), environ)
		if err != nil {
			if got != nil || !strings.HasPrefix(err.Error(), ".env") {
				t.Fatalf("%v, %v", got, err)
			}
			return
		}
		seen, lines := map[string]bool{}, 1+strings.Count(text, "\n")
		var again strings.Builder
		for _, v := range got {
			if seen[v.Name] || v.Line < 1 || v.Line > lines || strings.ContainsRune(v.Value, 0) {
				t.Fatalf("%+v", v)
			}
			seen[v.Name] = true
			again.WriteString(v.Name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "\n", `\n`, "\r", `\r`).Replace(v.Value) + "\"\n")
		}
		second, err := dotenv.Parse(".env", []byte(again.String()), environ)
		if err != nil && again.Len() <= dotenv.MaxSize || err == nil && len(second) != len(got) {
			t.Fatalf("%q: %v", again.String(), err)
		}
		for i := range second {
			if second[i].Value != got[i].Value {
				t.Fatalf("%q, written again %q", got[i].Value, second[i].Value)
			}
		}
	})
}
