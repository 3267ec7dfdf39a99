package external

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// maxOutput is the maximum size in bytes of a process's standard output, or of a server's reply. The first
// maxInMemory bytes are kept in memory. The rest is kept in a temporary file until it is read. If the system allows it,
// the file has no name, so that a killed program leaves none.
const (
	maxOutput   = 16 << 20
	maxInMemory = 1 << 20
)

// output is the output of an agent.
type output struct {
	full func() // called once if the size exceeds maxOutput; may be nil
	mem  bytes.Buffer
	file *os.File
	size int
	over bool

	named bool // the file has its name until close
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
		o.named = os.Remove(f.Name()) != nil // Windows keeps the name of an open file
		if _, err := f.Write(o.mem.Bytes()); err != nil {
			return 0, err
		}
		o.mem = bytes.Buffer{}
	}
	return o.file.Write(p)
}

// bytes returns the output. If a part of it is in a file, bytes first waits for a free lane.
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
		if o.named {
			os.Remove(o.file.Name()) // on an error, the system cleans its temporary folder
		}
	}
}

// lanes limits how many replies of more than maxInMemory bytes are read at the same time. Reading a reply takes
// several times its size.
var lanes = make(chan struct{}, 2)

// readPermit is the permission of a trace to read a large reply. Only one goroutine uses it at a time.
type readPermit struct {
	ctx     context.Context // ends the wait; waiting for other traces does not count as the agent's time
	entered bool
}

type laneKey struct{}

// withLane returns a context for reading a large output; leave frees the lane.
func withLane(ctx, waits context.Context) (_ context.Context, leave func()) {
	l := &readPermit{ctx: waits}
	return context.WithValue(ctx, laneKey{}, l), func() {
		if l.entered {
			<-lanes
		}
	}
}

// enterLane waits for a lane. If the context has no readPermit, it does not wait.
func enterLane(ctx context.Context) error {
	l, bounded := ctx.Value(laneKey{}).(*readPermit)
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
