package offline

import (
	"encoding/json"
	"strings"
)

// document is one search result.
type document struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Snippet string  `json:"snippet"`
	Source  string  `json:"source"`
	Score   float64 `json:"score"`
}

// maxResults bounds what is read of one search.
const maxResults = 20

// documents reads a search observation, also one that the harness has cut off: it takes the
// results one by one, up to the first that is no document.
func (o observation) documents() []document {
	_, body, _ := strings.Cut(o.text, `"results"`)
	_, list, ok := strings.Cut(body, "[")
	if o.failed || !ok {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader("[" + list))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	var out []document
	for range maxResults {
		var d document
		if !dec.More() || dec.Decode(&d) != nil {
			break
		}
		d.Title, d.Snippet, d.Source = plainText(d.Title), plainText(d.Snippet), plainText(d.Source)
		if d.ID != "" && d.Snippet != "" {
			out = append(out, d)
		}
	}
	return out
}

// maxSnippet bounds what is read of one document, in bytes.
const maxSnippet = 4 << 10

func plainText(s string) string {
	if len(s) > maxSnippet {
		s = s[:maxSnippet]
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, " ")), " ")
}

// value reads a calculator observation.
func (o observation) value() (string, bool) {
	var body struct {
		Value string `json:"value"`
	}
	if o.failed || json.Unmarshal([]byte(o.text), &body) != nil {
		return "", false
	}
	return body.Value, plainNumber(body.Value)
}

// plainNumber accepts decimals as the calculator writes them.
func plainNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	whole, frac, dotted := strings.Cut(digits, ".")
	return whole != "" && (!dotted || frac != "") && strings.Trim(whole+frac, "0123456789") == ""
}

// searches reads a planner observation: how many searches it foresees.
func (o observation) searches() int {
	var body struct {
		Steps []struct {
			Tool *string `json:"tool"`
		} `json:"steps"`
	}
	if o.failed || json.Unmarshal([]byte(o.text), &body) != nil {
		return 0
	}
	n := 0
	for _, s := range body.Steps {
		if s.Tool != nil && *s.Tool == searchTool {
			n++
		}
	}
	return n
}
