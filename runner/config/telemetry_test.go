package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestTelemetry(t *testing.T) {
	for text, want := range map[string]config.Telemetry{
		"k: 3":             {},
		"telemetry:":       {},
		"telemetry: off":   {Off: true},
		"telemetry: 'off'": {Off: true},
		"telemetry: {otlp: 'https://c.example/otel?p=1', content: on, sample: failed}": {
			OTLP: "https://c.example/otel?p=1", Content: true, Sample: config.Sample{Failed: true}},
		"telemetry: {content: off, sample: 0.1}": {Sample: config.Sample{Part: 0.1}},
		"telemetry: {sample: 1}":                 {},
		"telemetry: {sample: all}":               {},
	} {
		f, err := loaded(t, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, f.Telemetry); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", text, diff)
		}
	}
}

func TestTelemetryRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"telemetry: on":                          ":1:12: telemetry: write off, or a mapping",
		"telemetry: [a]":                         ":1:12: telemetry: expected a mapping",
		"telemetry: {url: 'http://c'}":           ":1:13: telemetry.url: unknown field",
		"telemetry: {otlp: 'c:4318'}":            ":1:19: telemetry.otlp: it is no URL: write it as http://127.0.0.1:4318",
		"telemetry: {otlp: 'ftp://c'}":           ":1:19: telemetry.otlp: it is no URL",
		"telemetry: {otlp: [a]}":                 ":1:19: telemetry.otlp: it is no URL",
		"telemetry: {otlp: 'http://u:hidden@c'}": ":1:19: telemetry.otlp: it has a password or a key",
		"telemetry: {otlp: 'http://c?k=sk-hiddenhiddenhiddenhiddenhidden12'}": ":1:19: telemetry.otlp: it has a password or a key",
		"telemetry: {content: yes please}":                                    "telemetry.content: write on or off",
		"telemetry: {sample: 0}":                                              ":1:21: telemetry.sample: write failed, all, or the part",
		"telemetry: {sample: 1.5}":                                            ":1:21: telemetry.sample: write failed",
		"telemetry: {sample: .nan}":                                           ":1:21: telemetry.sample: write failed",
		"telemetry: {sample: wrong}":                                          ":1:21: telemetry.sample: write failed",
	} {
		_, err := loaded(t, text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func loaded(t *testing.T, text string) (config.File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "concur.yaml")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return config.Load(path, config.New())
}
