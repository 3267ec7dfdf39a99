package runner

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Purposes of seeds.
const (
	purposeAgent = "agent"
	purposeOrder = "order"
)

// TraceSeed is the seed of one trace: the first 31 bits of the SHA-256 of run seed, query
// id, trace index and purpose (DESIGN.md §3). The configuration is left out so that rows of
// an ablation are paired, and K so that the first trace of K=3 equals that of K=1.
func TraceSeed(run int64, query string, trace int) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%d\x00%s", run, query, trace, purposeAgent))
	return int64(binary.BigEndian.Uint32(sum[:4]) >> 1)
}
