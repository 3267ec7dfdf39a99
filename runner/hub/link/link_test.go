package link_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

func hubOf(t *testing.T, o server.Options) string {
	t.Helper()
	o.Dir, o.Listen = t.TempDir(), "127.0.0.1:0"
	s, err := server.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.URL()
}

// natsOf starts a NATS server that is not a hub of concur.
func natsOf(t *testing.T, o nats.Options) string {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog, o.StoreDir = "127.0.0.1", nats.RANDOM_PORT, true, true, t.TempDir()
	s, err := nats.NewServer(&o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	for !s.ReadyForConnections(time.Second) {
	}
	return s.ClientURL()
}

// speaking starts a server that sends a first line to each client.
func speaking(t *testing.T, line string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, line)
			go func() {
				defer c.Close()
				for in := bufio.NewScanner(c); in.Scan(); {
					if in.Text() == "PING" {
						fmt.Fprint(c, "PONG\r\n")
					}
				}
			}()
		}
	}()
	return "nats://" + l.Addr().String()
}

func TestDialRefuses(t *testing.T) {
	const secret = "hunter2-hunter2-hunter2"
	cases := map[string]struct {
		o    link.Options
		want string
	}{
		"password":     {link.Options{URL: "nats://user:" + secret + "@127.0.0.1:4222"}, "has a password"},
		"token":        {link.Options{URL: "nats://" + secret + "@127.0.0.1:4222"}, "has a password"},
		"scheme":       {link.Options{URL: "http://127.0.0.1:4222"}, "begins with http"},
		"path":         {link.Options{URL: "nats://127.0.0.1:4222/x"}, "more than an address"},
		"no host":      {link.Options{URL: "nats://"}, "must have the form"},
		"nobody":       {link.Options{URL: "127.0.0.1:1"}, "start a hub with `concur-hub`"},
		"no NATS":      {link.Options{URL: speaking(t, "HTTP/1.1 400 Bad Request\r\n\r\n")}, "no NATS server"},
		"too old":      {link.Options{URL: speaking(t, `INFO {"version":"2.9.25","max_payload":1048576,"proto":1}`+"\r\n")}, "use NATS 2.10"},
		"no JetStream": {link.Options{URL: natsOf(t, nats.Options{})}, "without JetStream"},
		"small payload": {link.Options{URL: natsOf(t, nats.Options{JetStream: true, MaxPayload: 32 << 10})},
			"messages of 32768 bytes"},
		"no token file": {link.Options{URL: "nats://127.0.0.1:4222", TokenFile: t.TempDir() + "/none"}, "--hub-token-file"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l, err := link.Dial(t.Context(), c.o)
			if err == nil {
				l.Close()
				t.Fatal("connected")
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("error %q, want one with %q", err, c.want)
			}
			if got, want := link.Unreachable(err), name == "nobody"; got != want {
				t.Errorf("unreachable: %v, want %v", got, want)
			}
		})
	}
}

// A message that the hub has no room for is refused, and the error is recognised.
func TestFull(t *testing.T) {
	ctx := context.Background()
	l, err := link.Dial(ctx, link.Options{URL: hubOf(t, server.Options{Store: 4 << 20})})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	run := wire.Run("r")
	if err := l.MakeStreams(ctx, run, time.Second); err != nil {
		t.Fatal(err)
	}
	for i := 0; err == nil; i++ {
		if i > 10 {
			t.Fatal("a stream of at most 2 MB took 10 messages of 500 KB")
		}
		err = l.Publish(ctx, run.DoneSubject(), make([]byte, 500<<10))
	}
	if text := link.Explain("send", err).Error(); !link.Full(err) || !strings.Contains(text, "maximum bytes exceeded") ||
		!strings.Contains(text, "give it a larger --store") {
		t.Errorf("a full stream is not recognised: %v", err)
	}
	if runs, err := l.Runs(ctx); err != nil || len(runs) != 1 || runs[0] != run {
		t.Errorf("runs of the hub: %v, %v", runs, err)
	}
	if err := errors.Join(l.Remove(ctx, run), l.Remove(ctx, run)); err != nil {
		t.Errorf("remove a run, twice: %v", err)
	}
	if runs, err := l.Runs(ctx); err != nil || len(runs) != 0 {
		t.Errorf("runs after removal: %v, %v", runs, err)
	}
}

// A hub without resources is named, with the way out; other errors are not taken for it.
func TestExplain(t *testing.T) {
	for code, description := range map[jetstream.ErrorCode]string{10023: "insufficient resources",
		10047: "insufficient storage resources available", 10002: "resource limits exceeded for account",
		10077: "maximum bytes exceeded"} {
		err := link.Explain("make it", fmt.Errorf("nats: %w", &jetstream.APIError{ErrorCode: code, Description: description}))
		if text := err.Error(); !link.Full(err) || !strings.Contains(text, description) || !strings.Contains(text, "larger --store") {
			t.Errorf("%d: %v", code, err)
		}
	}
	if err := link.Explain("make it", errors.New("other")); link.Full(err) || err.Error() != "make it: other" {
		t.Error(err)
	}
	if err := link.Explain("make it", nil); err != nil {
		t.Error(err)
	}
}

// Without a connection a message is refused at once, and the error says why.
func TestPublishWithoutConnection(t *testing.T) {
	hub, err := server.Start(server.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Store: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	l, err := link.Dial(t.Context(), link.Options{URL: hub.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	hub.Close()
	for l.Conn.IsConnected() {
		time.Sleep(time.Millisecond)
	}
	if err := l.Publish(t.Context(), "concur.done.r", []byte("result")); err == nil ||
		err.Error() != "there is no connection to the hub" {
		t.Errorf("publish without a connection: %v", err)
	}
}

// A consumer of an earlier coordinator is deleted, so that its acknowledgements have no effect.
func TestResultsOfOneCoordinator(t *testing.T) {
	ctx := context.Background()
	l, err := link.Dial(ctx, link.Options{URL: hubOf(t, server.Options{Store: 8 << 20})})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	run := wire.Run("r")
	if err := l.MakeStreams(ctx, run, time.Minute); err != nil {
		t.Fatal(err)
	}
	first, err := l.Results(ctx, run, 1, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Publish(ctx, run.DoneSubject(), []byte("result")); err != nil {
		t.Fatal(err)
	}
	old, err := first.Next()
	if err != nil {
		t.Fatal(err)
	}
	second, err := l.Results(ctx, run, 2, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Ack(); err != nil {
		t.Fatal(err)
	}
	if err := l.Conn.Flush(); err != nil {
		t.Fatal(err)
	}
	m, err := second.Next()
	if err != nil || string(m.Data()) != "result" {
		t.Errorf("the second coordinator gets %v, %v", m, err)
	}
}
