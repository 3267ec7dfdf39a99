// Package transcript writes traces as text and as JSON: after a run, while they happen, and where two of them differ.
package transcript
