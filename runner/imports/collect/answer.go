package collect

import (
	"encoding/json"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"
)

// succeed answers 200. If records could not be read, the answer is a partial success.
func succeed(w http.ResponseWriter, isJSON bool, bad int) {
	const why = "records that cannot be read, such as texts that are not UTF-8"
	var body []byte
	switch {
	case isJSON && bad > 0:
		body = marshal(map[string]any{"partialSuccess": map[string]any{"rejectedSpans": bad, "errorMessage": why}})
	case isJSON:
		body = []byte("{}")
	case bad > 0:
		inner := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(bad))
		inner = protowire.AppendString(protowire.AppendTag(inner, 2, protowire.BytesType), why)
		body = protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), inner)
	}
	write(w, http.StatusOK, isJSON, body)
}

// answerError answers with an error, as google.rpc.Status in the encoding of the request.
func answerError(w http.ResponseWriter, status int, isJSON bool, message string) {
	body := protowire.AppendString(protowire.AppendTag(nil, 2, protowire.BytesType), message)
	if isJSON {
		body = marshal(map[string]any{"message": message})
	}
	write(w, status, isJSON, body)
}

func marshal(value any) []byte {
	raw, err := json.Marshal(value)
	if err != nil { // impossible for texts and numbers
		return []byte("{}")
	}
	return raw
}

func write(w http.ResponseWriter, status int, isJSON bool, body []byte) {
	kind := protoKind
	if isJSON {
		kind = jsonKind
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have left
}
