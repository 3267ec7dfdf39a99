// Package view serves the runs of a folder to a browser on this machine: a list with pass rates over time, the
// page of each run as in --format html, single traces with the requests and replies of their models, and the
// figures of active runs.
//
// Programs that can reach the port are not trusted: pages of other sites in the same browser, which may resolve
// a name of theirs to 127.0.0.1, and other users of this machine. Therefore every request must name this
// machine as its host, must not come from another origin, and must have the token that the command printed. The
// authors of run folders are not trusted either. So texts get into pages only through html/template, and the
// content security policy allows only the server's own style and script.
//
// The server only reads. With a Labelling it also takes one form, for a person's verdict on an answer of one
// run: its request must name the server's own origin.
package view
