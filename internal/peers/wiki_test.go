//go:build peers

package peers

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets"
)

// wikiTime is the time that each step with the wiki may take; see also those of bench.
const wikiTime = 8 * time.Minute

// phpModules are what MediaWiki over SQLite needs; opcache makes it three times as fast.
var phpModules = []string{"ctype", "dom", "fileinfo", "iconv", "tokenizer", "mbstring", "xml", "xmlreader", "intl", "pdo", "sqlite3", "pdo_sqlite"}

// wiki is Debian's MediaWiki in a temporary folder, with the built-in corpus as its pages.
type wiki struct {
	bench
	php, code string // the program, and the folder of MediaWiki
	env       []string
}

// TestWiki searches a live wiki: gold29 on it must come to four fifths of what it comes to on
// the corpus that the wiki is filled from.
func TestWiki(t *testing.T) {
	w := newWiki(t)
	want := w.gold(t, nil)
	for _, c := range []struct{ name, extension string }{{"plain", ""}, {"TextExtracts", "TextExtracts"}} {
		t.Run(c.name, func(t *testing.T) {
			base := w.serve(t, c.name, c.extension)
			conf := []byte("search:\n  cascade: [wikipedia]\n  allow_private: true\n  urls: {wikipedia: " + base + "/api.php}\n")
			path := filepath.Join(w.dir, c.name+".yaml")
			if err := os.WriteFile(path, conf, 0o600); err != nil {
				t.Fatal(err)
			}
			w.findsRedirect(t, path)
			got := w.gold(t, []string{"--config", path, "--concurrency", "4"})
			t.Logf("gold29: %d correct on the wiki, %d on the corpus", got, want)
			if 5*got < 4*want {
				t.Error("that is less than four fifths")
			}
		})
	}
}

// gold gives the correct queries of gold29.
func (w wiki) gold(t *testing.T, args []string) int {
	t.Helper()
	args = append([]string{"run", "gold29", "--model", "offline:reader", "--quiet", "--format", "json", "--runs-dir", filepath.Join(w.dir, "runs")}, args...)
	stdout, stderr, code := w.run(t, nil, w.concur, args...)
	if code != 0 {
		t.Fatalf("run gold29: exit code %d\n%s", code, stderr)
	}
	return resultOf(t, stdout).Counts.Correct
}

