package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/process"
)

// Time limits for a server to exit: after its input has ended, and after its output has ended.
const (
	endGrace   = 500 * time.Millisecond
	wordsGrace = 5 * time.Second
)

// session is one connection to a server.
type session struct {
	*sdk.ClientSession
	gone   chan struct{} // closed when the connection has ended
	broken atomic.Bool   // a call found that the connection had ended
	stop   func()        // asks the process to end, and kills it soon after; over HTTP, ends the requests

	cmd   *exec.Cmd // nil over HTTP
	in    io.Closer
	ended chan struct{} // closed when the process has ended
	prose *prose
	log   *process.Log

	busy atomic.Pointer[string] // over HTTP: status of the last refusal for lack of capacity, until a call reads it
}

// rejection returns the status with which the server refused the last call for lack of capacity; "" if it did
// not. It returns the status only once.
func (s *session) rejection() string {
	if status := s.busy.Swap(nil); status != nil {
		return *status
	}
	return ""
}

// over reports whether all further calls of the session would fail.
func (s *session) over() bool {
	select {
	case <-s.gone:
		return true
	default:
		return s.broken.Load()
	}
}

// spawn starts the process of a server.
func (s *session) spawn(c *Client, name string) (sdk.Transport, error) {
	read, write, err := os.Pipe() // unlike StdoutPipe, this pipe is open until its last bytes are read
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s.cmd, s.stop = process.New(ctx, c.Command, c.Env), stop
	s.cmd.Dir = c.Dir
	s.log = process.NewLog(c.Log, "mcp", strings.TrimSpace(c.Name+" "+name))
	s.log.Hider = c.Hider
	s.cmd.Stdout, s.cmd.Stderr = write, s.log
	in, err := s.cmd.StdinPipe()
	if err == nil {
		err = c.processes.Start(s.cmd)
	}
	write.Close()
	if err != nil {
		read.Close()
		return nil, fmt.Errorf("start it: %w: name a program that is on the PATH, or give its path", err)
	}
	s.in, s.gone, s.ended = in, make(chan struct{}), make(chan struct{})
	if err := process.Guard(s.cmd); err != nil {
		c.log("%v: it may continue to run if concur is killed", err)
	}
	go func() {
		_ = c.processes.Wait(s.cmd) // the process's output says more than its exit status
		s.log.End()
		close(s.ended)
	}()
	s.prose = &prose{lines: bufio.NewScanner(read), pipe: read}
	s.prose.lines.Buffer(nil, maxMessage)
	return &sdk.IOTransport{Reader: s.prose, Writer: in, MaxLineLength: maxMessage}, nil
}

// explain adds the cause of a failed connection, if the process's output shows it. If the output has ended,
// explain waits until the process ends or ctx is done, so that it can quote the last lines.
func (s *session) explain(ctx context.Context, err error) error {
	if s.cmd == nil {
		return err
	}
	if s.prose.ended.Load() {
		select {
		case <-s.ended:
		case <-ctx.Done():
		case <-time.After(wordsGrace):
		}
		err = errors.New("it ended before it answered")
	}
	if line := s.prose.line.Load(); line != nil {
		return fmt.Errorf("its standard output is not MCP: %q: write logs to standard error%s",
			process.LastBytes([]byte(s.log.Hider.Hide(string(*line))), 200), s.log.Tail())
	}
	return fmt.Errorf("%w%s", err, s.log.Tail())
}

// close ends a session, and the process with all its children.
func (s *session) close() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if s.ClientSession != nil {
			_ = s.ClientSession.Close() // the session ends in any case
		}
	}()
	ended := closed
	if s.cmd != nil {
		_ = s.in.Close() // the protocol requires this
		ended = s.ended
	}
	select {
	case <-ended:
	case <-time.After(endGrace):
	}
	s.stop()
	if s.cmd != nil {
		<-ended
		s.prose.pipe.Close()
		<-closed
	}
}

