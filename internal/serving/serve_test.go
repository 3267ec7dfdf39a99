package serving_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/serving"
)

const key = "Bearer right"

// keyed answers requests with the right key: it reads the body, takes its time, and writes.
func keyed(took time.Duration, answer string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != key {
			http.Error(w, "wrong key", http.StatusUnauthorized)
			return
		}
		serving.Know(r)
		if _, err := io.ReadAll(r.Body); err != nil {
			http.Error(w, "the body did not come", http.StatusBadRequest)
			return
		}
		select {
		case <-time.After(took):
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, answer)
	})
}

// start serves on a port of its own for the time of a test.
func start(t *testing.T, h http.Handler, l serving.Limits) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	l.Grace = -1
	go func() { ended <- serving.Serve(ctx, listener, h, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

// patience is far longer than anything that the tests wait for.
const patience = 2 * time.Minute

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return c
}

func request(authorization string, length int, body string) string {
	return fmt.Sprintf("POST /v1 HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n%s", authorization, length, body)
}

// A body that does not come is answered, and the connection closed, with any key. A busy server has the time to read
// what was sent, otherwise the system would reset the connection.
func TestStalledBody(t *testing.T) {
	address := start(t, keyed(0, "fine"), serving.Limits{Body: 200 * time.Millisecond, Linger: 2 * time.Second})
	for _, c := range []struct{ name, authorization, want string }{
		{"right key", key, "400 "}, {"wrong key", "Bearer x", "401 "}, {"no key", "", "401 "},
	} {
		for _, sent := range []string{"", "{", strings.Repeat("x", 300<<10)} {
			t.Run(fmt.Sprintf("%s, %d bytes of the body", c.name, len(sent)), func(t *testing.T) {
				t.Parallel()
				conn := dial(t, address)
				if _, err := io.WriteString(conn, request(c.authorization, 1<<20, sent)); err != nil {
					t.Fatal(err)
				}
				raw, err := io.ReadAll(conn) // to its end: the connection is closed
				if err != nil || !strings.HasPrefix(string(raw), "HTTP/1.1 "+c.want) || !strings.Contains(string(raw), "\r\nConnection: close\r\n") {
					t.Errorf("%q, %v", raw, err)
				}
			})
		}
	}
}

// A header that does not come is no request, and an idle connection ends. The limits leave a busy machine the time to
// send.
func TestIdle(t *testing.T) {
	address := start(t, keyed(0, "fine"), serving.Limits{Header: 2 * time.Second, Idle: time.Second})
	for _, sent := range []string{"", "POST /v1 HT", request(key, 0, "")} {
		conn := dial(t, address)
		if _, err := io.WriteString(conn, sent); err != nil {
			t.Fatal(err)
		}
		if raw, err := io.ReadAll(conn); err != nil {
			t.Errorf("after %q: %q, %v", sent, raw, err)
		}
	}
}

// The time of the model is no time of the client: a reply arrives whole after many times the limits, and so does one
// that takes its time between pieces. The limits leave a busy client the time to send and to read.
func TestSlowReplyArrivesWhole(t *testing.T) {
	const limit = time.Second
	limits := serving.Limits{Header: limit, Body: limit, Write: limit, Idle: limit, Linger: limit}
	whole := strings.Repeat("data: x\n\n", 20_000)
	slow := start(t, keyed(3*limit, whole), limits)
	pieces := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for range 3 {
			_, _ = io.WriteString(w, "piece\n")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			time.Sleep(3 * limit / 2)
		}
	}), limits)
	for address, want := range map[string]string{slow: whole, pieces: strings.Repeat("piece\n", 3)} {
		req, _ := http.NewRequest(http.MethodPost, "http://"+address, strings.NewReader("{}"))
		req.Header.Set("Authorization", key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(got) != want {
			t.Errorf("%d of %d bytes, %v", len(got), len(want), err)
		}
	}
}

// A client that does not read its answer is cut, and the handler goes on.
func TestUnreadAnswer(t *testing.T) {
	over := make(chan error, 1)
	address := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Know(r)
		chunk := make([]byte, 1<<20)
		for {
			if _, err := w.Write(chunk); err != nil {
				over <- err
				return
			}
		}
	}), serving.Limits{Write: 100 * time.Millisecond})
	conn := dial(t, address)
	if _, err := io.WriteString(conn, request("", 0, "")); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-over:
		if e, ok := err.(net.Error); !ok || !e.Timeout() {
			t.Errorf("the handler got %v", err)
		}
	case <-time.After(patience):
		t.Error("the handler still writes")
	}
}

