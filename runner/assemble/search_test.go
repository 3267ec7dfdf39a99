package assemble

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
)

// If a dataset has a corpus, only that is searched, unless another one is configured.
func TestWithCorpus(t *testing.T) {
	for name, c := range map[string]struct {
		source, corpus string
		cascade        []string
		want           string // the expected corpus
		searched       string // the expected cascade of a model that is not offline
	}{
		"its own":          {"guards24", "offline", nil, "guards24", "corpus"},
		"another":          {"guards24", "/texts", nil, "/texts", "serper baidu wikipedia"},
		"the web":          {"guards24", "offline", []string{"wikipedia"}, "guards24", "wikipedia"},
		"none of its own":  {"gold29", "offline", nil, "offline", "serper baidu wikipedia"},
		"of another set":   {"gold29", "guards24", nil, "guards24", "serper baidu wikipedia"},
		"without queries":  {"", "offline", nil, "offline", "serper baidu wikipedia"},
		"a file, not ours": {"./guards24.yaml", "offline", nil, "offline", "serper baidu wikipedia"},
	} {
		conf := config.New()
		conf.Model, conf.Search.Corpus, conf.Search.Cascade = "openai:m", c.corpus, c.cascade
		conf, err := WithCorpus(conf, c.source)
		if got := strings.Join(conf.Completed().Search.Cascade, " "); err != nil || conf.Search.Corpus != c.want || got != c.searched {
			t.Errorf("%s: corpus %s, searched %s: %v", name, conf.Search.Corpus, got, err)
		}
	}
}
