package verdicts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/internal/text"
)

const (
	tries      = 4
	firstPause = time.Second
	mostPause  = 20 * time.Second
	timeout    = 20 * time.Second // of one attempt
	maxAnswer  = 64 << 10         // bytes of an answer that are read
)

// service sends JSON to a service with a key.
type service struct {
	name          string // for people
	at            string
	authorization string // the header; "" without a key
	http          *http.Client
	pause         time.Duration // before the first repetition
}

func newService(name, at, authorization string) service {
	return service{name, at, authorization, &http.Client{
		Timeout: timeout,
		// A redirect would carry the key to another place.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, firstPause}
}

// post sends a body. It repeats a request after status 429, 502, 503 and 504, and after a broken connection.
func (s service) post(ctx context.Context, body any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("send to %s: %w", s.name, err)
	}
	for try := 1; ; try++ {
		wait, again, err := s.once(ctx, raw)
		if err == nil || !again || try == tries {
			return err
		}
		if wait == 0 {
			wait = pace.Backoff(try, s.pause, mostPause, 0.5)
		}
		if ended := pace.Sleep(ctx, min(wait, mostPause)); ended != nil {
			return errors.Join(err, ended)
		}
	}
}

func (s service) once(ctx context.Context, raw []byte) (wait time.Duration, again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.at, bytes.NewReader(raw))
	if err != nil {
		return 0, false, fmt.Errorf("send to %s: the address cannot be used", s.name)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "concur")
	if s.authorization != "" {
		req.Header.Set("Authorization", s.authorization)
	}
	resp, err := s.http.Do(req)
	if err != nil {
		if failed, is := errors.AsType[*url.Error](err); is {
			err = failed.Err
		}
		return 0, ctx.Err() == nil, fmt.Errorf("send to %s at %s: %w", s.name, req.URL.Host, err)
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer)) // a broken answer counts as an empty one
	status := resp.StatusCode
	if status/100 == 2 {
		return 0, false, nil
	}
	err = fmt.Errorf("%s at %s answers %d: %s", s.name, req.URL.Host, status,
		text.Clip(strings.Join(strings.Fields(string(answer)), " "), 100))
	if status == http.StatusTooManyRequests || status >= 502 && status <= 504 {
		wait, _ = pace.RetryAfter(resp.Header, time.Now())
		return wait, true, err
	}
	return 0, false, err
}
