package serve

import "net/http"

// A text is streamed in maxPieces pieces at most, each of leastPiece characters or more, or
// the whole of a shorter text: enough for a client to be seen putting pieces together.
const (
	maxPieces  = 8
	leastPiece = 16
)

// piecesOf divides a text between characters; an empty text has no piece.
func piecesOf(text string) []string {
	runes := []rune(text)
	size := max(leastPiece, (len(runes)+maxPieces-1)/maxPieces)
	var out []string
	for len(runes) > 0 {
		n := min(size, len(runes))
		if len(runes)-n < leastPiece { // too little for a piece of its own
			n = len(runes)
		}
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

// writeEvents answers with server-sent events. A client that has left cannot be told of a
// failure.
func writeEvents(w http.ResponseWriter, events ...[]byte) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	for _, e := range events {
		if _, err := w.Write(e); err != nil {
			return
		}
	}
}
