// Package reports renders results and traces for people and for programs. It does no
// arithmetic beyond formatting: whatever a report shows was computed before.
package reports
