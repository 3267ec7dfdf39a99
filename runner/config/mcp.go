package config

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// MCPServer is a server of the Model Context Protocol, whose tools agent.tools names as
// SERVER__TOOL, or SERVER__* for all. docs/mcp.md has the rules.
type MCPServer struct {
	// Command is run without a shell and gets, of the environment, the variables of AgentEnv
	// and of Env.
	Command []string `yaml:"command,omitempty"`
	Env     []string `yaml:"env,omitempty"`
	// URL is a server over streamable HTTP, in place of Command.
	URL          string         `yaml:"url,omitempty"`
	Auth         endpoints.Auth `yaml:"auth,omitempty"` // the variable with the bearer token
	AllowPrivate bool           `yaml:"allow_private,omitempty"`
	// Tools are those that SERVER__* stands for; empty means all.
	Tools []string `yaml:"tools,omitempty"`
	// Session is run (also ""), or trace for a server that keeps a state between calls.
	Session string `yaml:"session,omitempty"`
	// Writes is allow where the tools that may change something may be used; "" leaves them out.
	Writes string `yaml:"writes,omitempty"`
	// Trust lets a server be used whose descriptions look like an injection.
	Trust bool `yaml:"trust,omitempty"`
}

// Values of MCPServer.Session and MCPServer.Writes.
const (
	SessionRun   = "run"
	SessionTrace = "trace"
	WritesAllow  = "allow"
)

// ServerOf gives the name of the MCP server in that of a tool; ok is false for other tools.
func ServerOf(tool string) (server string, ok bool) {
	server, _, ok = strings.Cut(tool, "__")
	return server, ok
}

// serverName is of the form of a ledger's ids, files_1, which begin with it.
var serverName = regexp.MustCompile(`^[a-z][a-z0-9]{0,31}$`)

func (c Configuration) validateMCP() []error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(c.MCP)) {
		s, key := c.MCP[name], "mcp."+name
		bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(key+format, args...)) }
		if !serverName.MatchString(name) {
			bad(": a server's name has up to 32 lower-case letters and digits, and begins with a letter, because it begins the names of its tools")
		}
		if (len(s.Command) > 0) == (s.URL != "") {
			bad(": give a command, such as [npx, \"-y\", \"@modelcontextprotocol/server-filesystem\", \"./data\"], or a url, and not both")
		}
		if len(s.Command) > 0 && strings.TrimSpace(s.Command[0]) == "" {
			bad(".command begins with an empty text: name the program first")
		}
		if err := s.checkURL(); err != nil {
			bad(".url %w", err)
		}
		if s.URL == "" && (!s.Auth.IsZero() || s.AllowPrivate) {
			bad(": auth and allow_private are for a url, and have no effect on a command")
		}
		if s.URL != "" && len(s.Env) > 0 {
			bad(".env is for a command, and has no effect on a url")
		}
		if known := []string{"", SessionRun, SessionTrace}; !slices.Contains(known, s.Session) {
			bad(".session %q is not known: run, trace", s.Session)
		}
		if s.Writes != "" && s.Writes != WritesAllow {
			bad(".writes %q is not known: write allow, or leave it out", s.Writes)
		}
		if !unique(s.Tools) {
			bad(".tools %v: a tool is named twice", s.Tools)
		}
	}
	return problems
}

// checkURL refuses what is no URL, and keys in it, which would be written into the run's folder.
func (s MCPServer) checkURL() error {
	if s.URL == "" {
		return nil
	}
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%q: write a URL, such as https://example.org/mcp", s.URL)
	case u.User != nil:
		return errors.New("holds a user or a password, which would be written into the run's folder: write auth: {env: NAME}, and export the token as NAME")
	case keyIn(u) != "":
		return fmt.Errorf("has a key as %s, which would be written into the run's folder: write auth: {env: NAME}, and export the token as NAME", keyIn(u))
	}
	return nil
}
