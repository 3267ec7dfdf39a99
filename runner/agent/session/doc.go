// Package session is one trace in progress, whatever loop drives it: the conversation with the
// model, the reading of its replies, tools under limits and guards, the evidence ledger, the audit,
// and the end of the trace. The loops are packages react and plan.
//
// It may import everything beneath runner/agent but the loops, no provider and no specific tool.
package session
