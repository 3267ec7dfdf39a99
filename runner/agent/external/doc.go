// Package external runs agents that are other programs: a process per trace, resident processes that read one
// request per line, or an HTTP server. By the contract, an agent gets one JSON object and returns one (Request,
// Reply; docs/your-agent.md and docs/agent-protocol.schema.json).
//
// With a Proxy, the agent's model calls come back to this program. The model of the trace sends them, so that
// they are recorded, limited, priced and replayed like calls of concur's own agent, and tool calls become
// events of the trace.
package external
