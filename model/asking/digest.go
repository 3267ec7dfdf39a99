package asking

import (
	"crypto/sha256"
	"encoding/binary"
)

// Digest is a cache key.
type Digest [sha256.Size]byte

// DigestOf hashes parts together with their lengths, so that different lists have different digests.
func DigestOf(parts ...string) Digest {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		h.Write([]byte(p))
	}
	return Digest(h.Sum(nil))
}

// Seed returns a seed of 31 bits that depends on the digest.
func (d Digest) Seed() int64 { return int64(binary.BigEndian.Uint32(d[:4]) >> 1) }
