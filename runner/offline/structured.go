package offline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/model"
)

// rules maps the name of a schema to the rule that answers requests with this schema.
var rules = map[string]func(blocks) (any, error){
	"concur_extraction_v1":   ruleExtraction,
	"concur_equivalence_v1":  ruleEquivalence,
	"concur_pick_v1":         rulePick,
	"concur_correctness_v1":  ruleCorrectness,
	"concur_quality_v1":      ruleQuality,
	"concur_analysis_v1":     ruleAnalysis,
	"concur_reflection_v1":   ruleReflection,
	"concur_condensation_v1": ruleCondense,
	"concur_ranking_v1":      ruleRanking,
	"concur_summary_v1":      ruleSummary,
}

// checkForm returns an error for settings of the reply's form that this model does not support.
func checkForm(req model.Request) error {
	for _, name := range []string{"response_format", "output_config"} {
		if form, asked := req.Extra[name]; asked && strings.Contains(string(form), `"json_`) {
			return fmt.Errorf("%s: the offline model replies in prose or by the rules of a named schema; leave %s out",
				name, name)
		}
	}
	return nil
}

// byRule replies to a request with a schema. It uses the name of the schema and the data in the prompt. If the
// schema demands a token, it repeats the token. Temperature, seed and the rest of the prompt have no effect.
func byRule(req model.Request) (string, error) {
	name := req.Schema.Name
	rule, known := rules[name]
	if !known {
		return "", fmt.Errorf("there are no rules for the response schema %q; known: %s", name,
			strings.Join(slices.Sorted(maps.Keys(rules)), ", "))
	}
	data, err := dataOf(req.Messages)
	var reply any
	if err == nil {
		reply, err = rule(data)
	}
	var raw []byte
	if err == nil {
		raw, err = json.Marshal(reply)
	}
	if err != nil {
		return "", fmt.Errorf("answer %s: %w", name, err)
	}
	if token := tokenOf(req); token != "" {
		raw = slices.Concat([]byte(`{"token":"`+token+`",`), raw[1:])
	}
	return string(raw), nil
}

// tokenLine matches the end of a system prompt with a token that the reply must repeat.
var tokenLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"token"[^"]*"([0-9a-f]+)"[^"]*$`) })

// tokenOf returns the token of a request: the schema must demand one, and the system prompt must contain it. It
// returns "" if the schema demands no token.
func tokenOf(req model.Request) string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(req.Schema.Schema, &schema) != nil || schema.Properties["token"] == nil ||
		len(req.Messages) == 0 {
		return ""
	}
	if m := tokenLine().FindStringSubmatch(req.Messages[0].Content); m != nil && req.Messages[0].Role == model.System {
		return m[1]
	}
	return ""
}

// blocks maps the labels of a prompt's blocks of data to their text.
type blocks map[string]string

// piece matches a block of data between its borders, "[label nonce]" and "[end label nonce]". bar matches the
// bar at the beginning of each line of a block.
var (
	piece = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\[([a-z][A-Za-z0-9 ]*) ([0-9a-f]{16,64})\]\n((?:\|.*\n)*)\[end (.*)\]$`)
	})
	bar = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\| ?`) })
)

// dataOf reads the data in the first user message that contains data. Data has this form:
//
//	[label nonce]
//	| a line of data
//	[end label nonce]
//
// Every line of data begins with a bar, so it cannot look like a border. All borders have the nonce of the
// first border. Other text is not read, because a request is recognised by the name of its schema and not by
// its wording.
func dataOf(messages []model.Message) (blocks, error) {
	out := blocks{}
	for _, m := range messages {
		if m.Role != model.User || len(out) > 0 {
			continue
		}
		nonce := ""
		for _, p := range piece().FindAllStringSubmatch(m.Content, -1) {
			nonce = cmp.Or(nonce, p[2])
			if _, again := out[p[1]]; !again && p[4] == p[1]+" "+nonce {
				out[p[1]] = strings.TrimSpace(bar().ReplaceAllString(p[3], ""))
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New(`no data was found: send it in a user message, each piece between the lines ` +
			`"[label nonce]" and "[end label nonce]", with a bar before every line`)
	}
	return out, nil
}

// need returns the blocks with these labels. Each must be present, but may be empty.
func (b blocks) need(labels ...string) ([]string, error) {
	var out []string
	for _, l := range labels {
		if _, ok := b[l]; !ok {
			return nil, errors.New("the data has no piece with the label " + l + "; send one")
		}
		out = append(out, b[l])
	}
	return out, nil
}
