package link

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// maxWaiting is the maximum number of fetches that wait at a consumer: one for each free place of all workers. The
// default of NATS, 512, refuses the 513th.
const maxWaiting = 16384

// Sizes of the stream of results, in bytes.
const (
	mostResults  = 1 << 30
	leastResults = 1 << 20
)

// MakeStreams makes the streams of a run, unless they exist. ackWait is the time after which the hub gives a message to
// another worker, unless somebody says that it is being worked on.
func (l *Link) MakeStreams(ctx context.Context, run wire.Run, ackWait time.Duration) error {
	_, err := l.JS.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: run.Work(), Subjects: []string{run.WorkOfRun()}, Retention: jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardOld, // what is asked for again replaces what is there
	})
	if err != nil {
		return Explain("make the stream of work", err)
	}
	if _, err := l.JS.CreateOrUpdateConsumer(ctx, run.Work(), jetstream.ConsumerConfig{
		Durable: wire.Workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1,
		MaxAckPending: -1, MaxWaiting: maxWaiting,
	}); err != nil {
		return Explain("make the consumer of work", err)
	}
	if _, err := l.JS.Stream(ctx, run.Done()); err == nil {
		return nil
	}
	size := int64(mostResults)
	if l.Store > 0 {
		size = min(size, l.Store/2)
	}
	for {
		_, err = l.JS.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: run.Done(), Subjects: []string{run.DoneSubject()}, Retention: jetstream.WorkQueuePolicy,
			MaxBytes: size, Discard: jetstream.DiscardNew, // a worker whose result is refused keeps it and sends it again
		})
		var api *jetstream.APIError
		if err == nil || !errors.As(err, &api) || api.ErrorCode != insufficientStorage || size/2 < leastResults {
			return Explain("make the stream of results", err)
		}
		size /= 2 // other runs have taken their part
	}
}

// Codes of errors of JetStream.
const (
	insufficientStorage  = 10047
	insufficientResource = 10023
	exceededAccount      = 10002
	exceededStream       = 10077
)

// Results makes the only consumer of the results of a run, and deletes all others, so that acknowledgements of an
// earlier coordinator have no effect. No two consumers have the same name: after the hub has lost its store, leases and
// messages are counted from 1 again, and a late acknowledgement could hit a message of the new stream.
func (l *Link) Results(ctx context.Context, run wire.Run, lease uint64, ackWait time.Duration) (jetstream.Consumer,
	error) {
	stream, err := l.JS.Stream(ctx, run.Done())
	if err != nil {
		return nil, err
	}
	names := stream.ConsumerNames(ctx)
	for name := range names.Name() {
		if err := stream.DeleteConsumer(ctx, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return nil, fmt.Errorf("delete consumer %s of an earlier coordinator: %w", name, err)
		}
	}
	if err := names.Err(); err != nil {
		return nil, err
	}
	return stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: fmt.Sprintf("coordinator-%d-%s", lease, rand.Text()), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: ackWait, MaxDeliver: -1, MaxAckPending: -1,
	})
}

// Runs returns the runs that have a stream of work.
func (l *Link) Runs(ctx context.Context) (runs []wire.Run, err error) {
	names := l.JS.StreamNames(ctx, jetstream.WithStreamListSubject(wire.WorkSubjects))
	for name := range names.Name() {
		if run, is := wire.RunOfStream(name); is {
			runs = append(runs, run)
		}
	}
	return runs, names.Err()
}

// Remove deletes everything of a run from the hub.
func (l *Link) Remove(ctx context.Context, run wire.Run) error {
	err := errors.Join(l.JS.DeleteStream(ctx, run.Work()), l.JS.DeleteStream(ctx, run.Done()),
		l.JS.DeleteStream(ctx, run.Rate()),
		l.JS.DeleteObjectStore(ctx, run.Bucket()), l.JS.DeleteKeyValue(ctx, run.Bucket()))
	if joined, is := err.(interface{ Unwrap() []error }); is {
		for _, e := range joined.Unwrap() {
			if !errors.Is(e, jetstream.ErrStreamNotFound) && !errors.Is(e, jetstream.ErrBucketNotFound) {
				return fmt.Errorf("remove run %s from the hub: %w", run, err)
			}
		}
	}
	return nil
}

// Gone reports whether an error means that a stream or a consumer does not exist.
func Gone(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) ||
		errors.Is(err, jetstream.ErrConsumerDeleted) || errors.Is(err, jetstream.ErrConsumerDoesNotExist) ||
		errors.Is(err, jetstream.ErrBucketNotFound)
}

// Full reports whether an error means that the hub has no room for a message.
func Full(err error) bool {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	switch api.ErrorCode {
	case insufficientStorage, insufficientResource, exceededAccount, exceededStream:
		return true
	}
	return false
}

// Explain adds what was done to an error of the hub, and what to do if the hub has no room. It returns nil for nil.
func Explain(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case Full(err):
		return fmt.Errorf("%s: the hub is full (%w): make room there, or give it a larger --store", what, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}
