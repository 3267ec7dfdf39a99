package stdlog_test

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/stdlog"
)

// The test binary is also the program whose standard error is read.
func TestMain(m *testing.M) {
	if os.Getenv("STDLOG_TEST") == "" {
		os.Exit(m.Run())
	}
	stdlog.Silence(secret.New("k3y-of-the-program-42"))
	say := func() {
		log.Printf(`Unsolicited response received on idle HTTP channel starting with %q; err=%v`, "X part of k3y-of-", io.EOF)
		slog.Warn("a warning", "peer", "it sent k3y-of-the-program-42", "of", "k3y-of-the-program-42")
		log.Println("panic serving 127.0.0.1:1: k3y-of-the-\x70rogram-42\ngoroutine 1")
	}
	say()
	outer := stdlog.To(func(line string) { fmt.Println("outer", line) })
	inner := stdlog.To(func(line string) { fmt.Println("inner", line) })
	say()
	inner()
	log.Print("between")
	outer()
	say()
	os.Exit(0)
}

func TestSilence(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{"STDLOG_TEST=1"}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	want := "inner library  Unsolicited response received on idle HTTP channel starting with (left out); err=EOF\n" +
		"inner library  level=WARN msg=(left out) peer=(left out) of=[API key]\n" +
		"inner library  panic serving 127.0.0.1:1: [API key]\n" +
		"outer library  between\n"
	if out.String() != want || errs.String() != "" {
		t.Errorf("standard output:\n%s\nwant\n%s\nstandard error: %q", out.String(), want, errs.String())
	}
}

// TestUnsolicitedReply has the client of net/http say what a server sent that was not asked for.
func TestUnsolicitedReply(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokmarked-bytes-behind")
		}
		_, _ = io.Copy(io.Discard, conn)
	}()
	back := log.Writer()
	defer func() { log.SetOutput(back) }()
	stdlog.Silence(nil)
	lines := make(chan string, 4)
	defer stdlog.To(func(line string) { lines <- line })()
	res, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
	if line := <-lines; !strings.Contains(line, "Unsolicited response") || strings.Contains(line, "marked") {
		t.Errorf("the log has %q", line)
	}
}
