package inject

// toolCalls finds a call of a tool written out in a text, in the forms in which models
// write theirs. Only the runtime turns such text into calls, and it has no business
// reading it in data.
func toolCalls() []pattern {
	const (
		name      = `"(?:name|tool|tool_name|function|function_name|action|recipient_name)" ?: ?"[\w.:/-]+"`
		arguments = `"(?:arguments|args|parameters|params|action_input|tool_input|tool_args|input)" ?: ?["{\[]`
	)
	return acrossSentences(
		newPattern(`\{ ?`+name+` ?, ?`+arguments),
		newPattern(`\{ ?`+arguments+`[^{}\[\]]*[}\]"] ?, ?`+name),
		newPattern(`"(?:tool_calls|function_call)" ?: ?[\[{]`),
		newPattern(`"type" ?: ?"(?:tool_use|tool_call|function_call|server_tool_use)"`),
		newPattern(`</?(?:tool_calls?|tool_responses?|tool_results?|function_calls?|function_results?|antml:\w+)>`),
		newPattern(`<(?:invoke|tool_use|function)(?: name ?= ?["']|=)[\w.-]+["']?>`),
		newPattern(`\[/?(?:tool_calls|tool_results|available_tools)\]`),
	)
}
