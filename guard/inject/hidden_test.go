package inject_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/guard/inject"
)

// hiddenForms are ways to hide OBEY from the reader of a page. The test puts each between two words that must
// stay.
var hiddenForms = []string{
	// Attributes in any order and quoting, with entities, on any element.
	`<span title=">" style="display:none">OBEY</span>`,
	`<span style="display&#58;none">OBEY</span>`,
	`<span style="d&#x69;splay:&#110;one">OBEY</span>`,
	`<my-card style=display:none>OBEY</my-card>`,
	`<SPAN CLASS=x STYLE='COLOR:RED;DISPLAY:NONE'>OBEY</SPAN>`,
	`<blink hidden=hidden>OBEY</blink>`,
	`<p hidden="until-found">OBEY</p>`,
	`<p aria-hidden="true">OBEY</p>`,
	`<p/style="display:none"/>OBEY</p>`,
	"<p\nstyle\n=\n\"display:none\"\n>OBEY</p>",
	`<a href="x" data-x='a"b' hidden>OBEY</a>`,
	// display, visibility, opacity.
	`<p style="display:none!important;display:block">OBEY</p>`,
	`<p style="display:none;display:bogus">OBEY</p>`, `<p style="visibility:hidden;visibility:shown">OBEY</p>`,
	`<p style="opacity:0;opacity:full">OBEY</p>`, `<p style="font-size:0;font-size:readable">OBEY</p>`,
	`<p style="position:absolute;left:-9999px;left:here">OBEY</p>`,
	`<p style="position:absolute;left:-9999px;left:5foo">OBEY</p>`, `<p style="display:none;display:foo bar">OBEY</p>`,
	`<p style="display:/* x */none">OBEY</p>`,
	`<p style="/*;*/display:none/*">OBEY</p>`,
	`<p style="d\69 splay:none">OBEY</p>`,
	`<p style="visibility: hidden">OBEY</p>`,
	`<p style="visibility:collapse">OBEY</p>`,
	`<p style="content-visibility:hidden">OBEY</p>`,
	`<p style="opacity:0">OBEY</p>`,
	`<p style="opacity:.01">OBEY</p>`,
	`<p style="opacity:0%">OBEY</p>`,
	`<p style="filter:opacity(0)">OBEY</p>`,
	// No size.
	`<div style="height:0">OBEY</div>`,
	`<div style="width:0;overflow:hidden">OBEY</div>`,
	`<div style="max-height:0px;overflow:hidden">OBEY</div>`,
	`<div style="height:1px;width:1px;overflow:hidden;position:absolute">OBEY</div>`,
	`<span style="font-size:0">OBEY</span>`,
	`<span style="font-size:.05em">OBEY</span>`,
	`<span style="font:0/0 a">OBEY</span>`,
	`<span style="font-size:0"><b style="font-size:1em">OBEY</b></span>`,
	`<p style="transform:scale(0)">OBEY</p>`,
	`<p style="zoom:0">OBEY</p>`,
	// Clipped, or outside the screen.
	`<p style="position:absolute;clip:rect(0 0 0 0)">OBEY</p>`,
	`<p style="position:absolute;clip:rect(1px,1px,1px,1px)">OBEY</p>`,
	`<p style="clip-path:inset(50%)">OBEY</p>`,
	`<p style="clip-path:circle(0)">OBEY</p>`,
	`<p style="clip-path:polygon(0 0,0 0,0 0)">OBEY</p>`,
	`<p style="position:absolute;left:-9999px">OBEY</p>`,
	`<p style="position:fixed;top:-100em">OBEY</p>`,
	`<p style="position:absolute;left:99999px">OBEY</p>`,
	`<p style="text-indent:-999em">OBEY</p>`,
	`<p style="margin-left:-5000px">OBEY</p>`,
	`<p style="transform:translateX(-9999px)">OBEY</p>`,
	`<p style="transform:rotateY(90deg)">OBEY</p>`,
	// Text in the colour of its background.
	`<p style="color:white;background:#fff">OBEY</p>`,
	`<p style="color:rgb(255,255,255);background-color:White">OBEY</p>`,
	`<div style="background:#ffffff"><p><span style="color:#fefefe">OBEY</span></p></div>`,
	`<table><tr><td bgcolor="#000000"><font color="black">OBEY</font></td></tr></table>`,
	`<p style="color:transparent">OBEY</p>`,
	`<p style="color:rgba(0,0,0,0)">OBEY</p>`,
	`<p style="color:#00000000">OBEY</p>`,
	`<p style="color:hsl(0 0% 0% / 0)">OBEY</p>`,
	`<p style="-webkit-text-fill-color:transparent">OBEY</p>`,
	// Comments and elements that are never shown.
	`<!-- OBEY -->`, `<!--OBEY--!>`, `<!OBEY>`, `<?OBEY?>`, `</ OBEY>`,
	`<noscript>OBEY</noscript>`,
	`<template>OBEY</template>`,
	`<template><div>OBEY</div></template>`,
	`<script>OBEY</script>`,
	`<style>OBEY</style>`,
	`<dialog>OBEY</dialog>`,
	`<datalist><option>OBEY</option></datalist>`,
	`<iframe src="x">OBEY</iframe>`,
	`<canvas>OBEY</canvas>`,
	`<input type=hidden value="OBEY">`,
	`<img hidden alt="OBEY">`,
	// By the page's own style sheet.
	`<style>.note, #x { display: none }</style><p class="a note">OBEY</p>`,
	`<STYLE>/* x */ span{opacity:0}</STYLE><span>OBEY</span>`,
	`<style>#x{position:absolute;left:-999em}</style><p id=x>OBEY</p>`,
	// Nesting, correct and incorrect.
	`<div hidden><div>OBEY</div> OBEY</div>`,
	`<span><div hidden></span>OBEY</div>`,
	`<div><table><tr><td hidden></div>OBEY</td></tr></table></div>`,
	`<div hidden><p>OBEY<p>OBEY</div>`,
	`<ul><li hidden>OBEY<ul><li>OBEY</ul></ul>`,
	`<div hidden></p></b>OBEY</div>`,
	`<div style="visibility:hidden">OBEY<i style="color:red">OBEY</i></div>`,
}