// A client that sends all of a long body before it reads gets to read why it was refused.
func TestRefusalIsRead(t *testing.T) {
	address := start(t, keyed(0, "fine"), serving.Limits{})
	for _, size := range []int{1 << 10, 300 << 10, 1 << 20, 12 << 20} {
		conn := dial(t, address)
		if n, err := io.WriteString(conn, request("Bearer x", size, strings.Repeat("x", size))); err != nil {
			t.Errorf("%d bytes: %d were taken: %v", size, n, err)
			continue
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%d bytes: %v", size, err)
			continue
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusUnauthorized || string(text) != "wrong key\n" || !resp.Close {
			t.Errorf("%d bytes: %s, %q, %v", size, resp.Status, text, err)
		}
	}
}

// A client that waits to be asked for its body is refused without it.
func TestExpect(t *testing.T) {
	address := start(t, keyed(0, "fine"), serving.Limits{Linger: patience})
	for authorization, want := range map[string]string{"Bearer x": "HTTP/1.1 401 ", key: "HTTP/1.1 100 "} {
		conn := dial(t, address)
		head := strings.Replace(request(authorization, 10, ""), "\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n", 1)
		if _, err := io.WriteString(conn, head); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, want) {
			t.Errorf("%s: %q, %v", authorization, line, err)
		}
	}
}

// Strangers are bounded, the oldest is cut first, and a client that has shown the key stays.
func TestStrangers(t *testing.T) {
	const bound = 3
	address := start(t, keyed(0, "fine"), serving.Limits{Strangers: bound, Header: patience, Idle: patience})
	ask := func(conn net.Conn) error {
		if _, err := io.WriteString(conn, request(key, 2, "{}")); err != nil {
			return err
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err == nil && resp.StatusCode != http.StatusOK {
			err = fmt.Errorf("status %s", resp.Status)
		}
		return err
	}
	known := dial(t, address)
	if err := ask(known); err != nil {
		t.Fatal(err)
	}
	var strangers []net.Conn
	for range 4 * bound {
		strangers = append(strangers, dial(t, address))
	}
	for _, c := range strangers[:len(strangers)-bound] {
		if n, err := c.Read(make([]byte, 1)); n > 0 || err == nil {
			t.Errorf("an old stranger got %d bytes, %v", n, err)
		} else if e, ok := err.(net.Error); ok && e.Timeout() {
			t.Error("an old stranger is not cut")
		}
	}
	for _, c := range append(strangers[len(strangers)-bound:], known) {
		if err := ask(c); err != nil {
			t.Errorf("a connection that is not too many: %v", err)
		}
	}
}

// What a page of another site sends reaches no handler.
func TestOrigin(t *testing.T) {
	address := start(t, serving.OwnOrigin(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})), serving.Limits{})
	port := address[strings.LastIndex(address, ":"):]
	for _, c := range []struct {
		origin, host, site string
		status             int
	}{
		{"", "", "", http.StatusOK},
		{"http://" + address, "", "", http.StatusOK},
		{"http://LOCALHOST" + port, "localhost" + port, "", http.StatusOK},
		{"https://example.org", "example.org", "", http.StatusOK},
		{"https://example.org", "", "same-origin", http.StatusOK}, // through a proxy that changes the host
		{"https://example.org", "", "", http.StatusForbidden},
		{"https://example.org", "", "cross-site", http.StatusForbidden},
		{"http://localhost:1", "localhost" + port, "same-site", http.StatusForbidden},
		{"http://" + address + ".example.org", "", "", http.StatusForbidden},
		{"null", "", "", http.StatusForbidden},
		{"file://", "", "", http.StatusForbidden},
		{"chrome-extension://" + address, "", "", http.StatusForbidden},
		{" ", "", "", http.StatusForbidden},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
			req, _ := http.NewRequest(method, "http://"+address, nil)
			req.Host = c.host
			if c.origin != "" {
				req.Header["Origin"] = []string{c.origin}
			}
			if c.site != "" {
				req.Header.Set("Sec-Fetch-Site", c.site)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != c.status {
				t.Errorf("%s with origin %q to %q: %s, want %d", method, c.origin, c.host, resp.Status, c.status)
			}
		}
	}
}

// The end of a server lets requests in flight finish, for as long as the grace lasts.
func TestGrace(t *testing.T) {
	for grace, finishes := range map[time.Duration]bool{patience: true, 50 * time.Millisecond: false} {
		entered, leave := make(chan bool), make(chan bool)
		h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			entered <- true
			<-leave
			_, _ = io.WriteString(w, "fine")
		})
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- serving.Serve(ctx, listener, h, serving.Limits{Grace: grace}) }()
		got := make(chan error, 1)
		go func() {
			resp, err := http.Get("http://" + listener.Addr().String())
			if err == nil {
				resp.Body.Close()
			}
			got <- err
		}()
		<-entered
		cancel()
		if finishes {
			close(leave)
		}
		if err := <-ended; (err == nil) != finishes {
			t.Errorf("grace of %v: %v", grace, err)
		}
		if err := <-got; (err == nil) != finishes {
			t.Errorf("grace of %v: the client got %v", grace, err)
		}
		if !finishes {
			close(leave)
		}
	}
}