// prose passes on the messages of a server, one per line. It skips up to maxStray lines that are not
// messages, such as log lines, and fails after more; the SDKs of other languages also skip such lines. It
// drops notifications, because concur does not use them and a server may send a million of them. It also
// drops replies without an id, because they answer notifications.
type prose struct {
	lines *bufio.Scanner
	pipe  io.Closer
	rest  []byte                 // the rest of a message that has not been read
	stray int                    // lines that are not messages
	line  atomic.Pointer[[]byte] // the last of these lines
	ended atomic.Bool            // the output has ended
}

var (
	errProse   = errors.New("a line of standard output is not a message")
	errTooLong = fmt.Errorf("it sends more than %d MiB", maxMessage>>20)
)

func (p *prose) Read(into []byte) (int, error) {
	for len(p.rest) == 0 {
		if !p.lines.Scan() {
			if errors.Is(p.lines.Err(), bufio.ErrTooLong) {
				return 0, errTooLong
			}
			p.ended.Store(true)
			return 0, cmp.Or(p.lines.Err(), io.EOF)
		}
		line := bytes.TrimSpace(p.lines.Bytes())
		switch {
		case len(line) == 0:
		case line[0] != '{' || !json.Valid(line):
			line = bytes.Clone(line)
			p.line.Store(&line)
			if p.stray++; p.stray > maxStray {
				return 0, errProse
			}
		case hasID(line):
			p.rest = append(append(p.rest, line...), '\n')
		}
	}
	n := copy(into, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// maxStray is the maximum number of lines on standard output that are not messages.
const maxStray = 100

// hasID reports whether a message is a request, or a reply to a request. A reply with id null answers a
// notification.
func hasID(line []byte) bool {
	if !bytes.Contains(line, []byte(`"id"`)) {
		return false
	}
	var message struct {
		ID json.RawMessage `json:"id"`
	}
	return json.Unmarshal(line, &message) == nil && len(message.ID) > 0 && string(message.ID) != "null"
}

func (p *prose) Close() error { return p.pipe.Close() }

// dial returns the transport over HTTP.
func (s *session) dial(to Server) sdk.Transport {
	ctx, stop := context.WithCancel(context.Background())
	s.stop, s.gone = stop, make(chan struct{})
	return &sdk.StreamableClientTransport{
		Endpoint: to.URL, MaxEventSize: maxMessage, MaxRetries: -1,
		HTTPClient: &http.Client{
			Transport: &bounded{fetch.Transport(to.AllowPrivate), to, ctx, &s.busy},
			CheckRedirect: func(req *http.Request, _ []*http.Request) error {
				return fmt.Errorf("it redirects to %s: set that as its url if you trust it", req.URL.Redacted())
			},
		},
	}
}

// bounded is an http.RoundTripper that sends the token, limits the size of replies, and ends with the
// session.
type bounded struct {
	*http.Transport
	to   Server
	ctx  context.Context
	busy *atomic.Pointer[string] // is set to the status of a refusal for lack of capacity
}

// RoundTrip sends a request.
func (b *bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	stop := context.AfterFunc(b.ctx, cancel)
	req = req.Clone(ctx)
	if b.to.Token != "" {
		req.Header.Set("Authorization", "Bearer "+b.to.Token)
	}
	res, err := b.Transport.RoundTrip(req)
	if err != nil {
		stop()
		cancel()
		if errors.Is(err, fetch.ErrPrivateAddress) {
			err = fmt.Errorf("%w: set allow_private: true with its url if you want that", err)
		}
		return nil, err
	}
	switch res.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		b.busy.Store(&res.Status)
	}
	left := maxMessage
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		left = math.MaxInt // no limit here, because the size of each event is limited elsewhere
	}
	res.Body = &body{res.Body, left, func() { stop(); cancel() }}
	return res, nil
}

// body is a reply's body that returns an error after left bytes.
type body struct {
	io.ReadCloser
	left int
	end  func()
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

func (b *body) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
