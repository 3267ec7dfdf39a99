package api_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-5817661a/concur/tool/api/fixtures"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

// FuzzFile reads files. None may end the program, and a file that is read describes itself.
func FuzzFile(f *testing.F) {
	f.Add([]byte(stones))
	f.Add([]byte(token))
	files, err := filepath.Glob("catalog/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no catalog: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := spec.Read("f.yaml", text)
		if (err == nil) != (file != nil) {
			t.Errorf("%v, %v", file, err)
		}
		if err == nil && (file.Hash == "" || len(file.Requests) == 0 || len(file.Parameters.Schema()) == 0) {
			t.Errorf("%+v", file)
		}
	})
}

// FuzzReply judges replies. A reply is documents, nothing found, or a failure, and documents have what is cited.
func FuzzReply(f *testing.F) {
	f.Add(200, "application/json", ruby)
	f.Add(200, "application/json", `{"total":0,"items":[]}`)
	f.Add(200, "text/xml", `<?xml version="1.0"?><!DOCTYPE a><list><total>0</total></list>`)
	f.Add(500, "text/html; charset=gbk", "<p>\xb0\xa1")
	f.Add(429, "", "")
	f.Add(302, "text/html", "<a>")
	files := map[string]*spec.File{}
	for kind, read := range map[string]string{"json": "json", "text": "text",
		"xml":  "{json: true, xml: {total: //total, items: {each: //item, id: ./id, title: ., n: 'count(.//a)'}}}",
		"html": "{charset: gb18030, html: {total: //title, items: {each: //a, id: ./@href, title: .}}}"} {
		text := stones + "failures: [{status: any, when: '.error | test(\"key\")', kind: auth, message: .error}]\n"
		file, err := spec.Read("f.yaml", []byte(replaceOnce(text, "query: {q: =$args.query}", "query: {q: =$args.query}\n    read: "+read)))
		if err != nil {
			f.Fatal(err)
		}
		files[kind] = file
	}
	f.Fuzz(func(t *testing.T, status int, contentType, body string) {
		if status < 200 || status > 599 {
			status = http.StatusOK
		}
		for kind, file := range files {
			c := fixtures.Case{Args: map[string]any{"query": "red"}, Settings: map[string]any{"host": "https://stones.example"},
				Now: fixtures.DefaultNow, Replies: []fixtures.Reply{{Status: status, Type: contentType, Body: body}}}
			o := fixtures.Run(t.Context(), "stones", file, c)
			if o.Kind == "panic" || o.Kind == "" && len(o.Documents) == 0 {
				t.Errorf("%s: %s", kind, o.Text)
			}
			for _, d := range o.Documents {
				if d.Ref == "" || d.Title+d.Snippet == "" || status/100 != 2 {
					t.Errorf("%s, status %d: %+v", kind, status, d)
				}
			}
		}
	})
}

func replaceOnce(text, old, with string) string {
	for i := range len(text) - len(old) {
		if text[i:i+len(old)] == old {
			return text[:i] + with + text[i+len(old):]
		}
	}
	return text
}
