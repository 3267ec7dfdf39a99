package runner

import (
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Recorder returns a model that forwards requests to m, and passes each exchange to record in the form of a run's
// chat.jsonl. It calls record for one exchange at a time. name is the model's name in the configuration.
func Recorder(m model.Model, name string, record func(store.Exchange)) model.Model {
	return &recorder{inner: m, name: name, out: onlyExchanges(record), clock: time.Now, sent: &sentCount{}}
}

// onlyExchanges ignores events.
type onlyExchanges func(store.Exchange)

func (f onlyExchanges) Exchange(x store.Exchange) { f(x) }
func (onlyExchanges) Event(trace.Event)           {}
