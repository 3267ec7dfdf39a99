// Package limit keeps a run within the limits of an endpoint and the budget of its owner:
// decorators of model.Model that retry, pace, throttle, stop and budget calls.
//
// [Wrap] puts them in the one order in which they work together, from the caller to the endpoint:
//
//	Budget            refuses before any wait; counts a call once, including retries
//	Circuit (guard)   ends every wait beneath it when the endpoint is given up
//	Retry             repeats after temporary failures
//	Circuit (watch)   observes every attempt
//	Concurrency       an attempt has a slot while it is in flight, not while Retry waits
//	Rate              counts every attempt directly before it is sent
//
// The model's own timeout is beneath them, so that queues do not count. Circuit, Concurrency and Rate are shared by
// all models of one [Endpoint], Budget by all models of a run. All types are structs whose zero value has the
// documented defaults, are safe for concurrent use, and start no goroutine that outlives a call. Failures here do not
// count against the agent: they are infra (docs/method.md §1.1).
package limit