func TestHiddenTextIsRemoved(t *testing.T) {
	for _, form := range hiddenForms {
		clean, changes := inject.Sanitise("before " + form + " after")
		if strings.Contains(clean, "OBEY") || !strings.HasPrefix(clean, "before ") || !strings.HasSuffix(clean, " after") {
			t.Errorf("Sanitise(%s) = %q", form, clean)
		}
		if len(changes) == 0 || changes[0].Kind != inject.Hidden || !strings.Contains(strings.Join(changes[0].Removed, ""), "OBEY") {
			t.Errorf("%s: the changes do not hold what was removed: %+v", form, changes)
		}
	}
	if len(hiddenForms) < 32 {
		t.Errorf("%d forms, want 12 and twenty more", len(hiddenForms))
	}
}

// TestHiddenToTheEnd checks that, as in a browser, an element without an end tag hides the rest of the text.
func TestHiddenToTheEnd(t *testing.T) {
	for _, form := range []string{`<div hidden>OBEY`, `<p style=display:none>OBEY<b>OBEY`, `<!-- OBEY`, `<div><p hidden><b>OBEY`} {
		if clean, _ := inject.Sanitise("before " + form); strings.Contains(clean, "OBEY") || !strings.HasPrefix(clean, "before ") {
			t.Errorf("Sanitise(%s) = %q", form, clean)
		}
	}
}

