package serper

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// Vendor names the company whose API is called.
type Vendor string

// The vendors.
const (
	SerperDev Vendor = "serper"  // https://serper.dev
	SerpAPI   Vendor = "serpapi" // https://serpapi.com
)

// dialect describes the differences between the vendors.
type dialect struct {
	base     string // default of Options.BaseURL
	variable string // usual name of the key's variable, for messages only
	source   string // Document.Source of a document without a link
	request  func(o Options, query string, limit int) (fetch.Request, error)

	// Names of the parts of a reply, and of the fields of the answer box and the knowledge graph.
	answerBox, graph, organic string
	answer, passage, kind     []string
	highlighted               string
	// about returns the source of a knowledge graph's description, and its facts.
	about func(graph object) (source string, facts map[string]string)
	// state reads the status and message with which a vendor reports a failure.
	state    func(in object, r *reply) error
	classify func(status int, message string) fetch.Kind // returns "" if the HTTP status decides
}

// dialects has the dialect of each vendor.
var dialects = map[Vendor]dialect{
	SerperDev: {
		base: "https://google.serper.dev", variable: "SERPER_API_KEY", source: "serper.dev", request: serperRequest,
		answerBox: "answerBox", graph: "knowledgeGraph", organic: "organic", answer: []string{"answer"},
		passage: []string{"snippet"},
		kind:    []string{"type"}, highlighted: "snippetHighlighted", about: serperGraph, state: serperState,
		classify: classifySerper,
	},
	SerpAPI: {
		base: "https://serpapi.com", variable: "SERPAPI_API_KEY", source: "serpapi.com", request: serpapiRequest,
		answerBox: "answer_box", graph: "knowledge_graph", organic: "organic_results",
		answer:  []string{"answer", "result"}, // result is for a conversion or a calculation
		passage: []string{"snippet", "list"}, kind: []string{"type", "entity_type"},
		highlighted: "snippet_highlighted_words",
		about:       serpapiGraph, state: serpapiState, classify: classifySerpAPI,
	},
}

func serperRequest(o Options, query string, limit int) (fetch.Request, error) {
	body, err := json.Marshal(struct {
		Query    string `json:"q"`
		Limit    int    `json:"num"`
		Country  string `json:"gl,omitempty"`
		Language string `json:"hl,omitempty"`
	}{query, limit, o.Country, o.Language})
	return fetch.Request{
		Method: http.MethodPost,
		URL:    o.BaseURL + "/search",
		Header: http.Header{"X-Api-Key": {o.APIKey}, "Content-Type": {"application/json"},
			"Accept": {"application/json"}},
		Body: body,
	}, err
}

func serpapiRequest(o Options, query string, limit int) (fetch.Request, error) {
	q := url.Values{
		"engine": {"google"}, "q": {query}, "num": {strconv.Itoa(limit)}, "start": {"0"},
		"google_domain": {"google.com"}, "api_key": {o.APIKey},
	}
	if o.Country != "" {
		q.Set("gl", o.Country)
	}
	if o.Language != "" {
		q.Set("hl", o.Language)
	}
	return fetch.Request{URL: o.BaseURL + "/search.json?" + q.Encode(),
		Header: http.Header{"Accept": {"application/json"}}}, nil
}

func serperGraph(graph object) (source string, facts map[string]string) {
	attributes, _ := graph.part("attributes")
	facts = map[string]string{}
	for name, value := range attributes {
		if text := textOf(value); text != "" {
			facts[name] = text
		}
	}
	return graph.text("descriptionLink"), facts
}

// serpapiGraph collects facts, which are undocumented fields. Each fact has a second field with the suffix
// _links.
func serpapiGraph(graph object) (source string, facts map[string]string) {
	facts = map[string]string{}
	for name, value := range graph {
		switch name {
		case "title", "type", "entity_type", "website", "description", "source", "kgmid", "image", "thumbnail":
			continue
		}
		if text := textOf(value); value[0] == '"' && text != "" && !strings.Contains(text, "://") {
			facts[strings.ReplaceAll(name, "_", " ")] = text
		}
	}
	from, _ := graph.part("source")
	return from.text("link"), facts
}

func serperState(in object, r *reply) error {
	r.status, _ = strconv.Atoi(in.text("statusCode")) // 0 if it is not a number
	r.message = in.text("message")
	return nil
}

// serpapiState treats "Fully empty" as a result, although the reply has an error text.
func serpapiState(in object, r *reply) error {
	metadata, err := in.part("search_metadata")
	if err != nil {
		return err
	}
	information, err := in.part("search_information")
	failed := in.text("error")
	if mentions(information.text("organic_results_state"), "fully empty") ||
		mentions(failed, "hasn't returned any results") {
		r.known = true
	} else {
		r.message = failed
	}
	switch metadata.text("status") {
	case "Processing", "Queued":
		r.pending = true
	case "Error":
		r.message = failed
		if failed == "" {
			r.message = "the search ended with status Error"
		}
	}
	r.known = r.known && r.message == "" && !r.pending
	return err
}

// classifySerper distinguishes two failures that share a status.
func classifySerper(status int, message string) fetch.Kind {
	switch {
	case mentions(message, "not enough credits"):
		return fetch.Quota
	case status == http.StatusOK && mentions(message, "unauthorized"):
		return fetch.Auth
	case status == http.StatusOK:
		return fetch.Malformed // the message is neither a result nor a documented error
	}
	return ""
}

// classifySerpAPI uses the text where the status is ambiguous: 429 means either too many requests or a
// used-up month, 410 has a special meaning, and any failure may come with status 200.
func classifySerpAPI(status int, message string) fetch.Kind {
	switch {
	case mentions(message, "run out"):
		return fetch.Quota
	case status == http.StatusGone:
		return fetch.Upstream
	case status != http.StatusOK:
		return ""
	case mentions(message, "invalid api key"):
		return fetch.Auth
	case mentions(message, "throughput", "too many requests"):
		return fetch.RateLimited
	case mentions(message, "missing parameter", "missing query", "unsupported"):
		return fetch.BadRequest
	}
	return fetch.Upstream
}

func mentions(message string, phrases ...string) bool {
	message = strings.ToLower(message)
	for _, p := range phrases {
		if strings.Contains(message, p) {
			return true
		}
	}
	return false
}
