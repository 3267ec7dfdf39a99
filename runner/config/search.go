package config

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/tool/api/catalog"
)

// Search backends.
const (
	BackendCorpus    = "corpus"
	BackendWikipedia = "wikipedia"
	BackendSerper    = "serper"
	BackendBaidu     = "baidu"
)

// Backends returns the names of all search backends.
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
	// Cascade lists the backends of web_search in order. If it is empty, this is corpus for an offline model,
	// and serper, baidu, wikipedia for other models.
	// Tools with documents of the catalog and of concur.yaml can be backends too.
	Cascade []string `yaml:"cascade"`
	Corpus  string   `yaml:"corpus"` // the source of the backend corpus: offline, or a folder
	// Language and Country, such as en and us, are settings of wikipedia and serper. "" means the backend's
	// default.
	Language  string `yaml:"language"`
	Country   string `yaml:"country"`
	Vendor    string `yaml:"vendor"`     // of the backend serper: serper or serpapi
	BaiduForm string `yaml:"baidu_form"` // html, or json
	// AllowPrivate permits connections of search tools to loopback and private addresses.
	AllowPrivate bool       `yaml:"allow_private"`
	URLs         SearchURLs `yaml:"urls"`
}

// SearchURLs replaces the addresses of the backends; "" means the public service.
type SearchURLs struct {
	Wikipedia string `yaml:"wikipedia"` // address of api.php; {lang} is replaced by the language
	Serper    string `yaml:"serper"`    // address of the vendor, without the endpoint's path
	Baidu     string `yaml:"baidu"`     // address without the path /s
}

// validate checks the settings. tools are the tools of concur.yaml.
func (s Search) validate(p *problems, tools map[string]DeclaredTool) {
	oneOf(p, "search.baidu_form", s.BaiduForm, "html", "json")
	known := slices.Concat(Backends(), catalog.Names(), slices.Sorted(maps.Keys(tools)))
	p.refuse(!eachOnce(s.Cascade, known),
		"search.cascade %v: name each of %s, tools with documents of the catalog (concur tools list) and of tools at most "+
			"once", s.Cascade, strings.Join(Backends(), ", "))
	p.refuse(s.Corpus == "", "search.corpus is empty: name a folder, or offline for the built-in corpus")
	for _, address := range [][2]string{
		{"baidu", s.URLs.Baidu}, {"serper", s.URLs.Serper}, {"wikipedia", s.URLs.Wikipedia},
	} {
		u := webAddress(strings.ReplaceAll(address[1], "{lang}", "en"))
		p.refuse(address[1] != "" && (u == nil || u.User != nil),
			"search.urls.%s is not an address such as https://host/path; it must not contain keys or passwords",
			address[0])
	}
	oneOf(p, "search.vendor", s.Vendor, VendorSerper, VendorSerpAPI)
}

// webAddress parses a text as the URL of a server. It returns nil if the text is not such a URL.
func webAddress(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	return u
}