// TestShownTextStays checks texts with STAY, which a browser shows, or which are not HTML.
func TestShownTextStays(t *testing.T) {
	for _, form := range []string{
		`<p style="display:none;display:block">STAY</p>`, `<p style="display:none;display:inline-flex">STAY</p>`,
		`<p style="display:none;display:-webkit-box">STAY</p>`, `<p style="display:none;display:table-cell">STAY</p>`,
		`<p style="display:none;display:initial">STAY</p>`, `<p style="visibility:hidden;visibility:visible">STAY</p>`,
		`<p style="font-size:0;font-size:x-large">STAY</p>`, `<p style="position:absolute;left:-9999px;left:auto">STAY</p>`,
		`<p style="font-size:0;font-size:1.2rem">STAY</p>`, `<p style="text-indent:-9999px;text-indent:calc(1em + 2px)">STAY</p>`,
		`<p style="opacity:0;opacity:.9">STAY</p>`, `<p style="display:none;display:block flow">STAY</p>`,
		`<p style="opacity:0.5;font-size:85%;color:#54595d;background:#f8f9fa">STAY</p>`,
		`<div style="visibility:hidden"><i style="visibility:visible">STAY</i></div>`,
		`<ul style="font-size:0"><li style="font-size:14px">STAY</ul>`,
		`<div style="position:absolute;height:0;width:0"><div>STAY</div></div>`, // a label on a map
		`<div style="max-height:200px;overflow:hidden;margin-left:-1em;left:-4px">STAY</div>`,
		`<td style="color:white">STAY</td>`, `<p style="color:white;background:url(x.png) white">STAY</p>`,
		`<p style="background:transparent;color:black">STAY</p>`, `<p style="background:none;color:black">STAY</p>`,
		`<p style="background:white"><b style="background:navy;color:white">STAY</b></p>`,
		`<p style="content:';display:none'">STAY</p>`, `<p title="display:none" class="hidden-x">STAY</p>`,
		`<p hidden>a<p>STAY`, `<ul><li hidden>a<li>STAY</ul>`, `<table><tr hidden><td>a<tr><td>STAY</table>`,
		`<p hidden>a<div>STAY</div>`, `<b hidden>a</b>STAY`, `<input type="hidden" value="a">STAY`,
		`<dialog open>STAY</dialog>`, `<noscript></noscript>STAY`, `<img aria-hidden="true" alt="STAY">`,
		`<style>.x .note{display:none} @media print{.note{display:none}} .note:hover{opacity:0}</style><p class="note">STAY</p>`,
		`The <script> element runs code; STAY.`, `A <template> is not shown. STAY`, `<title><![CDATA[STAY]]></title>`,
		`if a <! b && c <? d STAY`, `x </ y STAY`, `<p aria-hidden="false">STAY</p>`, `<font color="white">STAY</font>`,
		`<p style="transform:translate(-50%,-50%) scale(0.9);letter-spacing:-1px">STAY</p>`,
		`<p style="clip-path:inset(10%);clip:rect(0,100px,20px,0)">STAY</p>`,
	} {
		if clean, _ := inject.Sanitise("before " + form); !strings.Contains(clean, "STAY") {
			t.Errorf("Sanitise(%s) = %q", form, clean)
		}
	}
}

