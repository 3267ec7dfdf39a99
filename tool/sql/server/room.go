package server

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Room bounds the connections of this process to one host. All databases of the host share it: a server has room for
// few connections, often 100 and sometimes 20, and refuses all others.
type Room struct {
	running chan struct{}
	kept    chan struct{}

	mu      sync.Mutex
	keepers map[Keeper]bool
}

// Keeper keeps connections that run no statement.
type Keeper interface {
	// CloseKept closes them.
	CloseKept()
}

var rooms = struct {
	sync.Mutex
	of map[string]*Room
}{of: map[string]*Room{}}

// RoomOf returns the room of a host.
func RoomOf(host string) *Room {
	rooms.Lock()
	defer rooms.Unlock()
	if rooms.of[host] == nil {
		rooms.of[host] = &Room{running: make(chan struct{}, MaxAtOnce), kept: make(chan struct{}, MaxKept),
			keepers: map[Keeper]bool{}}
	}
	return rooms.of[host]
}

// Enter waits until the process may run one more statement on the host, or until ctx is done, which is an error.
func (r *Room) Enter(ctx context.Context) error {
	select {
	case r.running <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Leave ends what Enter began.
func (r *Room) Leave() { <-r.running }

// Keep reports whether the process may keep one more connection that runs no statement. If so, Drop must follow.
func (r *Room) Keep() bool {
	select {
	case r.kept <- struct{}{}:
		return true
	default:
		return false
	}
}

// Drop ends what Keep began: the connection runs a statement, or is closed.
func (r *Room) Drop() { <-r.kept }

// crowdedPause is the time between attempts to connect to a server that has no room for another connection.
const crowdedPause = 100 * time.Millisecond

// Join adds a keeper, whose connections are closed when the host has no room for others, until Part.
func (r *Room) Join(k Keeper) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keepers[k] = true
}

// Part ends what Join began.
func (r *Room) Part(k Keeper) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keepers, k)
}

// Connect calls connect until it succeeds, fails with an error for which crowded is false, or ctx is done. A server
// that is crowded has room again when a statement ends, or when the keepers of this process close their connections.
func (r *Room) Connect(ctx context.Context, connect func() error, crowded func(error) bool) error {
	for {
		err := connect()
		if err == nil || !crowded(err) {
			return err
		}
		r.mu.Lock()
		keepers := slices.Collect(maps.Keys(r.keepers))
		r.mu.Unlock()
		for _, k := range keepers {
			k.CloseKept()
		}
		select {
		case <-time.After(crowdedPause):
		case <-ctx.Done():
			return err
		}
	}
}
