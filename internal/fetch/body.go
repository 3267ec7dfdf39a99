package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

// errUnreadable is the cause of the failures that are Malformed.
var errUnreadable = errors.New("the answer cannot be read")

// readBody reads at most limit bytes, counted after decompression. Of a failure's page
// the beginning will do; anything else that is longer is refused, since its beginning
// could pass for the whole.
func readBody(res *http.Response, limit int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil && isCorrupt(err):
		return nil, fmt.Errorf("%w: it breaks off or is corrupt", errUnreadable)
	case err != nil:
		return nil, fmt.Errorf("read answer: %w", err)
	case int64(len(body)) <= limit:
		return body, nil
	case res.StatusCode >= 400:
		return body[:limit], nil
	}
	return nil, fmt.Errorf("%w: it is over %s", errUnreadable, size(limit))
}

func size(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%g MB", float64(n*10>>20)/10)
	}
	return fmt.Sprintf("%d bytes", n)
}
