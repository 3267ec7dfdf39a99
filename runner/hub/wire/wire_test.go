package wire_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

var id = trace.ID{Agent: "0123456789abcdef", Query: "q \"1\"\n", Trace: 2}

func event(of trace.ID, b trace.Body) wire.Line {
	return wire.Line{Event: &trace.Event{ID: of, Time: time.Unix(1, 5).UTC(), Body: b}}
}

func exchange(of trace.ID, text string) wire.Line {
	return wire.Line{Exchange: &store.Exchange{
		Identity: model.Identity{Agent: of.Agent, Query: of.Query, Trace: of.Trace, Purpose: model.Agent},
		Time:     time.Unix(1, 5).UTC(), Messages: []model.Message{{Role: model.User, Content: text}},
		RequestSettings: &store.RequestSettings{Model: "m", Temperature: .7},
	}}
}

func end(of trace.ID, calls int) wire.Line {
	return event(of, trace.Conclusion{Outcome: trace.Answered, StopReason: trace.Final, Supporting: []string{},
		Timing: trace.Timing{CallsSent: calls}})
}

func whole() wire.Delivery {
	return wire.Delivery{ID: id, Worker: "w-1", Lines: []wire.Line{
		exchange(id, "one"), event(id, trace.Thought{Content: "a < b"}), exchange(id, "two"), end(id, 2),
	}}
}

// decoded puts parts together and reads them.
func decoded(t interface{ Fatal(...any) }, d *wire.Decoder, messages [][]byte) (wire.Delivery, error) {
	var data []byte
	var head wire.PartHead
	for i, m := range messages {
		p, err := wire.ReadPart(m)
		if err != nil {
			return wire.Delivery{}, err
		}
		if p.Part != i || p.Parts != len(messages) || p.ID != id && head.Parts > 0 && p.SHA256 != head.SHA256 {
			t.Fatal("a part with a wrong first line: ", p.PartHead)
		}
		head, data = p.PartHead, append(data, p.Data...)
	}
	return d.Decode(head, func() io.Reader { return bytes.NewReader(data) })
}

