package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model/wire"
)

// drain returns the data of all events, and the error if it is not the end.
func drain(body io.Reader) (data []string, done bool, err error) {
	e := wire.NewEvents(body)
	for {
		raw, err := e.Next()
		if errors.Is(err, io.EOF) {
			return data, e.Done(), nil
		}
		if err != nil {
			return data, e.Done(), err
		}
		data = append(data, strings.TrimSuffix(string(raw), "\n"))
	}
}

func TestEvents(t *testing.T) {
	const two = "data: a\n\ndata: b\n\n"
	ab := []string{"a", "b"}
	for _, c := range []struct {
		name, body string
		want       []string
		done       bool
	}{
		{"two", two, ab, false},
		{"nothing", "", nil, false},
		{"no empty line at the end", "data: a\n\ndata: b", ab, false},
		{"no empty lines", "data: a\ndata: b\n", []string{"a\nb"}, false},
		{"carriage returns and line feeds", strings.ReplaceAll(two, "\n", "\r\n"), ab, false},
		{"carriage returns", strings.ReplaceAll(two, "\n", "\r"), ab, false},
		{"comments and other fields", "\uFEFF: PROCESSING\n\nevent: x\nid: 1\nretry: 5\ndata: a\n:\n\n:\n\ndata: b\n\n", ab, false},
		{"no space after the colon", strings.ReplaceAll(two, ": ", ":"), ab, false},
		{"one space alone is the field's", "data:  a \n\n", []string{" a "}, false},
		{"a name without a colon", "data\nevent\n\n", []string{""}, false},
		{"the mark", two + "data: [DONE]\n\n", ab, true},
		{"the mark with space around", two + "data:  [DONE] \n\n", ab, true},
		{"the mark within an event", "data: a\ndata: [DONE]\ndata: b\n\n", []string{"a"}, true},
		{"what follows the mark", two + "data: [DONE]\n\njunk", ab, true},
		{"cut amid a name", two + "dat", ab, false},
		{"cut amid the name of an event's second field", "data: a\nret", []string{"a"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for at := range len(c.body) + 1 {
				halves := io.MultiReader(strings.NewReader(c.body[:at]), strings.NewReader(c.body[at:]))
				got, done, err := drain(iotest.DataErrReader(halves))
				if diff := cmp.Diff(c.want, got); diff != "" || done != c.done || err != nil {
					t.Fatalf("divided at %d: done %v, %v\n%s", at, done, err, diff)
				}
			}
		})
	}
}

func TestBadEvents(t *testing.T) {
	for _, c := range []struct {
		name, body string
		says       string
	}{
		{"a page", "<!doctype html>\n", "it holds the line <!doctype html>"},
		{"a log line", "data: a\n\nERROR: no\n", "it holds the line ERROR: no"},
		{"half a name that is no last line", "dat\n\ndata: a\n\n", "it holds the line dat"},
		{"another name at the end", "data: a\n\ndate", "it holds the line date"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := drain(iotest.HalfReader(strings.NewReader(c.body)))
			if bad, ok := errors.AsType[wire.BadStream](err); !ok || string(bad) != c.says {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

func TestEventsGiveTheBodysError(t *testing.T) {
	reset := errors.New("reset")
	got, _, err := drain(io.MultiReader(strings.NewReader("data: a\n\ndata: b"), iotest.ErrReader(reset)))
	if !errors.Is(err, reset) || !cmp.Equal(got, []string{"a"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// A body without end is read only up to the limit.
func TestEndlessEvents(t *testing.T) {
	for name, c := range map[string]struct{ start, unit string }{
		"comments": {"", ": keep alive\n\n"}, "one line": {"data: ", "x"}, "empty lines": {"", "\r"}, "events": {"", "data: a\n\n"},
	} {
		body := &repeats{unit: []byte(strings.Repeat(c.unit, 1+1<<16/len(c.unit)))}
		_, _, err := drain(io.MultiReader(strings.NewReader(c.start), body))
		if _, bad := errors.AsType[wire.BadStream](err); !bad || err.Error() != "it is longer than 16777216 bytes" {
			t.Errorf("%s: %v", name, err)
		}
		if body.given > wire.MaxBody+1<<16 {
			t.Errorf("%s: %d bytes were read", name, body.given)
		}
	}
}

// repeats is a text without end.
type repeats struct {
	unit      []byte
	at, given int
}

func (r *repeats) Read(p []byte) (int, error) {
	n := copy(p, r.unit[r.at:])
	r.at = (r.at + n) % len(r.unit)
	r.given += n
	return n, nil
}

// Events are read as they were written, with any kind of line ends.
func TestEventsAreReadBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := rapid.SliceOf(rapid.StringMatching(`[^\r\n]{1,20}(\n[^\r\n]{0,20}){0,3}`)).Draw(rt, "data")
		var body strings.Builder
		for _, data := range want {
			body.WriteString(rapid.SampledFrom([]string{"", ": c\n", "event: x\n", "id\n", "\n"}).Draw(rt, "before"))
			fmt.Fprintf(&body, "data: %s\n\n", strings.ReplaceAll(data, "\n", "\ndata: "))
		}
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(rt, "end of line")
		got, _, err := drain(iotest.HalfReader(strings.NewReader(strings.ReplaceAll(body.String(), "\n", end))))
		if err != nil || strings.Join(want, "\x00") != strings.Join(got, "\x00") {
			rt.Errorf("%q, %v, want %q", got, err, want)
		}
	})
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: a\n\ndata: [DONE]\n\n"))
	f.Add([]byte("\uFEFF: c\r\revent: x\rdata\ndata: b\n\n"))
	f.Add([]byte("data: a\nret"))
	f.Add([]byte("<html>\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		data, done, err := drain(bytes.NewReader(body))
		byByte, doneByByte, errByByte := drain(iotest.OneByteReader(bytes.NewReader(body)))
		if !cmp.Equal(data, byByte) || done != doneByByte || fmt.Sprint(err) != fmt.Sprint(errByByte) {
			t.Errorf("%q, %v and byte by byte %q, %v", data, err, byByte, errByByte)
		}
		if _, bad := errors.AsType[wire.BadStream](err); err != nil && !bad {
			t.Errorf("%v is no BadStream", err)
		}
		if n := len(strings.Join(data, "")); n > len(body) {
			t.Errorf("%d bytes of data in %d", n, len(body))
		}
	})
}
