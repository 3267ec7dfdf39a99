// Package session implements a trace in progress, for every loop: the conversation with the model, the
// reading of replies, tools under limits and guards, the evidence ledger, the audit, and the end of the
// trace. The loops are in packages react and plan.
package session
