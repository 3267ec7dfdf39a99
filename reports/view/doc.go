// Package view serves the runs of a folder to a browser on this machine: a list with pass
// rates over time, the page of each run as in --format html, single traces with the requests
// and replies of their models, and the figures of runs that go on.
//
// Who can reach the port is not trusted: pages of other sites in the same browser, which may resolve a name of theirs
// to 127.0.0.1, and other users of this machine. So every request must name this machine as its host, come from no
// other origin, and have the token that the command printed. Whoever wrote a run folder is not trusted either: texts
// enter pages through html/template alone, and the policy lets through only the server's own style and script.
//
// The server reads, and writes nothing.
package view
