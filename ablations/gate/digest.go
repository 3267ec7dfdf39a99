package gate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// fewestDigested is the number of bytes up to which all replies of a run may be those of
// another by chance: the answers to a few small sums.
const fewestDigested = 2000

// replies collects what the model of an agent said, by trace.
type replies map[trace.ID]*said

// add takes an exchange of the agent; exchanges of a trace come in their order.
func (r replies) add(x store.Exchange, agent string) {
	if x.Purpose != model.Agent || x.Identity.Agent != agent || x.Response == nil {
		return
	}
	id := trace.ID{Agent: agent, Query: x.Query, Trace: x.Trace}
	if r[id] == nil {
		r[id] = &said{digest: sha256.New()}
	}
	r[id].add(*x.Response)
}

// digest tells the traces of a pass from all others, whatever run, seed and model they are
// said to be of; "" where the replies are too few to tell. The configuration is a part of
// it, since configurations of one run may share their traces.
func (r replies) digest(configuration string) string {
	ids := make([]trace.ID, 0, len(r))
	bytes := 0
	for id, s := range r {
		ids, bytes = append(ids, id), bytes+s.bytes
	}
	if bytes <= fewestDigested {
		return ""
	}
	slices.SortFunc(ids, func(a, b trace.ID) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Trace, b.Trace))
	})
	all := sha256.New()
	_, _ = fmt.Fprintf(all, "%q", configuration) // a hash takes everything
	for _, id := range ids {
		_, _ = fmt.Fprintf(all, " %q %x", id.Query, r[id].digest.Sum(nil))
	}
	return hex.EncodeToString(all.Sum(nil)[:digestBytes])
}

const digestBytes = 16

// digestFits reports whether a text can be a digest, or is none.
func digestFits(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && (s == "" || len(raw) == digestBytes)
}

// Has finds the accepted run that has a pass of this digest: the same traces again. None has
// the digest "".
func (b *Baseline) Has(digest string) (run string, ok bool) {
	if digest == "" {
		return "", false
	}
	for _, r := range b.Runs {
		if slices.ContainsFunc(r.Passes, func(p AcceptedPass) bool { return p.Digest == digest }) {
			return r.Run, true
		}
	}
	return "", false
}
