// Package running has the commands that run traces: run, with its replays, its repetitions and its --watch, ablate,
// attack, ask and rejudge. Other commands run their own drafts with Begin, Execute or Conduct.
package running