// shownWords returns the words of a page that its reader sees, by the standard's own parser. It omits
// elements without a box, and reads the descriptions of pictures of formulas.
func shownWords(t *testing.T, page string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.CommentNode || strings.Contains(" script style noscript template head ", " "+n.Data+" ") {
			return
		}
		for _, a := range n.Attr {
			if regexp.MustCompile(`display:\s*none`).MatchString(a.Val) {
				return
			}
			if n.Data == "img" && a.Key == "alt" {
				words = append(words, strings.Fields(a.Val)...)
			}
		}
		if n.Type == html.TextNode {
			words = append(words, strings.FieldsFunc(n.Data, unicode.IsSpace)...)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return words
}

// TestWikipediaPageLosesNothingVisible reads an article page in the form of MediaWiki. The visible words must
// be the same before and after, except for references and similar brackets, which other rules change.
func TestWikipediaPageLosesNothingVisible(t *testing.T) {
	page, err := os.ReadFile("testdata/article.html")
	if err != nil {
		t.Fatal(err)
	}
	clean, changes := inject.Sanitise(string(page))
	before, after := shownWords(t, string(page)), shownWords(t, clean)
	if len(before) < 300 || strings.Join(before, " ") != strings.Join(after, " ") {
		t.Errorf("of %d words %d are left:\n%s\n%s", len(before), len(after), before, after)
	}
	if len(changes) != 1 || changes[0].Kind != inject.Hidden || changes[0].Count < 5 {
		t.Errorf("changes: %+v, want hidden parts alone", changes)
	}
}

// TestHostileHTML checks that Sanitise is stable for hostile input, and that the words around it stay if they
// are not hidden.
func TestHostileHTML(t *testing.T) {
	const million = 1 << 20
	for name, text := range map[string]string{
		"one attribute":        `<p title="` + strings.Repeat("x", million) + `" hidden>OBEY</p>after`,
		"attribute unclosed":   `<p title="` + strings.Repeat("x", million),
		"style of a megabyte":  `<p style="` + strings.Repeat("a:b;", 10000) + `display:none">OBEY</p>after`,
		"style of semicolons":  `<p style="` + strings.Repeat(";", 20000) + `display:none">OBEY</p>after`,
		"style of parentheses": `<p style="` + strings.Repeat("(", 20000) + `">x</p>after`,
		"style of quotes":      `<p style='` + strings.Repeat(`"'(`, 10000) + `'>x</p>after`,
		"comments in a value":  `<p style="display:` + strings.Repeat("/*x*/", 1000) + `none">OBEY</p>after`,
		"open comment":         `<p style="display:none;/*` + strings.Repeat("*", 1000) + `">OBEY</p>after`,
		"nested":               strings.Repeat("<div>", 10000) + "<p hidden>OBEY</p>" + strings.Repeat("</div>", 10000) + "after",
		"nested and hidden":    strings.Repeat("<div hidden>", 10000) + "OBEY" + strings.Repeat("</div>", 10000) + "after",
		"crossed":              strings.Repeat("<b><div>", 10000) + strings.Repeat("</b></div>", 10000) + "after",
		"unmatched ends":       strings.Repeat("<i>", 10000) + strings.Repeat("</div></p></td>", 10000) + "after",
		"blocked ends":         "<div><table><td>" + strings.Repeat("<i>", 10000) + strings.Repeat("</div>", 10000) + "after",
		"everything unclosed":  "<html><body" + strings.Repeat("<p <b <i style=\"", 1000),
		"scripts unclosed":     strings.Repeat("<script>", 10000) + "after",
		"comments unclosed":    strings.Repeat("<!-", 10000) + "after",
		"null bytes":           "<p hid\x00den>a</p><p\x00 style=\"dis\x00play:none\">OBEY</p>\x00after",
		"UTF-7":                "+ADw-p hidden+AD4-STAY+ADw-/p+AD4- after",
		"not UTF-8":            "<p style=\"display:none\xff\">x</p>\xfe\xffafter",
		"angles":               strings.Repeat("<", 100000) + "after",
	} {
		clean, _ := inject.Sanitise(text)
		if strings.Contains(clean, "OBEY") {
			t.Errorf("%s: %.80q is left", name, clean)
		}
		if strings.HasSuffix(text, "after") != strings.HasSuffix(clean, "after") {
			t.Errorf("%s: ends in %.80q", name, clean[max(0, len(clean)-80):])
		}
		if again, changes := inject.Sanitise(clean); again != clean || changes != nil {
			t.Errorf("%s: a second time changes %s", name, fmt.Sprint(changes)[:80])
		}
	}
	if clean, _ := inject.Sanitise("+ADw-p hidden+AD4-STAY+ADw-/p+AD4-"); !strings.Contains(clean, "STAY") {
		t.Errorf("UTF-7 was taken for HTML: %q", clean)
	}
}
