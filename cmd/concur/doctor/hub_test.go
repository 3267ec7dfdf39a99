package doctor

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/hub/worker"
)

// hubOf starts a hub.
func hubOf(t *testing.T, o server.Options) string {
	t.Helper()
	o.Dir, o.Listen = t.TempDir(), "127.0.0.1:0"
	if o.Store == 0 {
		o.Store = 64 << 20
	}
	s, err := server.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.URL()
}

// plainNATS starts a NATS server without JetStream.
func plainNATS(t *testing.T) string {
	t.Helper()
	s, err := nats.NewServer(&nats.Options{Host: "127.0.0.1", Port: nats.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the NATS server does not start")
	}
	return s.ClientURL()
}

// fakeNATS sends a first line to each client, and answers its pings.
func fakeNATS(t *testing.T, first string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				fmt.Fprint(conn, first+"\r\n")
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					if strings.HasPrefix(lines.Text(), "PING") {
						fmt.Fprint(conn, "PONG\r\n")
					}
				}
			}()
		}
	}()
	return "nats://" + listener.Addr().String()
}

func infoLine(version string, payload int) string {
	return fmt.Sprintf(`INFO {"server_id":"X","version":%q,"proto":1,"headers":true,"max_payload":%d}`, version, payload)
}

// Each hub that cannot be used is named, with the way out.
func TestHubsThatCannotBeUsed(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("0123456789abcdef0123\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		url, token string
		want       []string
	}{
		"nobody there":    {url: "nats://127.0.0.1:1", want: []string{"no servers available", "start a hub with `concur-hub`"}},
		"web server":      {url: "nats://" + strings.TrimPrefix(web.URL, "http://"), want: []string{"no NATS server at this address"}},
		"another server":  {url: fakeNATS(t, "220 mail.example.com ESMTP"), want: []string{"no NATS server at this address"}},
		"no JetStream":    {url: plainNATS(t), want: []string{"without JetStream", "nats-server --jetstream"}},
		"too old":         {url: fakeNATS(t, infoLine("2.9.25", 1<<20)), want: []string{"is NATS 2.9.25", "use NATS 2.10 or later"}},
		"tiny messages":   {url: fakeNATS(t, infoLine("2.11.0", 32<<10)), want: []string{"messages of 32768 bytes", "set its max_payload"}},
		"disk full":       {url: hubOf(t, server.Options{Free: func(string) (int64, error) { return 1 << 20, nil }}), want: []string{"the hub is full", "make room"}},
		"no token":        {url: hubOf(t, server.Options{TokenFile: token}), want: []string{"Authorization Violation", "--hub-token-file or CONCUR_HUB_TOKEN"}},
		"wrong token":     {url: hubOf(t, server.Options{TokenFile: token}), token: "guess", want: []string{"Authorization Violation", "--hub-token-file"}},
		"password in URL": {url: "nats://u:hunter2-hunter2@127.0.0.1:4222", want: []string{"has a password"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := &Examination{Network: true}
			d.Hub(t.Context(), link.Options{URL: c.url, Token: c.token}, "v1")
			var failed string
			for _, check := range d.Checks {
				if check.State == listing.Fails && check.Needed {
					failed += check.Name + ": " + check.Detail + ": " + check.Mend
				}
			}
			for _, want := range c.want {
				if !strings.Contains(failed, want) {
					t.Errorf("%q lacks %q", failed, want)
				}
			}
			if !d.Failed() || strings.Contains(failed, "hunter2") {
				t.Errorf("checks: %+v", d.Checks)
			}
		})
	}
}

// A hub that can be used is listed with its limits, its workers and its runs.
func TestHub(t *testing.T) {
	url := hubOf(t, server.Options{MaxPayload: 64 << 10})
	d := &Examination{Network: true}
	d.Hub(t.Context(), link.Options{URL: url}, "v1")
	if d.Failed() {
		t.Errorf("checks: %+v", d.Checks)
	}
	hasCheck(t, d, "hub", url, listing.Works, "concur-hub, NATS 2.")
	hasCheck(t, d, "hub", "messages", listing.Works, "of at most 64 KB, so that traces travel in many parts", "set max_payload")
	hasCheck(t, d, "hub", "storage", listing.Works, "0 of 64 MB used")
	hasCheck(t, d, "worker", "none", listing.NotSet, "concur work URL")

	l, err := link.Dial(t.Context(), link.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- worker.Work(ctx, worker.Options{Link: l, Name: "w1", Version: "v2", Places: 3, Log: func(string) {}})
	}()
	defer func() { stop(); <-ended }()
	for end := time.Now().Add(time.Minute); ; {
		all, err := l.Workers(t.Context(), time.Second)
		if err != nil || time.Now().After(end) {
			t.Fatalf("workers: %v, %v", all, err)
		}
		if len(all) > 0 {
			break
		}
	}
	if err := l.MakeStreams(t.Context(), wire.Run("dead"), time.Minute); err != nil {
		t.Fatal(err)
	}
	d = &Examination{Network: true}
	d.Hub(t.Context(), link.Options{URL: url}, "v1")
	hasCheck(t, d, "worker", "w1", listing.Works, "concur v2, 3 places, 0 traces in flight", "this is concur v1")
	hasCheck(t, d, "run", "dead", listing.NotUsed, "it was interrupted; 0 traces waiting",
		"concur run --resume dead --hub "+url, "concur hub clean "+url)
	if d.Failed() {
		t.Errorf("checks: %+v", d.Checks)
	}

	d = &Examination{}
	d.Hub(t.Context(), link.Options{URL: url}, "v1")
	hasCheck(t, d, "hub", url, listing.NotTried)
}

// hasCheck fails the test unless there is a check with these texts.
func hasCheck(t *testing.T, d *Examination, what, name string, state listing.CheckState, texts ...string) {
	t.Helper()
	for _, c := range d.Checks {
		if c.What != what || c.Name != name {
			continue
		}
		for _, text := range texts {
			if !strings.Contains(c.Detail+" "+c.Mend, text) {
				t.Errorf("%+v lacks %q", c, text)
			}
		}
		if c.State != state {
			t.Errorf("%+v, want %s", c, state)
		}
		return
	}
	t.Errorf("there is no check of %s %s: %+v", what, name, d.Checks)
}
