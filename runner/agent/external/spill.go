package external

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// maxOutput bounds what a process may write to standard output, or a server as its reply, in bytes. Up to maxInMemory
// is kept in memory, and the rest in a temporary file until it is read.
const (
	maxOutput   = 16 << 20
	maxInMemory = 1 << 20
)

// output is what an agent writes.
type output struct {
	full func() // called once, when it is more than maxOutput; may be nil
	mem  bytes.Buffer
	file *os.File
	size int
	over bool
}

func (o *output) Write(p []byte) (int, error) {
	if o.size+len(p) > maxOutput {
		if !o.over && o.full != nil {
			o.full()
		}
		o.over = true
		return 0, io.ErrShortWrite
	}
	o.size += len(p)
	if o.file == nil && o.size <= maxInMemory {
		return o.mem.Write(p)
	}
	if o.file == nil {
		f, err := os.CreateTemp("", "concur-agent-*")
		if err != nil {
			return 0, fmt.Errorf("keep what the agent writes: %w", err)
		}
		o.file = f
		if _, err := f.Write(o.mem.Bytes()); err != nil {
			return 0, err
		}
		o.mem = bytes.Buffer{}
	}
	return o.file.Write(p)
}

// bytes gives the output. One that was written to a file waits until there is room for it.
func (o *output) bytes(ctx context.Context) ([]byte, error) {
	if o.file == nil {
		return o.mem.Bytes(), nil
	}
	if err := enterLane(ctx); err != nil {
		return nil, err
	}
	raw := make([]byte, o.size)
	_, err := o.file.ReadAt(raw, 0)
	return raw, err
}

// close removes the file.
func (o *output) close() {
	if o.file != nil {
		o.file.Close()
		os.Remove(o.file.Name()) // else the system cleans its temporary folder
	}
}

// lanes bound how many replies of more than maxInMemory are read at once, in this process: reading one takes several
// times its size.
var lanes = make(chan struct{}, 2)

// lane is the place of a trace whose reply is large. It is used by one goroutine at a time.
type lane struct {
	ctx     context.Context // ends waiting: the time that a trace waits for others is not its agent's
	entered bool
}

type laneKey struct{}

// withLane gives a context in which a large output is read; leave gives its place back.
func withLane(ctx, waits context.Context) (_ context.Context, leave func()) {
	l := &lane{ctx: waits}
	return context.WithValue(ctx, laneKey{}, l), func() {
		if l.entered {
			<-lanes
		}
	}
}

// enterLane waits for a place. In a context without a lane there is nothing to wait for.
func enterLane(ctx context.Context) error {
	l, bounded := ctx.Value(laneKey{}).(*lane)
	if !bounded || l.entered {
		return nil
	}
	select {
	case lanes <- struct{}{}:
		l.entered = true
		return nil
	case <-l.ctx.Done():
		return context.Cause(l.ctx)
	}
}