// findsRedirect asks for a page by a name that only a redirect has.
func (w wiki) findsRedirect(t *testing.T, config string) {
	t.Helper()
	stdout, stderr, code := w.run(t, nil, w.concur, "tools", "call", "--config", config, "wiki_search", `{"query":"`+redirectName+`"}`)
	var out struct {
		Results []struct {
			Title string
			Score float64
		}
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != 0 || len(out.Results) == 0 || out.Results[0].Title != redirectTo || out.Results[0].Score != 1 {
		t.Errorf("search for %s: %v, exit code %d\n%s%s", redirectName, err, code, stdout, stderr)
	}
}

// newWiki skips the test where Debian's packages cannot be had.
func newWiki(t *testing.T) wiki {
	t.Helper()
	w := wiki{bench: bench{dir: t.TempDir(), most: wikiTime}}
	w.unpack(t)
	w.build(t)
	w.command(t, "install.php", "--dbtype=sqlite", "--dbname=wiki", "--dbpath="+w.dir, "--confpath="+w.dir,
		"--pass=a-password-for-the-loopback", "--scriptpath=", "--server=http://wiki.example", "Wiki", "Admin")
	w.env = append(w.env, "MW_CONFIG_FILE="+filepath.Join(w.dir, "LocalSettings.php"))
	w.command(t, "importDump.php", w.dump(t))
	w.command(t, "rebuildtextindex.php")
	return w
}

// unpack takes MediaWiki and PHP, where they are not installed, from Debian's packages into
// the folder; nothing is installed and nobody has to be root.
func (w *wiki) unpack(t *testing.T) {
	t.Helper()
	w.debian(t, "mediawiki", "php-cli", "php-sqlite3")
	w.php, w.code = w.first("php", "root/usr/bin/php[0-9]*"), w.first("/usr/share/mediawiki", "root/usr/share/mediawiki")
	var ini strings.Builder
	for _, module := range phpModules {
		for _, path := range w.glob("root/usr/lib/php/*/" + module + ".so") {
			fmt.Fprintf(&ini, "extension=%s\n", path)
		}
	}
	for _, path := range w.glob("root/usr/lib/php/*/opcache.so") {
		fmt.Fprintf(&ini, "zend_extension=%s\nopcache.enable_cli=1\nopcache.max_accelerated_files=20000\n", path)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "modules.ini"), []byte(ini.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	w.env = []string{
		"PHP_INI_SCAN_DIR=:" + w.dir, // in addition to the system's
		"LD_LIBRARY_PATH=" + strings.Join(append(w.glob("root/usr/lib/*-linux-gnu*"), os.Getenv("LD_LIBRARY_PATH")), ":"),
	}
}

// first is what the pattern finds in the folder, or else the system's own.
func (w wiki) first(system, pattern string) string {
	if found := w.glob(pattern); len(found) > 0 {
		return found[0]
	}
	return system
}

func (w wiki) glob(pattern string) []string {
	found, err := filepath.Glob(filepath.Join(w.dir, pattern))
	if err != nil {
		panic(err) // the pattern is wrong
	}
	return found
}

// command runs one of MediaWiki's maintenance scripts.
func (w wiki) command(t *testing.T, script string, args ...string) {
	t.Helper()
	stdout, stderr, code := w.run(t, w.env, w.php, append([]string{filepath.Join(w.code, "maintenance", script)}, args...)...)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s%s", script, code, stdout, stderr)
	}
}

// serve starts the wiki, with an extension if it is named, and gives its address.
func (w wiki) serve(t *testing.T, name, extension string) string {
	t.Helper()
	settings := filepath.Join(w.dir, name+".php")
	text := fmt.Sprintf("<?php\nrequire '%s';\n", filepath.Join(w.dir, "LocalSettings.php"))
	if extension != "" {
		text += fmt.Sprintf("wfLoadExtension('%s', '%s');\n", extension, filepath.Join(w.code, "extensions-core", extension, "extension.json"))
	}
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return w.start(t, regexp.MustCompile(`\((http://127\.0\.0\.1:\d+)\) started`), append(slices.Clone(w.env), "MW_CONFIG_FILE="+settings),
		"sh", "-c", `exec "$@" 2>&1`, "sh", w.php, "-S", "127.0.0.1:0", "-t", w.code)
}

// A name of one of the corpus's subjects that the corpus does not use.
const redirectName, redirectTo = "Oldoinyo", "Kilimanjaro"

// dump writes the built-in corpus in MediaWiki's form for exports.
func (w wiki) dump(t *testing.T) (path string) {
	t.Helper()
	corpus, err := datasets.OpenCorpus(datasets.OfflineCorpus)
	if err != nil {
		t.Fatal(err)
	}
	type page struct {
		XMLName xml.Name `xml:"page"`
		Title   string   `xml:"title"`
		Text    string   `xml:"revision>text"`
	}
	texts := map[string]string{redirectName: "#REDIRECT [[" + redirectTo + "]]"}
	for _, d := range corpus.Documents {
		texts[d.Title] = d.Text
	}
	if len(texts) != len(corpus.Documents)+1 || texts[redirectTo] == "" {
		t.Fatalf("the corpus has a title twice, or no %s", redirectTo)
	}
	var pages []page
	for _, title := range slices.Sorted(maps.Keys(texts)) {
		pages = append(pages, page{Title: title, Text: texts[title]})
	}
	raw, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"mediawiki"`
		Pages   []page
	}{Pages: pages})
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(w.dir, "dump.xml")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
