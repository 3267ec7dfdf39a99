package live

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/send"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// atEnd is how long the end of a run waits for what is not sent yet.
const atEnd = 2 * time.Second

// Options say where and what an Output sends.
type Options struct {
	Endpoint send.Endpoint
	Version  string // of concur
	Describe otel.Options
	Sample   config.Sample
	Log      func(string) // called with the first failure of each kind and the result; from several goroutines
	Warn     func(string) // called at the end if something was not sent
}

// Output sends the spans of a run. It implements runner.Output and runner.Ender, and is safe for concurrent use.
type Output struct {
	queue     *queue
	sender    *sender
	reader    *reader
	describer *otel.Describer
	options   Options
	manifest  store.Manifest
	folder    *store.Writer
	prior     *store.Prior // nil unless the run is resumed
	stop      context.CancelFunc

	mu      sync.Mutex
	pending map[string]*pending // with Sample.Failed: queries that some configuration has not decided yet
}

// pending are the records of a query that is not complete.
type pending struct {
	records []store.Record
	left    int // configurations without a record
}

// Start returns an output of the run of a manifest. folder is the run's folder; prior has what earlier sessions of a
// resumed run have finished, and is nil for a new run. The goroutines of the Output end with End.
func Start(m store.Manifest, folder *store.Writer, prior *store.Prior, o Options) *Output {
	ctx, stop := context.WithCancel(context.Background()) // what a cancelled run did is sent too
	out := &Output{
		queue: newQueue(), describer: otel.New(m, o.Describe), options: o, manifest: m, folder: folder, prior: prior,
		stop: stop, pending: map[string]*pending{},
	}
	out.sender = newSender(ctx, out.queue, o)
	out.reader = newReader(ctx, folder.Dir(), out.describer, out.queue)
	o.Log("telemetry: " + o.String())
	return out
}

// String describes the options in a line.
func (o Options) String() string {
	content, which := "without content", "all queries"
	if o.Describe.Content {
		content = "with content"
	}
	switch {
	case o.Sample.Failed:
		which = "queries whose verdict is not correct"
	case o.Sample.Part > 0:
		which = fmt.Sprintf("%v of the queries", o.Sample.Part)
	}
	return fmt.Sprintf("spans of %s go to %s (%s), %s", which, o.Endpoint.Hosts(), o.Endpoint.From, content)
}

// Chooses reports whether the sample has a query. The choice depends on the query's id alone, so that each session of
// a run and each repetition makes the same.
func Chooses(s config.Sample, query string) bool {
	if s.Part == 0 {
		return true
	}
	sum := sha256.Sum256([]byte("concur/otel/sample/v1 " + query))
	return float64(binary.BigEndian.Uint64(sum[:8]))/(1<<64) < s.Part
}

// sends reports whether the spans of a query are sent as they come.
func (o *Output) sends(query string) bool {
	return !o.options.Sample.Failed && Chooses(o.options.Sample, query)
}

// Exchange sends the span of a request.
func (o *Output) Exchange(x store.Exchange) {
	if o.sends(x.Query) {
		o.queue.add(o.describer.Exchange(x))
	}
}

// Event sends the spans that end with an event.
func (o *Output) Event(e trace.Event) {
	if o.sends(e.Query) {
		o.queue.add(o.describer.Event(e))
	}
}

// Record sends the span of a query and its verdicts. The span of a resumed run needs the times of traces of earlier
// sessions. They are read from the run folder, and sent again, because the earlier session may have been killed before
// it sent them.
func (o *Output) Record(r store.Record) {
	switch {
	case o.options.Sample.Failed:
		o.hold(r)
	case !o.sends(r.Query):
		o.settle(r)
	case o.prior != nil && !o.knowsAll(r):
		o.reader.later(o.folder, []store.Record{r}, o.describer.Knows)
	default:
		o.queue.add(o.describer.Record(r))
		o.settle(r)
	}
}

// settle says that the traces of a record need not be read. Other runs read no traces from the folder.
func (o *Output) settle(r store.Record) {
	if o.prior != nil || o.options.Sample.Failed {
		o.reader.settle(o.folder, r)
	}
}

func (o *Output) knowsAll(r store.Record) bool {
	for _, a := range r.Answers {
		if !o.describer.Knows(trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}) {
			return false
		}
	}
	return true
}

// hold keeps the records of a query until all configurations have decided it. If one of them did not answer correctly,
// the query is sent under all of them, so that they can be compared.
func (o *Output) hold(r store.Record) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.pending[r.Query]
	if p == nil {
		p = &pending{}
		for _, c := range o.manifest.Configurations {
			if !o.prior.Decided(c.Name, r.Query) {
				p.left++
			}
		}
		o.pending[r.Query] = p
	}
	p.records = append(p.records, r)
	if p.left--; p.left <= 0 {
		delete(o.pending, r.Query)
		o.sendFailed(p.records)
	}
}

func (o *Output) sendFailed(records []store.Record) {
	for _, r := range records {
		if r.Verdict.Verdict != judge.Correct {
			o.reader.later(o.folder, records, nil)
			return
		}
	}
	for _, r := range records {
		o.settle(r)
	}
}

// End sends what is left, for at most two seconds, and writes into the manifest what was sent.
func (o *Output) End(error) {
	o.mu.Lock()
	for query, p := range o.pending { // a run that was stopped
		delete(o.pending, query)
		o.sendFailed(p.records)
	}
	o.mu.Unlock()
	within, cancel := context.WithTimeout(context.Background(), atEnd)
	defer cancel()
	unread := o.reader.finish(within, o.folder.Failed())
	o.queue.close()
	select {
	case <-o.sender.done:
	case <-within.Done():
		o.sender.fail(fmt.Errorf("%v after the end of the run, not everything was sent", atEnd))
		o.queue.abandon()
	}
	o.stop()
	<-o.sender.done
	<-o.reader.done
	o.report(unread)
}

// report writes the result into run.log and the manifest.
func (o *Output) report(unread int) {
	counts, cause := o.sender.result()
	t := store.Telemetry{
		To: o.options.Endpoint.Hosts(), Spans: counts.Spans, Verdicts: counts.Logs, Dropped: o.queue.drops(),
		Rejected: int(counts.Rejected), Queries: unread,
	}
	o.folder.AddTelemetry(t)
	o.options.Log("telemetry: " + counts.String())
	if t.Dropped+t.Queries == 0 {
		return
	}
	text := fmt.Sprintf("telemetry: %d spans and verdicts were not sent", t.Dropped)
	if t.Queries > 0 {
		text += fmt.Sprintf(", and %d whole queries", t.Queries)
	}
	if cause != nil {
		text += fmt.Sprintf(" (%v)", cause)
	}
	o.options.Warn(text + "; `concur export " + o.manifest.Run + " --format otlp --to URL` sends the run")
}
