// Package collect receives spans and log records of OpenTelemetry over HTTP, and keeps them in a folder that
// [github.com/seed-5817661a/concur/runner/imports/otlp] reads.
//
// A request is on the disk before its sender gets the answer 200. The size of a request and of all files is limited.
package collect
