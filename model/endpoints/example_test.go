package endpoints_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/model/endpoints"
)

// An entry of a configuration overrides the preset with its name.
func ExampleEndpoint_Over() {
	preset, _ := endpoints.Lookup("dashscope")
	entry := endpoints.Endpoint{BaseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"}
	e := entry.Over(preset)
	fmt.Println(e.Validate(), e.KeyHint())
	fmt.Println(e.For("qwen-plus").ExtraBody, e.For("qwq-plus").Omit)
	// Output:
	// <nil> set DASHSCOPE_API_KEY to a key with access to this model
	// map[enable_thinking:false] [response_format tool_choice]
}
