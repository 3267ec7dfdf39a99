package otlp

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

type jsonEvent struct {
	Name       string
	Attributes []jsonAttribute
}

func readJSONSpan(from *json.Decoder) (out span, kept bool, err error) {
	var in struct {
		TraceID, SpanID, ParentSpanID      string
		Name                               string
		Kind                               json.RawMessage
		StartTimeUnixNano, EndTimeUnixNano jsonUint
		Attributes                         []jsonAttribute
		Events                             []jsonEvent
		Status                             struct {
			Code    json.RawMessage
			Message string
		}
	}
	if err := from.Decode(&in); err != nil {
		return out, false, err
	}
	out.start, out.end = uint64(in.StartTimeUnixNano), uint64(in.EndTimeUnixNano)
	if err := readIDs(&out, in.TraceID, in.SpanID, in.ParentSpanID); err != nil {
		return out, false, err
	}
	kindText, code := string(in.Kind), string(in.Status.Code)
	out.server = kindText == "2" || kindText == "5" || strings.HasSuffix(kindText, `_SERVER"`) ||
		strings.HasSuffix(kindText, `_CONSUMER"`)
	out.content = content{Name: in.Name, Failed: code == "2" || strings.HasSuffix(code, `_ERROR"`),
		Status: in.Status.Message, Attributes: mapOf(in.Attributes)}
	for _, e := range in.Events {
		out.Events = append(out.Events, event{e.Name, mapOf(e.Attributes)})
	}
	return out, true, nil
}

func readJSONLog(from *json.Decoder) (out span, kept bool, err error) {
	var in struct {
		TraceID, SpanID, EventName         string
		TimeUnixNano, ObservedTimeUnixNano jsonUint
		Attributes                         []jsonAttribute
		Body                               jsonValue
	}
	if err := from.Decode(&in); err != nil {
		return out, false, err
	}
	out.log, out.start = true, uint64(in.TimeUnixNano)
	if out.start == 0 {
		out.start = uint64(in.ObservedTimeUnixNano)
	}
	out.content = content{Name: in.EventName, Attributes: mapOf(in.Attributes), Body: in.Body.value()}
	if out.Name == "" {
		out.Name = out.text("event")
	}
	if !keptEvent(out.Name) || in.TraceID == "" || in.SpanID == "" {
		return out, false, nil
	}
	return out, true, readIDs(&out, in.TraceID, in.SpanID, "")
}

func readIDs(out *span, traceID, id, parent string) error {
	if err := readID(out.traceID[:], traceID); err != nil {
		return err
	}
	if err := readID(out.id[:], id); err != nil || parent == "" {
		return err
	}
	return readID(out.parent[:], parent)
}

// readID reads an id in hexadecimal form, as OTLP says, or in base64, as other writers of JSON have it.
func readID(into []byte, text string) error {
	raw, err := hex.DecodeString(text)
	if len(text) != 2*len(into) || err != nil {
		raw, err = base64.StdEncoding.DecodeString(text)
	}
	if err != nil || len(raw) != len(into) {
		return fmt.Errorf("the id %.40q has not %d bytes in hexadecimal form or base64", text, len(into))
	}
	copy(into, raw)
	return nil
}

// jsonUint is a number that may be a text.
type jsonUint uint64

func (u *jsonUint) UnmarshalJSON(raw []byte) error {
	text := strings.Trim(string(raw), `"`)
	if text == "null" || text == "" {
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%.30q is not a time in nanoseconds", text)
	}
	*u = jsonUint(n)
	return nil
}

// jsonAttribute is a name with a value.
type jsonAttribute struct {
	Key   string
	Value jsonValue
}

// jsonValue is a value under the name of its type. It has no method for decoding, which would read the text again.
type jsonValue struct {
	StringValue *string
	BoolValue   *bool
	IntValue    json.RawMessage // a number, or a text with one
	DoubleValue json.RawMessage
	BytesValue  *string
	ArrayValue  *struct{ Values []jsonValue }
	KvlistValue *struct{ Values []jsonAttribute }
}

// mapOf returns attributes by name.
func mapOf(list []jsonAttribute) map[string]any {
	out := make(map[string]any, len(list))
	for _, a := range list {
		out[a.Key] = a.Value.value()
	}
	return out
}

func (v jsonValue) value() any {
	number := v.IntValue
	if len(number) == 0 {
		number = v.DoubleValue
	}
	switch {
	case v.StringValue != nil:
		return *v.StringValue
	case v.BoolValue != nil:
		return *v.BoolValue
	case v.BytesValue != nil:
		return *v.BytesValue
	case v.ArrayValue != nil:
		list := make([]any, len(v.ArrayValue.Values))
		for i, item := range v.ArrayValue.Values {
			list[i] = item.value()
		}
		return list
	case v.KvlistValue != nil:
		return mapOf(v.KvlistValue.Values)
	case len(number) > 0:
		return numberOf(strings.Trim(string(number), `"`))
	}
	return nil
}

// numberOf returns a number; NaN, infinity and texts that are not numbers stay texts.
func numberOf(text string) any {
	if json.Valid([]byte(text)) && text != "null" {
		return json.Number(text)
	}
	return text
}
