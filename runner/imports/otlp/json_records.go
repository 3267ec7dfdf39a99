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
	Attributes jsonAttributes
}

func readJSONSpan(raw []byte) (out span, kept bool, err error) {
	var in struct {
		TraceID, SpanID, ParentSpanID      string
		Name                               string
		Kind                               json.RawMessage
		StartTimeUnixNano, EndTimeUnixNano jsonUint
		Attributes                         jsonAttributes
		Events                             []jsonEvent
		Status                             struct {
			Code    json.RawMessage
			Message string
		}
	}
	if err := json.Unmarshal(raw, &in); err != nil {
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
		Status: in.Status.Message, Attributes: in.Attributes}
	for _, e := range in.Events {
		out.Events = append(out.Events, event{e.Name, e.Attributes})
	}
	return out, true, nil
}

func readJSONLog(raw []byte) (out span, kept bool, err error) {
	var in struct {
		TraceID, SpanID, EventName         string
		TimeUnixNano, ObservedTimeUnixNano jsonUint
		Attributes                         jsonAttributes
		Body                               jsonValue
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return out, false, err
	}
	out.log, out.start = true, uint64(in.TimeUnixNano)
	if out.start == 0 {
		out.start = uint64(in.ObservedTimeUnixNano)
	}
	out.content = content{Name: in.EventName, Attributes: in.Attributes, Body: in.Body.value}
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

// jsonAttributes is a list of names and values.
type jsonAttributes map[string]any

func (a *jsonAttributes) UnmarshalJSON(raw []byte) error {
	var list []struct {
		Key   string
		Value jsonValue
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	*a = make(map[string]any, len(list))
	for _, item := range list {
		(*a)[item.Key] = item.Value.value
	}
	return nil
}

// jsonValue is a value with the name of its type.
type jsonValue struct{ value any }

func (v *jsonValue) UnmarshalJSON(raw []byte) error {
	var in struct {
		StringValue *string
		BoolValue   *bool
		IntValue    json.RawMessage
		DoubleValue json.RawMessage
		BytesValue  *string
		ArrayValue  *struct{ Values []jsonValue }
		KvlistValue *struct{ Values jsonAttributes }
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	number := in.IntValue
	if len(number) == 0 {
		number = in.DoubleValue
	}
	switch {
	case in.StringValue != nil:
		v.value = *in.StringValue
	case in.BoolValue != nil:
		v.value = *in.BoolValue
	case in.BytesValue != nil:
		v.value = *in.BytesValue
	case in.ArrayValue != nil:
		list := make([]any, len(in.ArrayValue.Values))
		for i, item := range in.ArrayValue.Values {
			list[i] = item.value
		}
		v.value = list
	case in.KvlistValue != nil:
		v.value = map[string]any(in.KvlistValue.Values)
	case len(number) > 0:
		v.value = json.Number(strings.Trim(string(number), `"`))
	}
	return nil
}
