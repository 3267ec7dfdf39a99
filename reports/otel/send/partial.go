package send

import (
	"encoding/json"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/seed-5817661a/concur/internal/text"
)

// The answer to a request has the message partial_success in field 1, and in it the number of rejected items in
// field 1 and an error message in field 2, for traces and for logs alike (opentelemetry/proto/collector/*/v1).
const (
	partialField  protowire.Number = 1
	rejectedField protowire.Number = 1
	messageField  protowire.Number = 2
)

// partial reads the answer to an accepted request. It returns nil for an answer that rejects nothing, and for one
// that cannot be read, because the status already says that the request was accepted.
func partial(answer []byte, kind string) error {
	rejected, message := int64(0), ""
	if strings.Contains(kind, "json") {
		var read struct {
			Partial struct {
				Spans   json.Number `json:"rejectedSpans"`
				Logs    json.Number `json:"rejectedLogRecords"`
				Message string      `json:"errorMessage"`
			} `json:"partialSuccess"`
		}
		if json.Unmarshal(answer, &read) == nil {
			spans, _ := read.Partial.Spans.Int64() // a missing number is 0
			logs, _ := read.Partial.Logs.Int64()
			rejected, message = spans+logs, read.Partial.Message
		}
	} else {
		eachField(answer, func(n protowire.Number, value []byte, _ uint64) {
			if n != partialField {
				return
			}
			eachField(value, func(n protowire.Number, value []byte, number uint64) {
				switch n {
				case rejectedField:
					rejected = int64(number)
				case messageField:
					message = string(value)
				}
			})
		})
	}
	if rejected <= 0 {
		return nil
	}
	return &PartialError{rejected, text.Clip(strings.Join(strings.Fields(message), " "), 160)}
}

// eachField calls read with each field of a message: value for bytes and messages, number for integers. It stops at
// the first field that is malformed.
func eachField(message []byte, read func(n protowire.Number, value []byte, number uint64)) {
	for len(message) > 0 {
		n, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return
		}
		message = message[size:]
		switch kind {
		case protowire.VarintType:
			number, size := protowire.ConsumeVarint(message)
			if size < 0 {
				return
			}
			read(n, nil, number)
			message = message[size:]
		case protowire.BytesType:
			value, size := protowire.ConsumeBytes(message)
			if size < 0 {
				return
			}
			read(n, value, 0)
			message = message[size:]
		default:
			size := protowire.ConsumeFieldValue(n, kind, message)
			if size < 0 {
				return
			}
			message = message[size:]
		}
	}
}
