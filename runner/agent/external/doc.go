// Package external runs agents that are other programs: a process for every trace, processes that
// stay and read one request a line, or a server that is asked over HTTP. The contract is one JSON
// object in and one back (Request, Reply; docs/your-agent.md and docs/agent-protocol.schema.json).
//
// With a Proxy the agent's model calls come back to this program: each is sent by the model of its
// trace, so that it is recorded, limited, priced and replayed like a call of concur's own agent,
// and its tool calls become events of the trace.
package external
