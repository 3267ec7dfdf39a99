// Package replay provides models and tools that answer from a recorded run. Each request and call is first
// compared with the recorded one. If a replay deviates from its recording, it reports the place and the
// difference, because the recorded answers no longer apply.
package replay
