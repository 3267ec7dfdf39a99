// Package limit keeps a run within an endpoint's limits and within the user's budget. It has decorators of
// model.Model that retry, pace, throttle, stop and budget calls.
//
// [Wrap] applies them in the only order in which they work together, from the caller to the endpoint:
//
//	Budget            refuses before any wait; counts a call once, including retries
//	Circuit (guard)   ends the waits of all decorators below when the endpoint is given up
//	Retry             repeats after temporary failures
//	Circuit (watch)   observes every attempt
//	Concurrency       an attempt has a slot while it is running, not while Retry waits
//	Rate              counts every attempt directly before it is sent
//
// The model's own timeout is below them, so it does not include time in queues. Circuit, Concurrency and Rate
// are shared by all models of one [Endpoint], Budget by all models of a run. All types are structs whose zero
// value has the documented defaults, are safe for concurrent use, and start no goroutine that outlives a
// call. Failures here do not count against the agent: they are infra (docs/method.md §1.1).
package limit
