package faulty

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Kind is a kind of artificial failure.
type Kind string

const (
	Timeout Kind = "timeout" // the error text of a timeout, returned at once
	Error   Kind = "error"   // the error text of a server's failure
	Empty   Kind = "empty"   // an output without content
)

// Tool fails in place of another tool, with a probability. A random draw decides whether and how a call fails.
// Its seed is made of the configured seed, the query, the index of the trace, the path of the agent, the tool,
// and the number of the call among this tool's calls. The configuration is not part of it, so that several
// configurations have the same faults. With a Rate of 0 the tool never fails.
type Tool struct {
	Inner tool.Tool
	Kinds []Kind  // drawn with equal chance; at least one
	Rate  float64 // probability of a failure, 0 to 1
	Seed  int64
}

// Spec describes the inner tool. The tool is not pure, because its outputs depend on more than the arguments,
// so a replay takes them from the recording.
func (t Tool) Spec() tool.Spec {
	spec := t.Inner.Spec()
	spec.Pure = false
	return spec
}

// Call fails, or calls the inner tool. Outside of a trace it returns an error, because a draw needs the
// trace.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	spec := t.Inner.Spec()
	caller, inTrace := tool.CallerOf(ctx)
	number, numbered := tool.NumberOf(ctx)
	if !inTrace || !numbered {
		return tool.Output{}, errors.New("only calls of a trace can fail on purpose: remove faults from the configuration")
	}
	share, kind := t.draw(caller, spec.Name, number)
	if share >= t.Rate {
		return t.Inner.Call(ctx, arguments)
	}
	failure := func(text string) (tool.Output, error) {
		return tool.Output{}, tool.Observed(tool.PlainErrorPrefix+fmt.Sprintf(text, spec.Name), tool.FaultPrefix+string(kind))
	}
	switch kind {
	case Timeout:
		return failure("timeout(%s)")
	case Error:
		return failure("tool_failed(%s): upstream: the server answered 503 Service Unavailable")
	}
	out := tool.Output{Object: map[string]any{}}
	if spec.Evidence {
		out.Documents = []trace.Document{}
	}
	return out, nil
}

// draw returns a random number in [0, 1), and a random kind.
func (t Tool) draw(caller tool.Caller, name string, number int) (float64, Kind) {
	sum := sha256.Sum256(fmt.Appendf(nil, "fault\x00%d\x00%s\x00%d\x00%s\x00%s\x00%d", t.Seed, caller.Trace.Query,
		caller.Trace.Trace, caller.Path, name, number))
	share := float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
	return share, t.Kinds[binary.BigEndian.Uint64(sum[8:16])%uint64(len(t.Kinds))]
}
