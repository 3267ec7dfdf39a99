package baidu

import (
	"encoding/json"
	"errors"
	"html"
	"strings"
)

// parseFeed reads the JSON form, at most limit results: feed.entry, whose last entry is
// an empty object and whose strings carry HTML entities.
func parseFeed(body string, limit int) ([]hit, error) {
	var in struct {
		Feed *struct {
			Entry *[]struct {
				Title string `json:"title"`
				URL   string `json:"url"`
				Text  string `json:"abs"`
			} `json:"entry"`
		} `json:"feed"`
	}
	if err := json.Unmarshal([]byte(replaceControls(body)), &in); err != nil {
		return nil, errors.New("its JSON is broken or not of the known shape")
	}
	if in.Feed == nil || in.Feed.Entry == nil {
		return nil, errors.New("its JSON has no feed.entry")
	}
	var hits []hit
	for _, e := range *in.Feed.Entry {
		if len(hits) == limit {
			break
		}
		h := hit{
			title:   clean(html.UnescapeString(e.Title), maxTitle),
			link:    resolve(strings.ReplaceAll(e.URL, "&amp;", "&")), // &copy= is a parameter, not ©
			snippet: clean(html.UnescapeString(e.Text), maxSnippet),
		}
		if h.title != "" && h.link != "" {
			hits = append(hits, h)
		}
	}
	return hits, nil
}

// replaceControls puts a space in the place of every control character: Baidu writes them raw
// into strings, which JSON forbids.
func replaceControls(body string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, body)
}
