package config_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestHub(t *testing.T) {
	zero, wait := 0, 45*time.Second
	for text, want := range map[string]config.Hub{
		"k: 3":                     {},
		"hub: tls://h:4222":        {URL: "tls://h:4222"},
		"hub: {url: 'nats://h'}":   {URL: "nats://h"},
		"hub: {losses: 0}":         {Losses: &zero},
		"hub: {ack_wait: 45s}":     {AckWait: &wait},
		"hub: {ca: a, url: u}":     {URL: "u", CA: "/etc/a"},
		"hub: {token_file: /t/b}":  {TokenFile: "/t/b"},
		"hub: {token_file: ../to}": {TokenFile: "/to"},
	} {
		path := filepath.Join(t.TempDir(), "concur.yaml")
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := config.Load(path, config.New())
		if diff := cmp.Diff(want, f.Hub.In("/etc")); err != nil || diff != "" {
			t.Errorf("%s: error %v, hub (-want +got):\n%s", text, err, diff)
		}
		if diff := cmp.Diff(config.New(), f.Configuration); diff != "" {
			t.Errorf("%s changes the configuration:\n%s", text, diff)
		}
	}
}
