// Package api makes a tool of a YAML file that describes an HTTP API: how it is asked, and how its replies are read.
// docs/tool-files.md explains the file; package spec reads it.
//
// All tools of a run share a Run, which limits the requests to each host and keeps cookies and replies.
package api
