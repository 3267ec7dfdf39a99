package pick_test

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/tool/api/pick"
)

// read reads a body in the format that a file says, as JSON.
func read(t *testing.T, format, body, contentType string) string {
	t.Helper()
	var n yaml.Node
	if err := strictyaml.Decode("f", []byte("{read: "+format+"}"), &n); err != nil {
		t.Fatal(err)
	}
	var f struct {
		Read pick.Format `yaml:"read"`
	}
	if err := strictyaml.DecodeNode(&n, &f); err != nil {
		t.Fatal(err)
	}
	got := f.Read.Read(t.Context(), []byte(body), contentType, func(s string) string { return s })
	if got.Err != nil {
		return "error: " + got.Err.Error()
	}
	raw, err := json.Marshal(got.Value)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestRead(t *testing.T) {
	gbk, _ := simplifiedchinese.GBK.NewEncoder().String("长江")
	latin, _ := charmap.ISO8859_1.NewEncoder().String("é")
	for _, c := range []struct{ format, body, contentType, want string }{
		{"json", `{"a": 9007199254740993, "b": 29.0, "c": "x` + "\t\x01" + `y"}`, "", `{"a":9007199254740993,"b":29.0,"c":"x  y"}`},
		{"json", `1 2`, "", "error: it has something behind its JSON value"},
		{"json", `{"a":`, "", "error: it is not JSON, or it is incomplete"},
		{"json", " \n", "", "error: it is empty"},
		{"json", "\ufeff[1]", "", "[1]"},
		{"json", `"` + latin + `"`, "application/json; charset=iso-8859-1", `"é"`},
		{"text", " a\nb ", "", `" a\nb "`},
		{"text", gbk, "text/plain; charset=gbk", `"长江"`},
		{"{xml: {a: //a, n: 'count(//b)', no: //c, all: {each: //b, t: ., k: ./@k}}}", `<?xml version="1.0"?><!DOCTYPE r SYSTEM "x.dtd"><r><a>x<i>2</i> &lt; y</a><b k="1">p</b><b>q</b></r>`, "",
			`{"a":"x2 \u003c y","all":[{"k":"1","t":"p"},{"k":null,"t":"q"}],"n":2,"no":null}`},
		{"{xml: {a: //a}}", `<?xml version="1.0" encoding="ISO-8859-1"?><a>` + latin + `</a>`, "", `{"a":"é"}`},
		{"{xml: {a: //a}}", `<a>x`, "", "error: it is not well-formed XML, or it is incomplete"},
		{"{xml: {a: //a}}", `a text`, "", "error: it is not well-formed XML, or it is incomplete"},
		{"{xml: {a: //a}}", `<!DOCTYPE a [<!ENTITY e "boo">]><a>&e;</a>`, "", "error: it is not well-formed XML, or it is incomplete"},
		{"{html: {a: //div}}", `<div>one<p>two</p>th<b>re</b>e<script>no()</script><style>x</style><br>four</div>`, "", `{"a":"one two three four"}`},
		{"{html: {a: //p}, charset: gb18030}", "<p>" + gbk, "text/html", `{"a":"长江"}`},
		{"{html: {a: //p}, charset: gb18030}", "<p>长江", "text/html", `{"a":"长江"}`},
		{"{html: {a: //p}}", `<meta charset="gbk"><p>` + gbk, "text/html", `{"a":"长江"}`},
		{"{html: {a: //p}, json: true}", ` {"x": 1}`, "text/html", `{"x":1}`},
		{"{html: {a: 'lower-case(//p)', b: 'string-join(//p, \"+\")', c: 'matches(//p, \"^A\")'}}", `<p>AB</p><p>C</p>`, "", `{"a":"ab","b":"AB+C","c":true}`},
		{"{html: {a: //p}}", "", "", "error: it is empty"},
	} {
		if got := read(t, c.format, c.body, c.contentType); got != c.want {
			t.Errorf("%s, %.60q:\n%s, want\n%s", c.format, c.body, got, c.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for source, want := range map[string]string{
		"<p>Press <b>re</b>set.</p><p>Wait.</p>": "Press reset. Wait.", "a &amp; b &lt; c": "a & b < c", "x < y & z": "x < y & z",
		"a<br>b": "a b", "<script>if (a<b) x()</script>c": "c", " a \n b ": "a b", "": "", "<": "<", "&nbsp;a": "a",
		"<b>open": "open", "H<sub>2</sub>O": "H2O", "<li>a<li>b": "a b",
	} {
		if got := pick.Plain(source); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}

// Steps through a page are limited, so that an expression that is slow on a page ends.
func TestSlowPage(t *testing.T) {
	body := strings.Repeat("<p>x</p>", 20_000)
	got := read(t, `{html: {a: {each: "//p[not(//*[@id='x'])]", t: .}}}`, body, "")
	if got != "error: its parts cannot be picked in reasonable time" {
		t.Errorf("%.100s", got)
	}
}
