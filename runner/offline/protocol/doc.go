// Package protocol translates the requests of agents that write their tool calls as text. A request in the text
// protocol, or in the protocol inline, becomes one with native tool calls, which the offline model reads; the model's
// turn becomes text again.
package protocol
