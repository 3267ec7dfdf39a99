// Package replay provides models and tools that answer from a recorded run. Every
// request and call is compared with the recorded one first. A replay that deviates from its
// recording reports the place and the difference, instead of giving answers to other questions.
package replay
