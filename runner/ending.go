package runner

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
)

// GivenUp reports whether the run stopped for one of these reasons: an endpoint or all search backends are
// down; the agent never worked; the budget is spent; the recording that is replayed has no reply to a request.
func GivenUp(err error) bool {
	_, spent := errors.AsType[*limit.SpentError](err)
	return spent || IsWiring(err) || down(err) || replay.StoppedBy(err) != nil
}

// IsWiring reports whether the run stopped because its agent never worked.
func IsWiring(err error) bool {
	_, is := errors.AsType[*WiringError](err)
	return is
}

// down reports whether traces failed because an endpoint or every evidence tool is down.
func down(err error) bool {
	_, endpoint := errors.AsType[*limit.OpenError](err)
	_, search := errors.AsType[*tool.OutageError](err)
	return endpoint || search
}

// StateAfter returns the state of a run after Run has returned err, which may be nil.
func StateAfter(err error) store.State {
	switch {
	case err == nil:
		return store.Complete
	case errors.Is(err, ErrDrained), GivenUp(err):
		return store.Interrupted
	}
	return store.Failed
}

// NeverAnswered reports whether the run stopped because a model refused every request as invalid. The name or
// the address of the model is then wrong, and the run cannot continue.
func NeverAnswered(err error) bool {
	open, is := errors.AsType[*limit.OpenError](err)
	return is && model.KindOf(open.Cause) == model.ErrBadRequest
}

// GoOn returns the command that continues a run after Run has returned err. The command repeats the traces that
// failed because of err. If a budget is spent, the command has twice the budget.
func GoOn(command string, err error) string {
	if e, spent := errors.AsType[*limit.SpentError](err); spent {
		if e.Allowed.USD > 0 && e.Spent.USD >= e.Allowed.USD {
			usd := 2 * max(e.Spent.USD, e.Allowed.USD) // rounded up, because 0 means no budget
			return fmt.Sprintf("%s --budget-usd %v", command, math.Ceil(usd*1e4)/1e4)
		}
		return fmt.Sprintf("%s --budget-tokens %d", command, 2*max(e.Spent.Tokens, e.Allowed.Tokens))
	}
	if down(err) {
		return command + " --retry-failed"
	}
	return command
}
