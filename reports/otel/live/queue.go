package live

import (
	"context"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/reports/otel"
)

// Bounds of the queue and of a batch. Spans with content can be large, so bytes have a bound too.
const (
	maxQueued  = 2048    // spans and log records
	maxBytes   = 8 << 20 // bytes of them
	batchItems = 512
	batchBytes = 2 << 20
	batchEvery = 5 * time.Second
)

// queue holds spans and log records until they are sent. It is safe for concurrent use.
type queue struct {
	mu      sync.Mutex
	items   []item
	bytes   int
	since   time.Time // when the oldest item came
	closed  bool
	changed chan struct{} // closed and replaced after each change
	dropped int
}

// item is a span or a log record.
type item struct {
	span otel.Span
	log  otel.LogRecord
}

// size returns the number of bytes of an item.
func (i item) size() int { return len(i.span) + len(i.log) }

func newQueue() *queue { return &queue{changed: make(chan struct{})} }

func itemsOf(s otel.Spans) []item {
	out := make([]item, 0, len(s.Spans)+len(s.Logs))
	for _, span := range s.Spans {
		out = append(out, item{span: span})
	}
	for _, log := range s.Logs {
		out = append(out, item{log: log})
	}
	return out
}

// add adds what has room, and counts the rest as dropped.
func (q *queue) add(s otel.Spans) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, i := range itemsOf(s) {
		q.put(i)
	}
}

// addSlowly waits until there is room. It is for a goroutine for which the run does not wait.
func (q *queue) addSlowly(ctx context.Context, s otel.Spans) {
	for _, i := range itemsOf(s) {
		q.mu.Lock()
		for q.full(i) && ctx.Err() == nil && !q.closed {
			changed := q.changed
			q.mu.Unlock()
			select {
			case <-changed:
			case <-ctx.Done():
			}
			q.mu.Lock()
		}
		q.put(i)
		q.mu.Unlock()
	}
}

func (q *queue) full(i item) bool {
	return len(q.items) >= maxQueued || len(q.items) > 0 && q.bytes+i.size() > maxBytes
}

func (q *queue) put(i item) {
	if q.closed || q.full(i) {
		q.dropped++
		return
	}
	if len(q.items) == 0 {
		q.since = time.Now()
	}
	q.items, q.bytes = append(q.items, i), q.bytes+i.size()
	if len(q.items) == 1 || q.isBatch() {
		q.wake()
	}
}

func (q *queue) wake() {
	close(q.changed)
	q.changed = make(chan struct{})
}

func (q *queue) isBatch() bool { return len(q.items) >= batchItems || q.bytes >= batchBytes }

// close lets next return what is left without a wait, and then false.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake()
}

// next waits for a batch: 512 items, or what came within five seconds. ok is false after the last batch.
func (q *queue) next() (batch []item, ok bool) {
	timer := time.NewTimer(batchEvery)
	defer timer.Stop()
	for {
		q.mu.Lock()
		wait := batchEvery
		if len(q.items) > 0 {
			wait = time.Until(q.since.Add(batchEvery))
		}
		if q.closed || len(q.items) > 0 && (q.isBatch() || wait <= 0) {
			batch = q.take()
			q.mu.Unlock()
			return batch, len(batch) > 0
		}
		changed := q.changed
		q.mu.Unlock()
		timer.Reset(wait)
		select {
		case <-changed:
		case <-timer.C:
		}
	}
}

// take removes a batch from the queue.
func (q *queue) take() (batch []item) {
	n, size := 0, 0
	for n < min(len(q.items), batchItems) && (n == 0 || size+q.items[n].size() <= batchBytes) {
		size += q.items[n].size()
		n++
	}
	batch = q.items[:n:n]
	q.items, q.bytes, q.since = append([]item(nil), q.items[n:]...), q.bytes-size, time.Now()
	q.wake()
	return batch
}

// abandon drops what is left.
func (q *queue) abandon() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped += len(q.items)
	q.items, q.bytes, q.closed = nil, 0, true
	q.wake()
}

func (q *queue) drop(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped += n
}

func (q *queue) drops() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}
