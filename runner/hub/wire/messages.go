package wire

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/trace"
)

// Schemas of messages.
const (
	WorkSchema     = "concur/work/v1"
	DeliverySchema = "concur/delivery/v1"
	PlanSchema     = "concur/plan/v1"
)

// Work asks for one trace.
type Work struct {
	Schema string `json:"schema"`
	Run    Run    `json:"run"`
	trace.ID
	GivenBack int      `json:"given_back"` // how often a worker that ended gave the trace back
	Losses    []string `json:"losses"`     // workers that disappeared while they ran the trace
}

// aloneAfter is the number of losses after which a trace runs alone in its worker.
const aloneAfter = 2

// Alone reports whether the trace must run alone in its worker, because it may have killed other workers. Without
// this rule it would also kill the traces beside it.
func (w Work) Alone() bool { return len(w.Losses) >= aloneAfter }

// Encode returns the message.
func (w Work) Encode() []byte {
	w.Schema = WorkSchema
	if w.Losses == nil {
		w.Losses = []string{}
	}
	return encode(w)
}

// ReadWork reads a message of the stream of work of a run.
func ReadWork(message []byte, run Run) (w Work, err error) {
	if err := json.Unmarshal(message, &w); err != nil {
		return w, fmt.Errorf("read work: %w", err)
	}
	if w.Schema != WorkSchema || w.Run != run {
		return w, fmt.Errorf("read work: schema %q of run %q, want %s of %s", w.Schema, w.Run, WorkSchema, run)
	}
	return w, nil
}

// Taken says that a trace begins at a worker. A trace that waits until it may run alone has not begun.
type Taken struct {
	Worker string `json:"worker"`
	trace.ID
	GivenBack int  `json:"given_back"` // see Work
	Alone     bool `json:"alone"`
}

// Encode returns the message.
func (t Taken) Encode() []byte { return encode(t) }

// Advice tells a worker what to do with a trace that another worker had before, and may not have survived.
type Advice struct {
	Losses []string `json:"losses"` // as in Work, with workers of which it is not yet known whether they are lost
	Wait   bool     `json:"wait"`   // do not begin: the trace may end as lost soon
	Done   bool     `json:"done"`   // the trace has its result
}

// Encode returns the message.
func (a Advice) Encode() []byte { return encode(a) }

// Alive says that a worker lives.
type Alive struct {
	Worker  string   `json:"worker"`
	Version string   `json:"version"` // of concur
	Places  int      `json:"places"`  // traces that it runs at the same time
	Running []string `json:"running"` // keys of the traces that it runs, see Key
}

// Encode returns the message.
func (a Alive) Encode() []byte { return encode(a) }

// Trouble says why a worker takes no work of a run.
type Trouble struct {
	Worker string `json:"worker"`
	Cause  string `json:"cause"`
}

// Encode returns the message.
func (t Trouble) Encode() []byte { return encode(t) }

// Remark is a message for the log of the run, such as a line that an agent wrote to its standard error.
type Remark struct {
	Worker  string `json:"worker"`
	Text    string `json:"text"`
	Warning bool   `json:"warning"` // for the user as well
}

// Encode returns the message.
func (r Remark) Encode() []byte { return encode(r) }

// Lease is the value of LeaseKey. Its holder is the only coordinator of the run.
type Lease struct {
	Host    string `json:"host"`
	Process int    `json:"process"`
	ID      string `json:"id"` // random; tells the holder its own writes from those of others
}

// Encode returns the value.
func (l Lease) Encode() []byte { return encode(l) }

// Plan is what a worker needs to make the traces of a run. The objects that it names are in the same bucket.
type Plan struct {
	Schema   string        `json:"schema"`
	Run      Run           `json:"run"`
	Manifest string        `json:"manifest"` // the name of an object: YAML as in run.yaml
	Paths    []Path        `json:"paths"`    // files and folders that the manifest names
	Folder   Path          `json:"folder"`   // files of agents and MCP servers, below the working directory of the run
	Agents   []string      `json:"agents"`   // hashes of the agents of the run
	AckWait  time.Duration `json:"ack_wait"` // after which a message that nobody keeps alive is given to another worker
}

// Path is a file or folder that a manifest names.
type Path struct {
	Path string `json:"path"` // as in the manifest
	// Files has the name of the object of each file, by its path below Path. The path is "" if Path is a file.
	Files map[string]string `json:"files"`
	// Programs are the files that may be executed, in order.
	Programs []string `json:"programs,omitempty"`
}

// Encode returns the object.
func (p Plan) Encode() []byte { return encode(p) }

// encode returns the JSON of a value that can always be encoded.
func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode a message: %v", err))
	}
	return raw
}
