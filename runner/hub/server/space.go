package server

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"
)

// leastFree is the minimum free space in bytes. It is more than a fast network can deliver in Options.LookEvery
// together with the work of other programs on a usual disk; and the part of the store in reserve makes it grow with
// the size of the hub.
const leastFree = 64 << 20

// reserve is the part of the store that must also be free.
const reserve = 0.05

// needed returns the free space below which messages are refused.
func (s *Server) needed() int64 { return max(leastFree, int64(reserve*float64(s.store))) }

// watch looks at the free space until the hub is closed.
func (s *Server) watch() {
	defer close(s.ended)
	ticker := time.NewTicker(s.o.LookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-s.done:
			return
		case <-ticker.C:
			s.look()
		}
	}
}

// look refuses further messages if the disk is nearly full, and accepts them again when there is space. An error of
// JetStream after a full disk would last until the server is started again.
func (s *Server) look() {
	free, err := s.o.Free(s.o.Dir)
	switch gone := errors.Is(err, fs.ErrNotExist); {
	case gone && s.gone:
		return // it was said
	case gone:
		s.gone = true
		s.o.Log(fmt.Sprintf("the folder %s is gone: start concur-hub again; runs then make there again what is lost",
			s.o.Dir))
		return
	case err != nil:
		s.o.Log(fmt.Sprintf("find the free space of %s: %v", s.o.Dir, err))
		return
	}
	full := free < s.needed()
	if full == s.full {
		return
	}
	limit := s.store
	if full {
		limit = 1 // 0 would mean that there is no limit
	}
	if err := s.limit(limit); err != nil {
		s.o.Log(fmt.Sprintf("limit the store: %v", err))
		return
	}
	s.full = full
	if full {
		s.o.Log(fmt.Sprintf("%s has %d MB free, and %d MB are needed: messages are refused until there is space",
			s.o.Dir, free>>20, s.needed()>>20))
		return
	}
	s.o.Log(fmt.Sprintf("%s has %d MB free: messages are accepted again", s.o.Dir, free>>20))
}

// limit sets the maximum size of the stored messages.
func (s *Server) limit(bytes int64) error {
	return s.nats.GlobalAccount().UpdateJetStreamLimits(map[string]nats.JetStreamAccountLimits{"": {
		MaxMemory: -1, MaxStore: bytes, MaxStreams: -1, MaxConsumers: -1, MaxAckPending: -1,
		MemoryMaxStreamBytes: -1, StoreMaxStreamBytes: -1,
	}})
}
