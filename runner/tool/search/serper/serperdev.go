package serper

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/seed-5817661a/concur/internal/fetch"
)

type serperReply struct {
	Message        text            `json:"message"`
	StatusCode     text            `json:"statusCode"`
	AnswerBox      json.RawMessage `json:"answerBox"`
	KnowledgeGraph json.RawMessage `json:"knowledgeGraph"`
	Organic        *[]serperResult `json:"organic"`
}

type serperResult struct {
	Title   text `json:"title"`
	Link    text `json:"link"`
	Snippet text `json:"snippet"`
}

type serperAnswer struct {
	Title       text `json:"title"`
	Link        text `json:"link"`
	Answer      text `json:"answer"`
	Snippet     text `json:"snippet"`
	Highlighted text `json:"snippetHighlighted"`
}

type serperGraph struct {
	Title           text            `json:"title"`
	Type            text            `json:"type"`
	Website         text            `json:"website"`
	Description     text            `json:"description"`
	DescriptionLink text            `json:"descriptionLink"`
	Attributes      map[string]text `json:"attributes"`
}

// decodeSerper reads a reply of Serper.dev. A list of organic results, be it empty, is
// what tells results from anything else that comes with status 200.
func decodeSerper(body []byte) (reply, error) {
	var in serperReply
	if err := decode(body, &in); err != nil {
		return reply{}, err
	}
	status, err := strconv.Atoi(string(in.StatusCode))
	if err != nil {
		status = 0
	}
	out := reply{status: status, message: string(in.Message)}
	var answer serperAnswer
	if aside(in.AnswerBox, &answer) {
		out.add("answerBox", answer.Title, answer.Link, answerText(answer.Answer, answer.Snippet, answer.Highlighted))
	}
	var graph serperGraph
	if aside(in.KnowledgeGraph, &graph) {
		link := graph.Website
		if graph.Description != "" && graph.DescriptionLink != "" {
			link = graph.DescriptionLink // where the words come from
		}
		out.add("knowledgeGraph", graph.Title, link, graphText(graph.Type, graph.Description, graph.Attributes))
	}
	if in.Organic != nil {
		for i, r := range *in.Organic {
			out.add("organic/"+strconv.Itoa(i+1), r.Title, r.Link, r.Snippet)
		}
	}
	out.known = in.Organic != nil || len(out.hits) > 0
	return out, nil
}

// classifySerper knows the one pair that shares a status (wire-formats §2).
func classifySerper(status int, message string) fetch.Kind {
	switch {
	case mentions(message, "not enough credits"):
		return fetch.Quota
	case status == http.StatusOK && mentions(message, "unauthorized"):
		return fetch.Auth
	case status == http.StatusOK:
		return fetch.Malformed // a message that is neither results nor a documented error
	}
	return ""
}
