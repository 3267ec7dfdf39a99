// Package external runs agents that are other programs: a process per trace, resident processes that read one
// request per line, or an HTTP server. An agent gets one JSON object (Request) and returns one (Reply);
// docs/your-agent.md and docs/agent-protocol.schema.json describe them.
//
// With a Proxy, concur receives the agent's model calls and sends them through the model of the trace. So they
// are recorded, limited, priced and replayed like calls of concur's own agent, and tool calls become events of
// the trace.
package external
