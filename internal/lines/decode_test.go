package lines_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/lines"
)

type name string

type inner struct {
	Part int8   `json:"part"`
	Name name   `json:"name,omitempty"`
	Self *outer `json:"self"`
}

type embedded struct {
	Agent string `json:"agent"`
	Trace int
}

type outer struct {
	embedded
	Text    string             `json:"text"`
	On      bool               `json:"on"`
	Rate    float64            `json:"rate"`
	Maybe   *float64           `json:"maybe"`
	List    []inner            `json:"list"`
	Names   map[name]*inner    `json:"names"`
	Numbers map[string]float64 `json:"numbers,omitempty"`
	Raw     json.RawMessage    `json:"raw"`
	At      time.Time          `json:"at"`
	Any     any                `json:"any"`
	Bytes   []byte             `json:"bytes"`
	Kelvin  [2]int             `json:"Kelvin"`
	Hidden  string             `json:"-"`
	Number  json.Number        `json:"number"`
	Last    uint16             `json:"last"`
	private int                //lint:ignore U1000 Decode must not set it
}

// same decodes a text in both ways.
func same[T any](t interface{ Errorf(string, ...any) }, text string) {
	var want, got T
	wrong, err := json.Unmarshal([]byte(text), &want), lines.Decode([]byte(text), &got)
	if fmt.Sprint(err) != fmt.Sprint(wrong) {
		t.Errorf("%s: error %v, of encoding/json %v", text, err, wrong)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %s", text, cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })))
	}
}

