package replay

import (
	"fmt"
	"iter"

	"github.com/seed-5817661a/concur/runner/model"
)

// Exchange is a model call as it was recorded.
type Exchange struct {
	model.Identity
	// Messages are those of the request that the conversation's exchange before this one,
	// with its reply, does not begin with.
	Messages []model.Message
	// Kept is the number of messages in front of Messages: the beginning of the exchange
	// before, its reply counted as its last message. Nil is for recordings that do not say;
	// the exchange then continues the conversation, as in keptUnsaid.
	Kept     *int
	Seed     int64
	Settings Settings
	// Response answers the request; Failure does where the call failed. Exactly one is set.
	Response *model.Response
	Failure  *Failure
}

// Settings are the parts of a request that most requests of a conversation share.
type Settings struct {
	Tools       []model.ToolSpec
	Choice      model.ToolChoice
	SingleCall  bool
	Temperature float64
	Stop        []string
	Schema      *model.ResponseSchema
}

// Source is a recording. It must not change while it is replayed, and is safe for
// concurrent reading.
type Source interface {
	// Index goes through all exchanges once, in the order in which they were recorded.
	Index() iter.Seq2[Entry, error]
	// Read gives the exchange at a position that Index told.
	Read(position int64) (Exchange, error)
}

// Entry says where an exchange is.
type Entry struct {
	model.Identity
	Position int64 // whatever the Source finds it by, such as a line's offset in a file
}

// Memory is a recording that is held in memory.
type Memory []Exchange

// Index goes through the recording; positions are the indexes of exchanges.
func (m Memory) Index() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for i, x := range m {
			if !yield(Entry{x.Identity, int64(i)}, nil) {
				return
			}
		}
	}
}

// Read gives the exchange at an index.
func (m Memory) Read(position int64) (Exchange, error) {
	if position < 0 || position >= int64(len(m)) {
		return Exchange{}, fmt.Errorf("the recording has %d exchanges, and none at position %d", len(m), position)
	}
	return m[position], nil
}
