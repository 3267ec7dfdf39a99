package endpoints

// Names lists the presets.
func Names() []string {
	var names []string
	for _, e := range presets() {
		names = append(names, e.Name)
	}
	return names
}

func Lookup(name string) (e Endpoint, ok bool) {
	for _, e := range presets() {
		if e.Name == name {
			return e, true
		}
	}
	return Endpoint{}, false
}

// presets is the table of known endpoints. Each caller gets a copy and may change it.
func presets() []Endpoint {
	return []Endpoint{
		{
			Name: "openai", AddressEnv: "OPENAI_BASE_URL", Kind: OpenAI, BaseURL: "https://api.openai.com/v1",
			Auth:           env("OPENAI_API_KEY"),
			MaxTokensField: "max_completion_tokens",
			Models: []Rule{
				{Match: "gpt-5-chat*"},
				{Match: "gpt-5.*", Omit: []string{Stop}},
				{Match: "gpt-5*", Omit: []string{Temperature, Stop}},
				// With reasoning, these refuse tools and a temperature; it cannot be disabled for the others.
				{Match: "gpt-6-sol*", ExtraBody: map[string]any{"reasoning_effort": "none"}, Omit: []string{Stop}},
				{Match: "gpt-6-luna*", ExtraBody: map[string]any{"reasoning_effort": "none"}, Omit: []string{Stop}},
				{Match: "gpt-6*", Omit: []string{Temperature, Stop}},
				{Match: "o1*", Omit: omitOfReasoner()}, {Match: "o3*", Omit: omitOfReasoner()}, {Match: "o4*", Omit: omitOfReasoner()},
			},
		},
		{
			Name: "dashscope", AddressEnv: "DASHSCOPE_BASE_URL", Kind: OpenAI, BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1",
			Auth:   env("DASHSCOPE_API_KEY"),
			Format: JSONObject, // few of its models support a schema
			// Without this, models that can think refuse a call without streaming.
			ExtraBody: map[string]any{"enable_thinking": false},
			Models: []Rule{
				{Match: "qwq*", ExtraBody: bodyOfThinker(), Stream: StreamAlways, Omit: omitOfThinker()},
				{Match: "qvq*", ExtraBody: bodyOfThinker(), Stream: StreamAlways, Omit: omitOfThinker()},
				{Match: "*-thinking*", ExtraBody: bodyOfThinker(), Stream: StreamAlways, Omit: omitOfThinker()},
				{Match: "deepseek-r1*", ExtraBody: bodyOfThinker(), Omit: omitOfThinker()},
			},
		},
		{
			Name: "ollama", AddressEnv: "OLLAMA_BASE_URL", Kind: OpenAI, BaseURL: "http://127.0.0.1:11434/v1",
			Auth: Auth{None: true},
			Omit: []string{ParallelCalls, ToolChoice}, // not supported
		},
		{
			Name: "openrouter", AddressEnv: "OPENROUTER_BASE_URL", Kind: OpenAI, BaseURL: "https://openrouter.ai/api/v1",
			Auth: env("OPENROUTER_API_KEY"),
			Keep: []string{"reasoning_details"},
		},
		{
			Name: "deepseek", AddressEnv: "DEEPSEEK_BASE_URL", Kind: OpenAI, BaseURL: "https://api.deepseek.com/v1",
			Auth:   env("DEEPSEEK_API_KEY"),
			Format: JSONObject,
			Omit:   []string{Seed, ParallelCalls},
			// While a model thinks, it refuses a call without the reasoning that led to it.
			Keep: []string{"reasoning_content"},
			Models: []Rule{
				{Match: "deepseek-reasoner*", Omit: []string{Temperature, ToolChoice}},
				{Match: "deepseek-v4*", Omit: []string{ToolChoice}},
			},
		},
		{
			Name: "groq", AddressEnv: "GROQ_BASE_URL", Kind: OpenAI, BaseURL: "https://api.groq.com/openai/v1",
			Auth:           env("GROQ_API_KEY"),
			MaxTokensField: "max_completion_tokens",
			Format:         JSONObject,
			Models:         []Rule{{Match: "openai/gpt-oss*", Format: JSONSchema}},
		},
		{
			Name: "mistral", AddressEnv: "MISTRAL_BASE_URL", Kind: OpenAI, BaseURL: "https://api.mistral.ai/v1",
			Auth:      env("MISTRAL_API_KEY"),
			SeedField: "random_seed",
			CallIDs:   AlnumNine,
			Omit:      []string{StreamOptions}, // usage comes without it, and unknown fields are refused
		},
		{
			Name: "gemini", AddressEnv: "GEMINI_BASE_URL", Kind: OpenAI, BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
			Auth: env("GEMINI_API_KEY", "GOOGLE_API_KEY"),
			Omit: []string{Seed, ParallelCalls, StreamOptions}, // unknown fields are refused
			// It has the signature that Gemini 3 requires with a call.
			Keep: []string{CallPrefix + "extra_content"},
		},
		{
			Name: "anthropic", AddressEnv: "ANTHROPIC_BASE_URL", Kind: Anthropic, BaseURL: "https://api.anthropic.com",
			Auth: env("ANTHROPIC_API_KEY"),
			Models: []Rule{
				{Match: "claude-opus-4-7*", Omit: []string{Temperature}}, {Match: "claude-opus-4-8*", Omit: []string{Temperature}},
				{Match: "claude-opus-5-5*", Omit: []string{Temperature, ToolChoice}},
				{Match: "claude-opus-5*", Omit: []string{Temperature}},
			},
		},
	}
}

func env(names ...string) Auth { return Auth{Env: names} }

// omitOfReasoner lists the fields that OpenAI's o series refuses.
func omitOfReasoner() []string { return []string{Temperature, Stop, ParallelCalls} }

// bodyOfThinker removes DashScope's field, which models that always think refuse;
// omitOfThinker lists the other fields that they refuse.
func bodyOfThinker() map[string]any { return map[string]any{"enable_thinking": nil} }
func omitOfThinker() []string       { return []string{ResponseFormat, ToolChoice} }
