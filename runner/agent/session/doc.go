// Package session is one trace in progress, under any loop: the conversation with the model, the reading of
// its replies, tools under limits and guards, the evidence ledger, the audit, and the end of the trace. The
// loops are packages react and plan.
package session
