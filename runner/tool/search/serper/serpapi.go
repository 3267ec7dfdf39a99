package serper

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
)

type serpapiReply struct {
	Error    text `json:"error"`
	Metadata struct {
		Status text `json:"status"`
	} `json:"search_metadata"`
	Information struct {
		State text `json:"organic_results_state"`
	} `json:"search_information"`
	AnswerBox      json.RawMessage  `json:"answer_box"`
	KnowledgeGraph json.RawMessage  `json:"knowledge_graph"`
	Organic        *[]serpapiResult `json:"organic_results"`
}

type serpapiResult struct {
	Title   text `json:"title"`
	Link    text `json:"link"`
	Snippet text `json:"snippet"`
}

type serpapiAnswer struct {
	Title       text `json:"title"`
	Link        text `json:"link"`
	Answer      text `json:"answer"`
	Result      text `json:"result"` // of a conversion or calculation
	Snippet     text `json:"snippet"`
	Highlighted text `json:"snippet_highlighted_words"`
	List        text `json:"list"`
}

type serpapiGraph struct {
	Title       text `json:"title"`
	Type        text `json:"type"`
	EntityType  text `json:"entity_type"`
	Website     text `json:"website"`
	Description text `json:"description"`
	Source      struct {
		Link text `json:"link"`
	} `json:"source"`
}

// decodeSerpAPI reads a reply of SerpApi. "Fully empty" is a result, although an error
// text comes with it (wire-formats §3).
func decodeSerpAPI(body []byte) (reply, error) {
	var in serpapiReply
	if err := decode(body, &in); err != nil {
		return reply{}, err
	}
	var out reply
	var answer serpapiAnswer
	if aside(in.AnswerBox, &answer) {
		out.add("answerBox", answer.Title, answer.Link,
			answerText(first(answer.Answer, answer.Result), first(answer.Snippet, answer.List), answer.Highlighted))
	}
	var graph serpapiGraph
	if aside(in.KnowledgeGraph, &graph) {
		link := graph.Website
		if graph.Description != "" && graph.Source.Link != "" {
			link = graph.Source.Link
		}
		out.add("knowledgeGraph", graph.Title, link,
			graphText(first(graph.Type, graph.EntityType), graph.Description, serpapiAttributes(in.KnowledgeGraph)))
	}
	if in.Organic != nil {
		for i, r := range *in.Organic {
			out.add("organic/"+strconv.Itoa(i+1), r.Title, r.Link, r.Snippet)
		}
	}
	nothing := mentions(string(in.Information.State), "fully empty") || mentions(string(in.Error), "hasn't returned any results")
	if !nothing {
		out.message = string(in.Error)
	}
	switch in.Metadata.Status {
	case "Processing", "Queued":
		out.pending = true
	case "Error":
		out.message = string(first(in.Error, "the search ended with status Error"))
	}
	out.known = out.message == "" && !out.pending && (nothing || in.Organic != nil || len(out.hits) > 0)
	return out, nil
}

// serpapiAttributes gathers a knowledge graph's facts: they stand beside its documented
// fields under names of their own, each with a ..._links twin.
func serpapiAttributes(raw json.RawMessage) map[string]text {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	out := map[string]text{}
	for name, value := range fields {
		switch name {
		case "title", "type", "entity_type", "website", "description", "source", "kgmid", "image", "thumbnail":
			continue
		}
		var t text
		if !strings.HasPrefix(string(value), `"`) || json.Unmarshal(value, &t) != nil || strings.Contains(string(t), "://") {
			continue
		}
		out[strings.ReplaceAll(name, "_", " ")] = t
	}
	return out
}

// classifySerpAPI goes by the words where the status does not tell: 429 is both a burst
// and a used-up month, 410 is outside the common map, and any failure may come with 200.
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
