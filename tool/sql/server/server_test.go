package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool/sql/server"
)

func ExampleCollector() {
	c := server.NewCollector([]string{"id", "price"}, []string{"integer", "numeric"}, server.Limits{Rows: 1, Bytes: 100})
	fmt.Println(c.Add([]server.Value{server.Number("1"), server.Number("9.50")}))
	fmt.Println(c.Add([]server.Value{server.Number("2"), server.Null}))
	r, err := c.Finish()
	fmt.Println(r.Rows, r.Cut, err)
	// Output:
	// true
	// false
	// [[1 9.50]] rows <nil>
}

// Values become JSON without a loss of digits.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		value server.Value
		want  string
	}{
		{server.Number("9007199254740993"), "9007199254740993"}, {server.Number("1.500"), "1.500"}, {server.Number("NaN"), `"NaN"`},
		{server.Float(math.Inf(1), 64), `"Infinity"`}, {server.Float(math.Inf(-1), 64), `"-Infinity"`}, {server.Float(math.NaN(), 64), `"NaN"`},
		{server.Float(0.1, 64), "0.1"}, {server.Float(float64(float32(0.1)), 32), "0.1"}, {server.Float(1e300, 64), "1e+300"},
		{server.Text([]byte("a\xffb")), `"a�b"`}, {server.Blob(3), `"[blob of 3 bytes]"`}, {server.Null, "null"}, {server.Bool(true), "true"},
	} {
		raw, err := json.Marshal(c.value.JSON)
		if err != nil || string(raw) != c.want {
			t.Errorf("got %s, want %s; %v", raw, c.want, err)
		}
	}
}

// No error shows the login, in any spelling.
func TestLogin(t *testing.T) {
	place := server.Place{Host: "db:5432", Database: "shop"}
	for _, password := range []string{"s3cret/w0rd", "short"} {
		address := "postgres://reader:" + password + "@db:5432/shop"
		l := server.NewLogin(place, address, password)
		for _, err := range []error{l.Failure(server.Upstream, errors.New("dial "+address)), l.Wrong("near " + address)} {
			if strings.Contains(err.Error(), password) {
				t.Error(err)
			}
		}
	}
	l := server.NewLogin(place, "", "")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want string
	}{
		{t.Context(), &net.DNSError{Name: "db", Err: "no such host"}, "db:5432/shop: the name db is unknown: check the host, and the network"},
		{t.Context(), errors.New("connection reset"), "db:5432/shop: connection reset"},
		{t.Context(), &net.OpError{Op: "read", Err: context.DeadlineExceeded}, "db:5432/shop: the server did not answer in time"},
		{cancelled, errors.New("connection reset"), "context canceled"},
	} {
		if got := l.Unanswered(c.ctx, c.err).Error(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// A statement with a NUL byte is refused.
func TestCheckStatement(t *testing.T) {
	if err := server.CheckStatement("SELECT '\x00'"); !server.IsStatement(err) {
		t.Error(err)
	}
	if err := server.CheckStatement("SELECT 'ä'"); err != nil {
		t.Error(err)
	}
}

// A room has places for all databases of a host together.
func TestRoom(t *testing.T) {
	room := server.RoomOf("room.example.org:5432")
	if room != server.RoomOf("room.example.org:5432") || room == server.RoomOf("room.example.org:5433") {
		t.Fatal("a host has one room")
	}
	for range server.MaxAtOnce {
		if err := room.Enter(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := room.Enter(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a full room: %v", err)
	}
	room.Leave()
	if err := room.Enter(t.Context()); err != nil {
		t.Error(err)
	}
	for range server.MaxKept {
		if !room.Keep() {
			t.Fatal("no place for a connection")
		}
	}
	if room.Keep() {
		t.Error("one connection too many is kept")
	}
	room.Drop()
	if !room.Keep() {
		t.Error("a place that is free is not given")
	}
	for range server.MaxKept {
		room.Drop()
	}
	for range server.MaxAtOnce {
		room.Leave()
	}
}

// A crowded server is asked again until it has room; another error, and the end of the context, are final.
func TestConnect(t *testing.T) {
	full, broken := errors.New("full"), errors.New("broken")
	isFull := func(err error) bool { return errors.Is(err, full) }
	room, kept := server.RoomOf("connect.example.org:5432"), &keeper{}
	room.Join(kept)
	var answers []error
	tries := 0
	connect := func() error { tries++; return answers[tries-1] }
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		answers []error
		ctx     context.Context
		want    error
		closed  int
	}{
		{[]error{full, full, nil}, t.Context(), nil, 2}, {[]error{full, broken}, t.Context(), broken, 1},
		{[]error{full}, ended, full, 1}, {[]error{nil}, ended, nil, 0},
	} {
		answers, tries, kept.closed = c.answers, 0, 0
		if err := room.Connect(c.ctx, connect, isFull); !errors.Is(err, c.want) || tries != len(c.answers) {
			t.Errorf("%v: %v after %d attempts", c.answers, err, tries)
		}
		if kept.closed != c.closed {
			t.Errorf("%v: connections were closed %d times, want %d", c.answers, kept.closed, c.closed)
		}
	}
	room.Part(kept)
	answers, tries, kept.closed = []error{full, nil}, 0, 0
	if err := room.Connect(t.Context(), connect, isFull); err != nil || kept.closed != 0 {
		t.Errorf("after Part: %v, closed %d times", err, kept.closed)
	}
}

type keeper struct{ closed int }

func (k *keeper) CloseKept() { k.closed++ }
