package config

import (
	"errors"
	"net/url"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Telemetry says where runs send spans while they run: docs/telemetry.md. It belongs to the file and not to a
// Configuration, because it affects neither an agent nor a result. The zero value leaves it to the environment.
type Telemetry struct {
	// Off sends nothing, whatever the environment says. In YAML it is the text off in place of the mapping.
	Off bool
	// OTLP is the base URL of a collector, without /v1/traces; "" takes the variables of the environment.
	OTLP string
	// Content adds the texts of questions, models and tools.
	Content bool
	Sample  Sample
}

// Sample chooses the queries that are sent. The zero value chooses all.
type Sample struct {
	// Failed chooses the queries that have a verdict other than correct, after they are decided.
	Failed bool
	// Part is the part of the queries that is sent, between 0 and 1, both excluded; 0 means all.
	Part float64
}

// UnmarshalNode reads the text off, or a mapping with the keys otlp, content and sample.
func (t *Telemetry) UnmarshalNode(n *yaml.Node) error {
	*t = Telemetry{}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		t.Off = n.Value == string(Off)
		if !t.Off {
			return errors.New("write off, or a mapping such as {otlp: http://127.0.0.1:4318}")
		}
		return nil
	}
	var read struct {
		OTLP    yaml.Node `yaml:"otlp"`
		Content Switch    `yaml:"content"`
		Sample  yaml.Node `yaml:"sample"`
	}
	if err := strictyaml.DecodeNode(n, &read); err != nil {
		return err
	}
	var wrong strictyaml.Errors
	refuse := func(at *yaml.Node, path, message string) {
		found := strictyaml.Errorf(at, "%s", message)
		found.Path = path
		wrong = append(wrong, found)
	}
	if read.OTLP.Kind != 0 {
		t.OTLP = read.OTLP.Value
		if message := checkCollector(t.OTLP); message != "" {
			refuse(&read.OTLP, "otlp", message)
		}
	}
	switch read.Content {
	case "", Off:
	case On:
		t.Content = true
	default:
		refuse(n, "content", "write on or off")
	}
	if read.Sample.Kind != 0 && !t.Sample.read(read.Sample.Value) {
		refuse(&read.Sample, "sample", "write failed, all, or the part of the queries to send, such as 0.1")
	}
	return wrong.Err()
}

// read reads the value of the key sample.
func (s *Sample) read(text string) bool {
	switch text {
	case "all":
		return true
	case "failed":
		s.Failed = true
		return true
	}
	part, err := strconv.ParseFloat(text, 64)
	if err != nil || !(part > 0 && part <= 1) {
		return false
	}
	if part < 1 {
		s.Part = part
	}
	return true
}

// checkCollector returns what is wrong with the URL of a collector; "" if nothing is. The message has no part of the
// URL, because a part may be a key.
func checkCollector(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "it is no URL: write it as http://127.0.0.1:4318"
	case u.User != nil, len(secret.Likely(address)) > 0:
		return "it has a password or a key: set them as a header in the variable OTEL_EXPORTER_OTLP_HEADERS"
	}
	return ""
}
