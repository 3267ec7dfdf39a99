package main

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/hub/server"
)

// A run and an ablation that use a hub are refused with the way out before a folder is made, if they cannot use it.
func TestHubRefused(t *testing.T) {
	hub, err := server.Start(server.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Store: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	const password = "nats://user:hunter2-hunter2@127.0.0.1:4222"
	cases := map[string]struct {
		args []string
		want string
	}{
		"password":     {[]string{"run", "--hub", password}, "has a password"},
		"worker":       {[]string{"work", password}, "has a password"},
		"clean":        {[]string{"hub", "clean", password}, "has a password"},
		"no worker":    {[]string{"work"}, "takes the URL of a hub"},
		"places":       {[]string{"work", hub.URL(), "--places", "0"}, "give 1 to 4096"},
		"losses":       {[]string{"run", "--hub", hub.URL(), "--hub-losses", "-1"}, "at least 0"},
		"ack wait":     {[]string{"ablate", "offline", "--hub", hub.URL(), "--hub-ack-wait", "1ms"}, "at least 1s"},
		"another form": {[]string{"run", "--hub", "http://127.0.0.1"}, "begins with http"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			code, out, errs := invoke(c.args...)
			if code != exitUsage || !strings.Contains(errs, c.want) || strings.Contains(errs, "hunter2") {
				t.Errorf("exit %d: %s%s", code, out, errs)
			}
		})
	}
}
