package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
)

// replyRequest is a parsed request for a reply.
type replyRequest struct {
	model         string
	request       model.Request
	stream, usage bool                       // stream: the client wants events; usage: the last event has the usage
	echo          map[string]json.RawMessage // the request's fields, for APIs that repeat them in the response
}

// apiForm has the differences between the APIs.
type apiForm struct {
	read   func(body []byte) (replyRequest, error)
	write  func(a replyRequest, r model.Response, created int64) fields // writes a reply as one document
	events func(document fields, a replyRequest, r model.Response) []event
	end    string // the end of the stream of events
	fail   func(w http.ResponseWriter, err error)
}

// answer replies to a request; key is the key in the request.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, key string, f apiForm) {
	var a replyRequest
	var m model.Model
	var resp model.Response
	body, err := bodyOf(w, r)
	if err == nil {
		a, err = f.read(body)
	}
	if err == nil {
		m, err = s.resolve(r, key, a.model)
	}
	if err == nil {
		resp, err = s.complete(r, m, a.request)
	}
	if err != nil {
		f.fail(w, err)
		return
	}
	if resp.Model == "" {
		resp.Model = a.model
	}
	document := f.write(a, resp, s.now())
	if a.stream {
		writeEvents(w, f.events(document, a, resp), f.end)
		return
	}
	write(w, http.StatusOK, document)
}

// bodyOf reads the body of a request, at most maxBody bytes.
func bodyOf(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, apiError{Status: http.StatusRequestEntityTooLarge, Code: "request_too_large",
			Message: fmt.Sprintf("the body is longer than %d bytes", tooLong.Limit)}
	}
	if err != nil {
		return nil, badRequest("", "the body is incomplete: %v", err)
	}
	return body, nil
}

// write writes a document as JSON, without escaping characters of HTML.
func write(w http.ResponseWriter, status int, document any) {
	raw, err := lines.Encode(document)
	if err != nil {
		http.Error(w, notWritten, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n')) // if the client has disconnected, the error cannot be sent
}

// notWritten is an error in a form that clients of all APIs can read.
const notWritten = `{"type":"error","error":{"type":"api_error",` +
	`"message":"the response cannot be written as JSON","param":null,"code":"internal_error"}}`

// fields are the fields of a JSON object that will be written, such as an event.
type fields map[string]any

// overlay returns an object with some fields replaced.
func overlay(object, replaced fields) fields {
	out := maps.Clone(object)
	maps.Copy(out, replaced)
	return out
}

// event is one server-sent event; its name may be "".
type event struct {
	name string
	data any
}

// writeEvents writes server-sent events. The model has already replied, so an error in encoding is sent as a
// plain error before any event.
func writeEvents(w http.ResponseWriter, events []event, end string) {
	var out bytes.Buffer
	for _, e := range events {
		raw, err := lines.Encode(e.data)
		if err != nil {
			http.Error(w, notWritten, http.StatusInternalServerError)
			return
		}
		if e.name != "" {
			fmt.Fprintf(&out, "event: %s\n", e.name)
		}
		fmt.Fprintf(&out, "data: %s\n\n", raw)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, out.String()+end) // if the client has disconnected, the error cannot be sent
}

// pieceSize is the maximum number of characters of a streamed piece of text.
const pieceSize = 64

// piecesOf divides a text into pieces for streaming; an empty text gives no piece.
func piecesOf(text string) (out []string) {
	for piece := range slices.Chunk([]rune(text), pieceSize) {
		out = append(out, string(piece))
	}
	return out
}
