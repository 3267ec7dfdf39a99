// Package replay provides models and tools that answer from a recorded run. Each request and call is first
// compared with the recorded one. If it differs, the replay reports the place and the difference, because the
// recorded answer no longer applies.
package replay
