package embed

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/model"
)

// Input is the input of a request for embeddings.
type Input struct {
	// Values is a text, a list of texts, a list of tokens, or a list of such lists, as JSON.
	Values json.RawMessage
	// Extra has further settings, such as dimensions, by their names in the provider's API.
	Extra map[string]json.RawMessage
}

// MaxValues is the maximum number of vectors of one request, as at OpenAI.
const MaxValues = 2048

// Count returns the number of vectors that an input gives, 1 to MaxValues. It returns an error for a
// malformed input.
func (in Input) Count() (int, error) {
	var one string
	var list []json.RawMessage
	switch {
	case json.Unmarshal(in.Values, &one) == nil && string(in.Values) != "null":
		return 1, nil
	case json.Unmarshal(in.Values, &list) != nil || len(list) == 0:
		return 0, errors.New("it must be a text, or a list of texts, of tokens, or of lists of tokens, and not empty")
	}
	numbers := 0
	for i, value := range list {
		var number float64
		var tokens []float64
		switch {
		case string(value) == "null":
			return 0, fmt.Errorf("its entry %d is null", i)
		case json.Unmarshal(value, &number) == nil:
			numbers++
		case json.Unmarshal(value, &one) != nil && json.Unmarshal(value, &tokens) != nil:
			return 0, fmt.Errorf("its entry %d is neither a text nor tokens", i)
		}
	}
	switch {
	case numbers == len(list):
		return 1, nil
	case numbers > 0:
		return 0, errors.New("it mixes tokens with other entries")
	case len(list) > MaxValues:
		return 0, fmt.Errorf("it has %d entries; send %d at most", len(list), MaxValues)
	}
	return len(list), nil
}

// Request returns the input as a request with one message. The content of the message is the values of the
// input.
func (in Input) Request() model.Request {
	return model.Request{
		Messages: []model.Message{{Role: model.User, Content: string(in.Values)}},
		Extra:    in.Extra, NoTemperature: true, NoSeed: true,
	}
}

// InputOf returns the input of a request that Input.Request made.
func InputOf(req model.Request) (Input, error) {
	if len(req.Messages) != 1 {
		return Input{}, fmt.Errorf("a request for embeddings has one message, this one has %d", len(req.Messages))
	}
	return Input{json.RawMessage(req.Messages[0].Content), req.Extra}, nil
}

// Response returns a reply with vectors: a JSON list of texts, each a vector encoded by Encode. It does not
// name a model, because the requested model is the one that replies.
func Response(vectors [][]float32, used model.Usage) model.Response {
	texts := make([]string, len(vectors))
	for i, v := range vectors {
		texts[i] = Encode(v)
	}
	raw, _ := json.Marshal(texts) // encoding texts never fails
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: string(raw)}, Finish: model.FinishStop, Usage: used,
	}
}

// Vectors returns the vectors of a reply that Response made.
func Vectors(r model.Response) ([][]float32, error) {
	var texts []string
	if err := json.Unmarshal([]byte(r.Message.Content), &texts); err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(raw)%4 != 0 {
			return nil, fmt.Errorf("read vectors: vector %d is not a list of numbers in base64", i)
		}
		for ; len(raw) > 0; raw = raw[4:] {
			out[i] = append(out[i], math.Float32frombits(binary.LittleEndian.Uint32(raw)))
		}
	}
	return out, nil
}

// Encode writes a vector as OpenAI's encoding_format base64 does: 32-bit floats, lowest byte first.
func Encode(v []float32) string {
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(raw)
}
