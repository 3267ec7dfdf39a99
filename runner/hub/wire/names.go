package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/trace"
)

// Consumers of the streams. The consumer of results has a name for each lease, see Results.
const (
	Workers = "workers" // of the stream of work
	// LeaseKey is the key of the lease in the bucket of a run.
	LeaseKey = "lease"
	// PlanObject is the object with the plan in the bucket of a run.
	PlanObject = "plan"

	workPrefix = "CONCUR_WORK_"
	// WhoSubject is the subject on which all workers of a hub are asked who they are. They answer with Alive.
	WhoSubject = "concur.who"
	// WorkSubjects matches the subjects of the work of all runs.
	WorkSubjects = "concur.work.>"
	// EndSubjects matches the subjects on which coordinators say that a run has ended.
	EndSubjects = endPrefix + "*"

	endPrefix = "concur.end."
)

// Run names the streams and subjects of one run.
type Run string

// RunOf returns the name for streams of a run: letters, digits, - and _ of the run's name.
func RunOf(name string) Run {
	return Run(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, name))
}

// RunOfStream returns the run whose work a stream has.
func RunOfStream(stream string) (r Run, is bool) {
	name, is := strings.CutPrefix(stream, workPrefix)
	return Run(name), is && name != ""
}

// Work returns the name of the stream of work.
func (r Run) Work() string { return workPrefix + string(r) }

// Done returns the name of the stream of results.
func (r Run) Done() string { return "CONCUR_DONE_" + string(r) }

// Bucket returns the name of two buckets: of objects with the plan and its files, and of keys with the lease.
func (r Run) Bucket() string { return "CONCUR_" + string(r) }

// WorkSubject returns the subject of the work on one trace. There is at most one message of each subject.
func (r Run) WorkSubject(id trace.ID) string {
	return "concur.work." + string(r) + "." + Key(id).String()
}

// WorkOfRun matches the subjects of all work of the run.
func (r Run) WorkOfRun() string { return "concur.work." + string(r) + ".*" }

// DoneSubject returns the subject of results.
func (r Run) DoneSubject() string { return "concur.done." + string(r) }

// AliveSubject returns the subject on which a worker says that it lives.
func (r Run) AliveSubject(worker string) string { return "concur.alive." + string(r) + "." + worker }

// TakenSubject returns the subject on which workers say that a trace begins.
func (r Run) TakenSubject() string { return "concur.taken." + string(r) }

// AgainSubject returns the subject on which a worker asks the coordinator about a trace that another worker had before.
// It gets an Advice.
func (r Run) AgainSubject() string { return "concur.again." + string(r) }

// TroubleSubject returns the subject on which workers say why they cannot work on the run.
func (r Run) TroubleSubject() string { return "concur.trouble." + string(r) }

// RemarkSubject returns the subject of what the agents of workers say, see Remark.
func (r Run) RemarkSubject() string { return "concur.remark." + string(r) }

// EndSubject returns the subject on which the coordinator says that it has ended the run. Its traces are not needed
// then.
func (r Run) EndSubject() string { return endPrefix + string(r) }

// RunOfEnd returns the run of a subject on which a coordinator says that it has ended.
func RunOfEnd(subject string) Run { return Run(strings.TrimPrefix(subject, endPrefix)) }

// Rate returns the name of the stream of rights to send a request.
func (r Run) Rate() string { return "CONCUR_RATE_" + string(r) }

// RateSubject returns the subject of rights to send a request to an endpoint, by its EndpointKey.
func (r Run) RateSubject(key string) string { return "concur.rate." + string(r) + "." + key }

// EndpointKey returns 16 hexadecimal digits that identify an endpoint, which may be a provider with an address.
func EndpointKey(endpoint string) string {
	sum := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(sum[:8])
}

// TraceKey identifies a trace in little space.
type TraceKey [8]byte

// Key returns the first 8 bytes of the SHA-256 of the trace's identity.
func Key(id trace.ID) (k TraceKey) {
	raw, _ := json.Marshal([]any{id.Agent, id.Query, id.Trace}) // texts and a number can always be encoded
	sum := sha256.Sum256(raw)
	copy(k[:], sum[:])
	return k
}

// String returns the key in 16 hexadecimal digits.
func (k TraceKey) String() string { return hex.EncodeToString(k[:]) }
