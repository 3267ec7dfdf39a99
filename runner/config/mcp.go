package config

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model/endpoints"
)

// MCPServer is a server of the Model Context Protocol. agent.tools names its tools as SERVER__TOOL, or all of
// them as SERVER__*. docs/mcp.md has the rules.
type MCPServer struct {
	// Command is the command of a server that concur starts, without a shell. Its environment has only the
	// variables of AgentEnv and of Env.
	Command []string `yaml:"command,omitempty"`
	Env     []string `yaml:"env,omitempty"`
	// URL is the address of a server over streamable HTTP. A server has either Command or URL.
	URL          string         `yaml:"url,omitempty"`
	Auth         endpoints.Auth `yaml:"auth,omitempty"` // the variable with the bearer token
	AllowPrivate bool           `yaml:"allow_private,omitempty"`
	Tools        []string       `yaml:"tools,omitempty"` // tools that SERVER__* selects; empty means all
	// Session says which traces use the same session of the server. With "run" (or "") it is one session for
	// all traces. With "trace", each trace has a session of its own; use this for a server that keeps state
	// between calls.
	Session string `yaml:"session,omitempty"`
	// Writes is "allow" if the agent may use tools that can change something. With "" it does not get such
	// tools.
	Writes string `yaml:"writes,omitempty"`
	Trust  bool   `yaml:"trust,omitempty"` // accepts a server whose descriptions look like an injection
	// Sandbox is SandboxBwrap, or off: Command with the rights of the user. In a sandbox it may read /usr,
	// its interpreter, the files among its arguments and SandboxAllow (globs), and reach the hosts in SandboxAllow.
	Sandbox      Mode     `yaml:"sandbox,omitempty"`
	SandboxAllow []string `yaml:"sandbox_allow,omitempty"`
}

// Values of MCPServer.Session and MCPServer.Writes.
const (
	SessionRun   = "run"
	SessionTrace = "trace"
	WritesAllow  = "allow"
)

// ServerOf returns the server's name in the name of an MCP tool; ok is false for other tools.
func ServerOf(tool string) (server string, ok bool) {
	server, _, ok = strings.Cut(tool, "__")
	return server, ok
}

// serverName matches names that can be the beginning of a document's id, as in files_1.
var serverName = lazy.Compile(`^[a-z][a-z0-9]{0,31}$`)

func (c Configuration) validateMCP(p *problems) {
	for name, s := range sorted(c.MCP) {
		key := "mcp." + name
		p.refuse(!serverName.MatchString(name), "%s: a server's name has up to 32 lower-case letters and digits, and begins "+
			"with a letter, because it begins the names of its tools", key)
		p.refuse((len(s.Command) > 0) == (s.URL != ""), "%s: give a command, such as "+
			`[npx, "-y", "@modelcontextprotocol/server-filesystem", "./data"], or a url, and not both`, key)
		p.refuse(len(s.Command) > 0 && strings.TrimSpace(s.Command[0]) == "",
			"%s.command begins with an empty text: name the program first", key)
		err := s.checkURL()
		p.refuse(err != nil, "%s.url %w", key, err)
		p.refuse(s.URL == "" && (!s.Auth.IsZero() || s.AllowPrivate),
			"%s: auth and allow_private are for a url, and have no effect on a command", key)
		p.refuse(s.URL != "" && len(s.Env) > 0, "%s.env is for a command, and has no effect on a url", key)
		p.validateVariables(key+".env", s.Env)
		oneOf(p, key+".session", cmp.Or(s.Session, SessionRun), SessionRun, SessionTrace)
		p.refuse(s.Writes != "" && s.Writes != WritesAllow,
			"%s.writes %q is not known: write allow, or leave it out", key, s.Writes)
		oneOf(p, key+".sandbox", cmp.Or(s.Sandbox, "off"), "off", SandboxBwrap)
		p.refuse(!s.Sandbox.IsZero() && s.URL != "", "%s.sandbox is for a command, and has no effect on a url", key)
		p.refuse(len(s.SandboxAllow) > 0 && s.Sandbox.IsZero(),
			"%s.sandbox_allow has no effect without sandbox: add sandbox: bwrap", key)
		p.validateAllowed(key+".sandbox_allow", s.SandboxAllow)
		p.refuse(!unique(s.Tools), "%s.tools %v: a tool is named twice", key, s.Tools)
	}
}

// checkURL reports a text that is not a URL. It also reports a URL with a key, because the URL is written into
// the run folder.
func (s MCPServer) checkURL() error {
	const instead = "which would be written into the run folder: write auth: {env: NAME}, and export the token as NAME"
	switch u := webAddress(s.URL); {
	case s.URL == "":
		return nil
	case u == nil:
		return fmt.Errorf("%q: write a URL, such as https://example.org/mcp", s.URL)
	case u.User != nil:
		return errors.New("contains a user or a password, " + instead)
	case keyIn(u) != "":
		return fmt.Errorf("has a key as %s, %s", keyIn(u), instead)
	}
	return nil
}
