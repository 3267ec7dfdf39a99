// Package reports renders results and traces for people and for programs. It formats figures but does not
// compute them.
package reports
