package sent

import (
	"maps"
	"slices"
)

// MostQueries is the maximum number of queries whose recordings are compared.
const MostQueries = 200

// Kind is the kind of a part of a request.
type Kind string

// The kinds of parts, in the order in which differences are listed.
const (
	SystemPrompt Kind = "system_prompt"
	FirstMessage Kind = "first_message" // the messages of the first request after its system prompt
	File         Kind = "file"          // a text file of the agent; it is no part of a request
	Tool         Kind = "tool"
	ReplySchema  Kind = "reply_schema" // the requested form of the reply
	Parameter    Kind = "parameter"
	Model        Kind = "model"
)

var kinds = []Kind{SystemPrompt, FirstMessage, File, Tool, ReplySchema, Parameter, Model}

// Part is a part of the requests of one trace.
type Part struct {
	Kind Kind `json:"kind"`
	// Name is the name of the tool, parameter or file, after the path of the sub-agent that sent it.
	Name string `json:"name,omitempty"`
	Text string `json:"text"` // digest of the text, which is a key of Sample.Texts
}

// Query has the parts that one trace of a query sent. Each part occurs once, in the order in which the parts
// were first sent.
type Query struct {
	ID    string `json:"id"`
	Parts []Part `json:"parts"`
}

// Sample has the parts that one configuration of a run sent for some of its queries.
type Sample struct {
	Run     string  `json:"run"`
	Queries []Query `json:"queries"` // those that have a recording, by id
	// Texts are the texts of parts and files by their digests, up to 64 KiB of each. Keys in them are hidden, and
	// the day of the run is replaced by a mark. Texts beyond 16 MiB are left out.
	Texts map[string]string `json:"texts"`
	// Files are the digests of the texts of the agent's files, by the names of the files; "" if the run did not
	// keep the text.
	Files map[string]string `json:"files,omitempty"`
	// Contents are the digests of the contents of the agent's files, by the names of the files, also of files whose
	// text was not kept. It is nil in samples of older versions.
	Contents map[string]string `json:"contents,omitempty"`
	// Problem states why the recording was not read, or not to its end; "" if it was read.
	Problem string `json:"problem,omitempty"`
}

// Spread returns at most n of the ids, evenly distributed over their order.
func Spread(ids []string, n int) []string {
	if len(ids) <= n {
		return slices.Clone(ids)
	}
	out := make([]string, n)
	for i := range out {
		out[i] = ids[i*len(ids)/n]
	}
	return out
}

// of returns the parts of a query; nil if the sample does not have the query.
func (s Sample) of(query string) []Part {
	for _, q := range s.Queries {
		if q.ID == query {
			return q.Parts
		}
	}
	return nil
}

// dropUnused removes the texts that no part and no file has.
func (s *Sample) dropUnused() {
	used := map[string]bool{}
	for _, q := range s.Queries {
		for _, p := range q.Parts {
			used[p.Text] = true
		}
	}
	for _, digest := range s.Files {
		used[digest] = true
	}
	maps.DeleteFunc(s.Texts, func(digest, _ string) bool { return !used[digest] })
}
