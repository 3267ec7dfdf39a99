package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// prompter is an agent for scripts: it sends the text of a file as system prompt, and the question, to the model, and
// answers 42 if the file has the word "Answer". A second argument is the text of the tool that it sends.
func prompter() {
	if err := prompt(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func prompt(args []string) error {
	var task struct {
		Query string `json:"query"`
		Seed  int64  `json:"seed"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&task); err != nil {
		return err
	}
	system, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	request := map[string]any{
		"model": "m", "temperature": 0.5, "seed": task.Seed,
		"messages": []map[string]string{{"role": "system", "content": string(system)}, {"role": "user", "content": task.Query}},
	}
	if len(args) > 1 {
		request["tools"] = []json.RawMessage{json.RawMessage(args[1])}
	}
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	post, err := http.NewRequest(http.MethodPost, os.Getenv("OPENAI_BASE_URL")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return err
	}
	post.Header.Set("Authorization", "Bearer "+os.Getenv("OPENAI_API_KEY"))
	post.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(post)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if text, err := io.ReadAll(reply.Body); err != nil || reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s, %v", reply.Status, text, err)
	}
	answer := "[ABSTAIN]"
	if strings.Contains(string(system), "Answer") {
		answer = "42"
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]string{"answer": answer})
}
