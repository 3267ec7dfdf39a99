package collect

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/seed-5817661a/concur/internal/serving"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/imports/otlp"
)

const (
	maxRequest = 32 << 20 // bytes of a request, unpacked
	atOnce     = 4        // requests that are in memory at the same time
)

// Options are settings of a Collector.
type Options struct {
	Dir   string           // the folder of the files; it is made if it is missing
	Most  int64            // maximum size in bytes of the files in Dir together
	Token string           // that requests must have as a bearer token; "" serves only this machine
	Now   func() time.Time // names the file
	Log   func(string)     // receives a line for people; each kind of line comes once
}

// Collector is an HTTP handler for /v1/traces and /v1/logs. Close it after use.
type Collector struct {
	options Options
	places  chan struct{}

	mu     sync.Mutex
	file   *os.File // nil before the first request
	size   int64    // of the file
	others int64    // bytes of the other files in the folder
	counts Counts
	lines  map[string]bool // that were logged
}

// Counts is what a Collector has received.
type Counts struct {
	Requests, Spans, Logs int
	Refused               int // requests that were answered with an error
}

// String describes the counts for people.
func (c Counts) String() string {
	s := fmt.Sprintf("%s and %s with messages in %s", text.Counted(c.Spans, "span"), text.Counted(c.Logs, "log record"),
		text.Counted(c.Requests, "request"))
	if c.Refused > 0 {
		s += fmt.Sprintf("; %d refused", c.Refused)
	}
	return s
}

// New makes the folder of a Collector, and measures the files that it has.
func New(o Options) (*Collector, error) {
	c := &Collector{options: o, places: make(chan struct{}, atOnce), lines: map[string]bool{}}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("collect into %s: %w; choose another folder with --dir", o.Dir, err)
	}
	err := filepath.WalkDir(o.Dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			c.others += info.Size()
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("collect into %s: %w", o.Dir, err)
	}
	return c, nil
}

// Counts returns what was received until now.
func (c *Collector) Counts() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}

// Close closes the file.
func (c *Collector) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}

// refusal is an answer other than 200.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

func refuse(status int, format string, args ...any) error {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	isJSON := kindOf(r) == jsonKind
	bad, err := c.receive(r)
	if err != nil {
		status := http.StatusInternalServerError
		if refused, is := errors.AsType[*refusal](err); is {
			status = refused.status
		}
		c.mu.Lock()
		c.counts.Refused++
		c.mu.Unlock()
		c.say(err.Error())
		answerError(w, status, isJSON, err.Error())
		return
	}
	succeed(w, isJSON, bad)
}

// say logs a line, once.
func (c *Collector) say(line string) {
	c.mu.Lock()
	known := c.lines[line] || len(c.lines) > 100 // a client could send any number of different errors
	c.lines[line] = true
	c.mu.Unlock()
	if !known && c.options.Log != nil {
		c.options.Log(line)
	}
}

// receive keeps a request. bad is the number of its records that cannot be read.
func (c *Collector) receive(r *http.Request) (bad int, err error) {
	if err := c.admit(r); err != nil {
		return 0, err
	}
	switch {
	case r.URL.Path == "/v1/metrics":
		return 0, refuse(http.StatusNotFound, "metrics are not kept: send only traces and logs")
	case r.URL.Path != "/v1/traces" && r.URL.Path != "/v1/logs":
		return 0, refuse(http.StatusNotFound, "there is nothing at %.40q: send to /v1/traces or /v1/logs", r.URL.Path)
	case r.Method != http.MethodPost:
		return 0, refuse(http.StatusMethodNotAllowed, "send spans with POST")
	}
	kind := kindOf(r)
	if kind != jsonKind && kind != protoKind {
		return 0, refuse(http.StatusUnsupportedMediaType, "the content type %.40q is not read: send %s or %s", kind,
			protoKind, jsonKind)
	}
	select {
	case c.places <- struct{}{}:
		defer func() { <-c.places }()
	case <-r.Context().Done():
		return 0, r.Context().Err()
	}
	body, err := bodyOf(r)
	if err != nil {
		return 0, err
	}
	spans, logs, bad, err := otlp.Check(body, kind == jsonKind)
	if err != nil {
		return 0, refuse(http.StatusBadRequest, "the request is not %s of OTLP: %v", kind, err)
	}
	if len(body) == 0 {
		return bad, nil
	}
	return bad, c.keep(body, spans, logs)
}

// admit returns an error for a client that may not send. Without a token, a name of another host is refused, because a
// page in a browser can reach this machine under such a name.
func (c *Collector) admit(r *http.Request) error {
	if c.options.Token == "" {
		if !serving.Loopback(r.Host) {
			return refuse(http.StatusForbidden, "without a token, only senders on this machine are served")
		}
		return nil
	}
	given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	got, want := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(c.options.Token))
	if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		return refuse(http.StatusUnauthorized, "the token is missing or wrong: send Authorization: Bearer TOKEN")
	}
	serving.Know(r)
	return nil
}

const (
	jsonKind  = "application/json"
	protoKind = "application/x-protobuf"
)

func kindOf(r *http.Request) string {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// bodyOf returns the body of a request, unpacked.
func bodyOf(r *http.Request) ([]byte, error) {
	in := io.Reader(r.Body)
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(io.LimitReader(r.Body, maxRequest))
		if err != nil {
			return nil, refuse(http.StatusBadRequest, "the body is not gzip: %v", err)
		}
		in = z
	default:
		return nil, refuse(http.StatusUnsupportedMediaType, "the encoding %.20q is not read: send gzip, or no encoding",
			encoding)
	}
	body, err := io.ReadAll(io.LimitReader(in, maxRequest+1))
	switch {
	case len(body) > maxRequest:
		return nil, refuse(http.StatusRequestEntityTooLarge, "a request has more than %d MiB: send smaller batches",
			maxRequest>>20)
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "the body cannot be read: %v", err)
	}
	return body, nil
}

// keep appends a request to the file, with its length in front, and waits until it is on the disk.
func (c *Collector) keep(body []byte, spans, logs int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.others+c.size+int64(len(body)) > c.options.Most {
		return refuse(http.StatusInsufficientStorage, "the folder has its maximum of %d MiB: import it, and move "+
			"its files away", c.options.Most>>20)
	}
	if c.file == nil {
		if err := c.create(); err != nil {
			return err
		}
	}
	frame := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...)
	_, err := c.file.WriteAt(frame, c.size)
	if err == nil {
		err = c.file.Sync()
	}
	if err != nil {
		// A part of the request would end the file for its reader.
		return errors.Join(refuse(http.StatusInsufficientStorage, "the request cannot be kept: %v", err),
			c.file.Truncate(c.size))
	}
	c.size += int64(len(frame))
	c.counts.Requests, c.counts.Spans, c.counts.Logs = c.counts.Requests+1, c.counts.Spans+spans, c.counts.Logs+logs
	return nil
}

// create makes the file of this collector: another one in the same second gets another name.
func (c *Collector) create() (err error) {
	stamp := c.options.Now().UTC().Format("20060102T150405")
	for n := 1; n < 100; n++ {
		name := filepath.Join(c.options.Dir, fmt.Sprintf("otlp-%s-%d.pb", stamp, n))
		if c.file, err = os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		c.file = nil
		return refuse(http.StatusInsufficientStorage, "the file cannot be made: %v", err)
	}
	dir, err := os.Open(c.options.Dir)
	if err == nil {
		_ = dir.Sync() // some systems cannot sync a folder
		err = dir.Close()
	}
	return err
}
