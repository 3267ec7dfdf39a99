// Package hubbing connects commands to a hub: run and ablate ask its workers for traces, and the command work is such a
// worker.
package hubbing
