// Package accepted keeps what accepted runs sent to their models, in a file next to the baseline, and compares
// a later run with it. The baseline itself has no such texts, so that older versions of concur can read it.
package accepted
