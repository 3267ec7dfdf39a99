package endpoints

// Names lists the presets.
func Names() []string {
	var names []string
	for _, e := range presets() {
		names = append(names, e.Name)
	}
	return names
}

// Lookup gives a preset; ok is false where there is none of that name.
func Lookup(name string) (e Endpoint, ok bool) {
	for _, e := range presets() {
		if e.Name == name {
			return e, true
		}
	}
	return Endpoint{}, false
}

// presets is the table of the endpoints that are known by name. It is made anew for each
// caller, who may change what is his.
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
				// While these reason they refuse tools and a temperature; the others of their family cannot do without.
				{Match: "gpt-6-sol*", ExtraBody: map[string]any{"reasoning_effort": "none"}, Omit: []string{Stop}},
				{Match: "gpt-6-luna*", ExtraBody: map[string]any{"reasoning_effort": "none"}, Omit: []string{Stop}},
				{Match: "gpt-6*", Omit: []string{Temperature, Stop}},
				{Match: "o1*", Omit: reasoner()}, {Match: "o3*", Omit: reasoner()}, {Match: "o4*", Omit: reasoner()},
			},
		},
		{
			Name: "dashscope", AddressEnv: "DASHSCOPE_BASE_URL", Kind: OpenAI, BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1",
			Auth:   env("DASHSCOPE_API_KEY"),
			Format: JSONObject, // few of its models know a schema
			// Models that can think refuse a call in one piece unless this is said.
			ExtraBody: map[string]any{"enable_thinking": false},
			Models: []Rule{
				{Match: "qwq*", ExtraBody: thinks(), Stream: StreamAlways, Omit: thinker()},
				{Match: "qvq*", ExtraBody: thinks(), Stream: StreamAlways, Omit: thinker()},
				{Match: "*-thinking*", ExtraBody: thinks(), Stream: StreamAlways, Omit: thinker()},
				{Match: "deepseek-r1*", ExtraBody: thinks(), Omit: thinker()},
			},
		},
		{
			Name: "ollama", AddressEnv: "OLLAMA_BASE_URL", Kind: OpenAI, BaseURL: "http://127.0.0.1:11434/v1",
			Auth: Auth{None: true},
			Omit: []string{ParallelCalls, ToolChoice}, // which it does not know
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
			// While a model thinks, a call without the reasoning that led to it is refused.
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
			// It holds the signature without which a call of Gemini 3 is not taken back.
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

// reasoner is what OpenAI's models of the o series refuse.
func reasoner() []string { return []string{Temperature, Stop, ParallelCalls} }

// thinks takes away DashScope's field, which models that always think refuse; thinker is
// what they refuse besides.
func thinks() map[string]any { return map[string]any{"enable_thinking": nil} }
func thinker() []string      { return []string{ResponseFormat, ToolChoice} }