// A delivery that is sent and read is the same delivery, whatever the texts and however many parts.
func TestDeliveryIsUnchanged(t *testing.T) {
	var d wire.Decoder
	rapid.Check(t, func(t *rapid.T) {
		of := trace.ID{Agent: rapid.StringMatching(`[0-9a-f]{16}`).Draw(t, "agent"), Query: rapid.String().Draw(t, "query"),
			Trace: rapid.IntRange(0, 100).Draw(t, "trace")}
		texts := rapid.SliceOfN(rapid.String(), 0, 5).Draw(t, "texts")
		sent := wire.Delivery{ID: of, Worker: rapid.String().Draw(t, "worker")}
		for _, text := range texts {
			sent.Lines = append(sent.Lines, exchange(of, text), event(of, trace.Thought{Content: text}))
		}
		// random bytes cannot be compressed, so that there are several parts
		blob := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "blob")
		long := bytes.Buffer{}
		for i := range rapid.IntRange(0, 3000).Draw(t, "length") {
			sum := sha256.Sum256(append(blob, byte(i), byte(i>>8)))
			long.WriteString(hex.EncodeToString(sum[:]))
		}
		sent.Lines = append(sent.Lines, exchange(of, long.String()), end(of, len(texts)+1))
		messages, err := sent.Encode(40 << 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			if len(m) > 40<<10 {
				t.Fatalf("a message of %d bytes", len(m))
			}
		}
		got, err := decoded(t, &d, messages)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Check(); err != nil {
			t.Fatal(err)
		}
		for _, l := range got.Lines { // the name of the settings is made on the way
			if l.Exchange != nil {
				l.Exchange.Settings = ""
			}
		}
		if diff := cmp.Diff(sent, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestCheck(t *testing.T) {
	other := trace.ID{Agent: id.Agent, Query: "q2", Trace: id.Trace}
	cases := map[string]struct {
		change func(*wire.Delivery)
		want   error
	}{
		"whole":             {func(*wire.Delivery) {}, nil},
		"stolen identity":   {func(d *wire.Delivery) { d.ID = other }, wire.ErrStolen},
		"event of another":  {func(d *wire.Delivery) { d.Lines[1] = event(other, trace.Thought{}) }, wire.ErrStolen},
		"end of another":    {func(d *wire.Delivery) { d.Lines[3] = end(other, 2) }, wire.ErrStolen},
		"exchange stolen":   {func(d *wire.Delivery) { d.Lines[0] = exchange(other, "x") }, wire.ErrStolen},
		"nothing":           {func(d *wire.Delivery) { d.Lines = nil }, wire.ErrHalf},
		"no end":            {func(d *wire.Delivery) { d.Lines = d.Lines[:3] }, wire.ErrHalf},
		"lost an exchange":  {func(d *wire.Delivery) { d.Lines = d.Lines[1:] }, wire.ErrHalf},
		"one exchange more": {func(d *wire.Delivery) { d.Lines = append([]wire.Line{exchange(id, "x")}, d.Lines...) }, wire.ErrHalf},
		"two ends":          {func(d *wire.Delivery) { d.Lines = append(d.Lines, end(id, 2)) }, wire.ErrForm},
		"neither":           {func(d *wire.Delivery) { d.Lines[1] = wire.Line{} }, wire.ErrForm},
		"both":              {func(d *wire.Delivery) { d.Lines[1].Exchange = d.Lines[0].Exchange }, wire.ErrForm},
		"extraction":        {func(d *wire.Delivery) { d.Lines[1] = event(id, trace.Extraction{}) }, wire.ErrForm},
		"judge's exchange":  {func(d *wire.Delivery) { d.Lines[0].Exchange.Purpose = model.Judge }, wire.ErrForm},
		"end of a child": {func(d *wire.Delivery) {
			d.Lines[1] = end(id, 9)
			d.Lines[1].Event.Path = "researcher#1"
		}, nil},
		"cancelled": {func(d *wire.Delivery) {
			d.Lines[3] = event(id, trace.Conclusion{StopReason: trace.Cancelled, Timing: trace.Timing{CallsSent: 2}})
		}, wire.ErrHalf},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := whole()
			c.change(&d)
			if err := d.Check(); !errors.Is(err, c.want) {
				t.Errorf("Check() = %v, want %v", err, c.want)
			}
		})
	}
}

// zipped returns a message with one part that has this content.
func zipped(t *testing.T, write func(io.Writer)) []byte {
	t.Helper()
	var out bytes.Buffer
	zip, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	write(zip)
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(out.Bytes())
	head, err := json.Marshal(wire.PartHead{Schema: wire.DeliverySchema, ID: id, Parts: 1, SHA256: hex.EncodeToString(sum[:])})
	if err != nil {
		t.Fatal(err)
	}
	return append(append(head, '\n'), out.Bytes()...)
}

func zeros(first string) func(io.Writer) {
	return func(w io.Writer) {
		io.WriteString(w, first)
		for block, n := make([]byte, 1<<20), 0; n < 200; n++ {
			w.Write(block)
		}
	}
}

// What a broken or hostile worker can send is refused, and takes little memory.
func TestDecodeRefuses(t *testing.T) {
	good, err := whole().Encode(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good[0])
	flipped[len(flipped)-1] ^= 1
	replaced := func(old, new string) []byte { return bytes.Replace(good[0], []byte(old), []byte(new), 1) }
	cases := map[string]struct {
		message []byte
		want    string
	}{
		"empty":              {nil, "no first line"},
		"text":               {[]byte("hello\n"), "cannot be read"},
		"schema":             {replaced("delivery/v1", "delivery/v2"), "want concur/delivery/v1"},
		"part of none":       {replaced(`"parts":1`, `"parts":0`), "part 0 of 0"},
		"part beyond":        {replaced(`"part":0`, `"part":1`), "part 1 of 1"},
		"negative part":      {replaced(`"part":0`, `"part":-1`), "part -1 of 1"},
		"too many":           {replaced(`"parts":1`, `"parts":1000000000`), "of 1000000000"},
		"hash":               {replaced(`"sha256":"`, `"sha256":"../../x`), "its SHA-256 is"},
		"a flipped bit":      {flipped, "was announced"},
		"cut off":            {good[0][:len(good[0])-5], "was announced"},
		"bomb of zeros":      {zipped(t, zeros("")), "not an object"},
		"bomb of JSON":       {zipped(t, zeros(`{"event":"`)), "more than 64 MiB"},
		"no compressed data": {zipped(t, func(io.Writer) {})[:0], "no first line"},
		"no line":            {zipped(t, func(w io.Writer) { io.WriteString(w, `{"event":null}`) }), "cut off"},
		"empty lines":        {zipped(t, func(w io.Writer) { io.WriteString(w, strings.Repeat("{}\n", 1000000)) }), "line 1: it must be"},
	}
	var d wire.Decoder
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := decoded(t, &d, [][]byte{c.message})
			if !errors.Is(err, wire.ErrForm) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if got, err := decoded(t, &d, good); err != nil || got.Check() != nil {
		t.Errorf("a good delivery after bad ones: %v, %v", err, got.Check())
	}
}

// A bomb of zeros is refused before it is unpacked.
func TestBombTakesNoMemory(t *testing.T) {
	message := zipped(t, zeros(""))
	var d wire.Decoder
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := decoded(t, &d, [][]byte{message}); !errors.Is(err, wire.ErrForm) {
		t.Errorf("error %v", err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20 {
		t.Errorf("200 MB of zeros took %d MB", used>>20)
	}
}

func TestEncodeTooLarge(t *testing.T) {
	d := whole()
	d.Lines[1] = event(id, trace.Thought{Content: strings.Repeat("x", wire.MaxContent)})
	if _, err := d.Encode(1 << 20); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
	if _, err := whole().Encode(100); err == nil || !strings.Contains(err.Error(), "max_payload") {
		t.Errorf("messages of 100 bytes: %v", err)
	}
}

func TestWork(t *testing.T) {
	w := wire.Work{Run: "r", ID: id, GivenBack: 1, Losses: []string{"a"}}
	got, err := wire.ReadWork(w.Encode(), "r")
	w.Schema = wire.WorkSchema
	if diff := cmp.Diff(w, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for name, message := range map[string][]byte{
		"another run": w.Encode(), "no JSON": []byte("x"),
		"another schema": bytes.Replace(w.Encode(), []byte("work/v1"), []byte("work/v9"), 1),
	} {
		run := wire.Run("r")
		if name == "another run" {
			run = "other"
		}
		if _, err := wire.ReadWork(message, run); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for n, want := range []bool{false, false, true, true} {
		if got := (wire.Work{Losses: make([]string, n)}).Alone(); got != want {
			t.Errorf("alone after %d losses: %v", n, got)
		}
	}
}

func TestNames(t *testing.T) {
	r := wire.RunOf("20260203T040506-g\u00f6ld 1.2/*>-0a1b2c3d")
	if r != "20260203T040506-gld12-0a1b2c3d" {
		t.Errorf("run %q", r)
	}
	if back, is := wire.RunOfStream(r.Work()); !is || back != r {
		t.Errorf("run of %s: %q", r.Work(), back)
	}
	for _, stream := range []string{"CONCUR_WORK_", r.Done(), "other"} {
		if back, is := wire.RunOfStream(stream); is {
			t.Errorf("%s is the work of %q", stream, back)
		}
	}
	keys := map[string]bool{}
	for _, other := range []trace.ID{id, {Agent: id.Agent, Query: id.Query, Trace: 3}, {Agent: id.Agent, Query: "q"}, {Query: id.Agent}} {
		keys[r.WorkSubject(other)] = true
	}
	if len(keys) != 4 {
		t.Errorf("subjects are not different: %v", keys)
	}
}

// No message makes ReadPart or Decode panic.
func FuzzReadPart(f *testing.F) {
	good, err := whole().Encode(1 << 20)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good[0])
	f.Add([]byte(`{"schema":"concur/delivery/v1","parts":1}` + "\n"))
	var d wire.Decoder
	f.Fuzz(func(t *testing.T, message []byte) {
		p, err := wire.ReadPart(message)
		if err != nil {
			return
		}
		sum := sha256.Sum256(p.Data)
		p.SHA256 = hex.EncodeToString(sum[:]) // so that the fuzzer gets beyond the hash
		if got, err := d.Decode(p.PartHead, func() io.Reader { return bytes.NewReader(p.Data) }); err == nil {
			_ = got.Check()
		}
	})
}
