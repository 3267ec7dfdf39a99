package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Search backends.
const (
	BackendCorpus    = "corpus"
	BackendWikipedia = "wikipedia"
	BackendSerper    = "serper"
	BackendBaidu     = "baidu"
)

func Backends() []string {
	return []string{BackendCorpus, BackendWikipedia, BackendSerper, BackendBaidu}
}

// Vendors of the backend serper; both give Google's results.
const (
	VendorSerper  = "serper"
	VendorSerpAPI = "serpapi"
)

// Search sets the sources of evidence.
type Search struct {
	// Cascade lists the backends of web_search in order. Empty means the corpus for an
	// offline model, else serper, baidu, wikipedia.
	Cascade []string `yaml:"cascade"`
	Corpus  string   `yaml:"corpus"` // the source of the backend corpus: offline, or a folder
	// Language and Country, such as en and us, for wikipedia and serper; "" means the
	// backend's default.
	Language  string `yaml:"language"`
	Country   string `yaml:"country"`
	Vendor    string `yaml:"vendor"`     // of the backend serper: serper or serpapi
	BaiduForm string `yaml:"baidu_form"` // html, or json
	// AllowPrivate permits connections of search tools to loopback and private addresses.
	AllowPrivate bool       `yaml:"allow_private"`
	URLs         SearchURLs `yaml:"urls"`
}

// SearchURLs are other addresses of the backends; "" means the public service.
type SearchURLs struct {
	Wikipedia string `yaml:"wikipedia"` // of api.php; {lang} is replaced by the language
	Serper    string `yaml:"serper"`    // of the vendor, without the endpoint's path
	Baidu     string `yaml:"baidu"`     // without the path /s
}

func (s Search) validate() []error {
	var problems []error
	if !unique(s.Cascade) || !subset(s.Cascade, Backends()) {
		problems = append(problems, fmt.Errorf("search.cascade %v: name each of %s at most once", s.Cascade, strings.Join(Backends(), ", ")))
	}
	for _, v := range []struct {
		key, got string
		known    []string
	}{
		{"search.vendor", s.Vendor, []string{VendorSerper, VendorSerpAPI}},
		{"search.baidu_form", s.BaiduForm, []string{"html", "json"}},
	} {
		if !slices.Contains(v.known, v.got) {
			problems = append(problems, fmt.Errorf("%s %q is not known: %s", v.key, v.got, strings.Join(v.known, ", ")))
		}
	}
	if s.Corpus == "" {
		problems = append(problems, fmt.Errorf("search.corpus is empty: name a folder, or offline for the built-in corpus"))
	}
	for key, text := range map[string]string{"wikipedia": s.URLs.Wikipedia, "serper": s.URLs.Serper, "baidu": s.URLs.Baidu} {
		if text == "" {
			continue
		}
		if u, err := url.Parse(strings.ReplaceAll(text, "{lang}", "en")); err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
			problems = append(problems, fmt.Errorf("search.urls.%s is not an address such as https://host/path; it must not contain keys or passwords", key))
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return problems
}
