// Package session implements a trace in progress, for every loop: the conversation with the model, reading its
// replies, tools under limits and guards, the evidence ledger, the audit, and the end of the trace. The loops
// are packages react and plan.
package session