var texts = []string{
	`{}`, `null`, ` {"text":"a"}`, `{"text":"a"} `, `{"text":"a"}` + "\n", `{"text":"a"}x`, `{"text":"a"`, `{"text":"a",}`, ``, `[]`, `3`,
	`{"agent":"a","Trace":3,"text":"t","on":true,"rate":0.25,"maybe":null,"list":[],"names":{},"raw":{"x":[1,2]},"last":7}`,
	`{"Trace":3,"agent":"a"}`, `{"text":"a","TEXT":"b"}`, `{"Text":"b"}`, `{"text":"a","text":"b"}`, `{"tex\u0074":"b"}`,
	`{"list":[{"part":127,"name":"n"},{"part":-1,"self":{"list":[{"part":0}]}}]}`, `{"list":[{"part":128}]}`, `{"list":[1]}`, `{"list":null}`,
	`{"names":{"a":{"part":1},"b":null,"a":{"name":"x"}}}`, `{"names":{"\u00e9\n":{"part":1}}}`, `{"names":[]}`,
	`{"rate":1e3}`, `{"rate":-0}`, `{"rate":01}`, `{"rate":1.}`, `{"rate":.5}`, `{"rate":1e999}`, `{"rate":123456789012345678}`, `{"rate":"1"}`,
	`{"rate":-12.5E-3}`, `{"Trace":1.0}`, `{"Trace":-5}`, `{"Trace":9223372036854775807}`, `{"Trace":9223372036854775808}`, `{"Trace":--1}`,
	`{"text":"\"\\\/\b\f\n\r\t\u0041\u20ac"}`, `{"text":"\ud83d\ude00"}`, `{"text":"\ud83d"}`, `{"text":"\x"}`, `{"text":"\u12"}`, `{"text":"é€😀"}`,
	"{\"text\":\"\xff\"}", "{\"text\":\"a\nb\"}", "{\"text\":\"\x7f\"}", `{"text":null,"on":null,"rate":null,"raw":null,"at":null,"any":null}`,
	`{"on":truely}`, `{"on":nul}`, `{"at":"2026-11-28T10:00:00Z","any":{"a":[1,"b"]},"bytes":"YWI=","Kelvin":[1,2]}`, `{"at":"yesterday"}`,
	`{"number":12,"last":65536}`, `{"private":1,"-":2,"Hidden":"h"}`, `{"unknown":{"a":[tru]}}`, `{"unknown":{"a":[true,"\ud83d\ude00",-1.5e+7]},"text":"t"}`,
	`{"unknown":"\q","text":"t"}`, `{"unknown":{"a"1}}`, `{"unknown":[1,]}`, `{"` + "\u212A" + `elvin":[1,2]}`, `{"ſ":1}`, `{"text" :"a"}`, `{"text": "a"}`,
	`{"text":"` + strings.Repeat("long ", 20) + `"}`, `{"unknown":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`,
	`{"unknown":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, strings.Repeat(`{"list":[{"self":`, 300) + "null" + strings.Repeat(`}]}`, 300),
}

// Every text is decoded as encoding/json does, and has its error.
func TestDecodeIsThatOfEncodingJSON(t *testing.T) {
	for _, text := range texts {
		same[outer](t, text)
		same[[]outer](t, "["+text+","+text+"]")
		same[map[string]outer](t, `{"k":`+text+`}`)
		same[*outer](t, text)
		same[any](t, text)
	}
}

// Options that need encoding/json are left to it: values as texts, embedded pointers, a name that two fields have.
func TestDecodeLeavesTypesToEncodingJSON(t *testing.T) {
	type twice struct {
		embedded
		Agent int `json:"agent"`
	}
	type text struct {
		N int `json:"n,omitempty,string"`
	}
	type pointer struct{ *embedded }
	type tagged struct {
		embedded `json:"inner"`
	}
	for _, line := range []string{`{"agent":3,"Trace":1}`, `{"agent":"x"}`, `{"n":"5"}`, `{"n":5}`, `{"inner":{"agent":"a"}}`} {
		same[twice](t, line)
		same[text](t, line)
		same[pointer](t, line)
		same[tagged](t, line)
		same[map[int]string](t, line)
		same[time.Time](t, line)
	}
}

// A target that is not zero is merged into, as encoding/json does.
func TestDecodeIntoValue(t *testing.T) {
	got, want := outer{Text: "old", On: true}, outer{Text: "old", On: true}
	if err := lines.Decode([]byte(`{"rate":2}`), &got); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(`{"rate":2}`), &want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, not %+v", got, want)
	}
	for _, into := range []any{nil, outer{}, (*outer)(nil)} {
		if lines.Decode([]byte(`{}`), into) == nil {
			t.Errorf("a target %T is accepted", into)
		}
	}
}

func drawOuter(t *rapid.T, depth int) outer {
	o := outer{
		embedded: embedded{rapid.String().Draw(t, "agent"), rapid.Int().Draw(t, "trace")},
		Text:     rapid.String().Draw(t, "text"), On: rapid.Bool().Draw(t, "on"), Rate: rapid.Float64Range(-1e9, 1e9).Draw(t, "rate"),
		Raw: json.RawMessage(`null`), Number: "0", Last: rapid.Uint16().Draw(t, "last"),
		Numbers: rapid.MapOf(rapid.String(), rapid.Float64Range(-5, 5)).Draw(t, "numbers"),
	}
	if depth > 0 && rapid.Bool().Draw(t, "deeper") {
		more := drawOuter(t, depth-1)
		o.List = []inner{{}, {Part: rapid.Int8().Draw(t, "part"), Name: "n", Self: &more}}
		o.Names = map[name]*inner{name(more.Text): {Self: &more}, "": nil}
		o.Maybe = &more.Rate
	}
	return o
}

// What Encode writes is decoded as encoding/json does, and so is it with a change of some bytes.
func TestDecodeReadsEncoded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line, err := lines.Encode(drawOuter(t, 3))
		if err != nil {
			t.Fatal(err)
		}
		same[outer](t, string(line))
		from := rapid.IntRange(0, len(line)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(line), from+3)).Draw(t, "to")
		other := rapid.SampledFrom([]string{"", ",", `"`, "}", "]", "{", "[", ":", "0", "null", "\\", " ", "é", "\xff", "\n", "-", "e", "x"}).Draw(t, "other")
		same[outer](t, string(line[:from])+other+string(line[to:]))
	})
}

func FuzzDecode(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		same[outer](t, text)
		same[any](t, text)
	})
}

// Short texts that come again are not copied.
func TestDecodeSharesTexts(t *testing.T) {
	line := []byte(`{"agent":"a1b2c3d4","Trace":1,"text":"answered"}`)
	once := func() {
		var o outer
		if err := lines.Decode(line, &o); err != nil || o.Text != "answered" {
			t.Fatal(o, err)
		}
	}
	once()
	if n := testing.AllocsPerRun(100, once); n > 2 { // the value and the closure of its object
		t.Errorf("%v allocations a line", n)
	}
}

func BenchmarkDecode(b *testing.B) {
	o := outer{Text: "What is 1 + 2?", Rate: .105045507, List: []inner{{Part: 3, Name: "final"}, {Name: "answered"}}, Raw: json.RawMessage("null"), Number: "0"}
	o.Agent, o.Numbers = "6f6296473ab8cf39", map[string]float64{"agent": 658}
	line, _ := lines.Encode(o)
	for name, decode := range map[string]func([]byte, any) error{"json": json.Unmarshal, "lines": lines.Decode} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				var o outer
				if err := decode(line, &o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
