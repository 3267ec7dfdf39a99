package wikipedia

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/search"
)

// FuzzRead reads any reply. It must give pages that are fit to be shown, or an error with a known kind.
func FuzzRead(f *testing.F) {
	found, err := os.ReadFile("testdata/found.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(200, found)
	for _, s := range []string{
		`{"batchcomplete":""}`, `{"error":{"code":"maxlag","info":"x"}}`, `{"errors":[{"code":"a","text":"b"}]}`, `null`, `[]`, ``,
		`{"query":{"pages":[{"pageid":1,"title":"\ud800\u0000&#0;&#x1b;","extract":"&amp;lt;\r\n\t","missing":false}]}}`,
		`{"continue":{"excontinue":1e999,"continue":"||"},"query":{"pages":{"1":{"pageid":1,"title":"a","fullurl":"http://u:p@h/"}}}}`,
	} {
		f.Add(200, []byte(s))
		f.Add(503, []byte(s))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		r, err := readReply(&fetch.Response{Status: status, Header: http.Header{}, Body: body, URL: &url.URL{Scheme: "https", Host: "h"}})
		if err != nil {
			if _, ok := err.(*fetch.Error); !ok || !fit(err.Error()) {
				t.Fatalf("error %T %q", err, err)
			}
			return
		}
		for _, p := range r.pages {
			if p.id <= 0 || p.title == "" || strings.ContainsAny(p.title+p.names, "\n\t") || len(p.names) > maxNames ||
				!fit(p.title+p.names+p.passage()) || len(p.intro) > maxText || len(p.snippet) > maxText {
				t.Fatalf("page %+v", p)
			}
			if ref := p.ref("https://en.h/w/api.php"); search.HostOf(ref) == "" {
				t.Fatalf("ref %q of %q", ref, p.url)
			}
		}
	})
}

func fit(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' })
}
