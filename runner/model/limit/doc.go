// Package limit keeps a run within what an endpoint bears and its owner pays: decorators
// of model.Model that retry, pace, throttle, break off and budget calls.
//
// [Wrap] puts them in the one order in which they work together, from the caller to the
// endpoint:
//
//	Budget            refuses before anything is waited for; one call, however often tried
//	Circuit (guard)   ends every wait beneath it at the moment when the endpoint is given up
//	Retry             repeats what may pass
//	Circuit (watch)   sees every single attempt
//	Concurrency       a slot is held while an attempt is out, not while Retry waits
//	Rate              counts every attempt, last before the wire, so that nothing bunches up
//
// The model's own timeout stands beneath them, so that no queue counts against it. Circuit,
// Concurrency and Rate are shared by all models of one [Endpoint], Budget by all
// models of a run. All types are structs whose zero value has the documented defaults, are
// safe for concurrent use, and start no goroutine that outlives a call. What ends a call
// here is never held against the agent: every failure is infra (methods.md §1.1).
//
// It may import runner/model and internal/pace.
package limit
