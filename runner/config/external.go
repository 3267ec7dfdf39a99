package config

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/model/endpoints"
)

// External is an agent in another program: a command to run, or an address to call. docs/your-agent.md has the
// contract. The zero value means concur's own agent.
type External struct {
	Exec   []string `yaml:"exec,omitempty"`   // a command, started without a shell for every trace
	Serve  bool     `yaml:"serve,omitempty"`  // processes of Exec stay, and read one request per line
	HTTP   string   `yaml:"http,omitempty"`   // a URL to POST requests to, in place of Exec; see Address
	Output string   `yaml:"output,omitempty"` // json (also ""), or text that the answer is extracted from
	// Proxy gives the agent endpoints for its model calls, so that these calls are recorded and limited. Nil
	// means true for Exec and false for HTTP.
	Proxy   *bool         `yaml:"proxy,omitempty"`
	Timeout time.Duration `yaml:"timeout,omitempty"` // limit of one trace; 0 means DefaultAgentTimeout
	Env     []string      `yaml:"env,omitempty"`     // variables that the process gets besides AgentEnv
	// how a process gets its endpoint's key: KeyEnv (also ""), or KeyStdin
	Key string `yaml:"key,omitempty"`
	// Files are globs of files that belong to the agent. If the content of such a file changes, or the content
	// of a file among the arguments of Exec, the agent hash changes. Version is a name for everything else that
	// may change.
	Files   []string `yaml:"files,omitempty"`
	Version string   `yaml:"version,omitempty"`
	// Sandbox is SandboxBwrap, or off: a process with the rights of the user. In a sandbox the process may read /usr,
	// its interpreter, the files among the arguments of Exec, Files and SandboxAllow (globs), and reach only the proxy and
	// the hosts in SandboxAllow, such as https://api.example.org.
	Sandbox      Mode     `yaml:"sandbox,omitempty"`
	SandboxAllow []string `yaml:"sandbox_allow,omitempty"`
	// Parts names the parts of the agent that without and --without can turn off. Off lists the parts that are
	// turned off.
	Parts []string `yaml:"parts,omitempty"`
	Off   []string `yaml:"off,omitempty"`
	// Reply limits the kept parts of a reply.
	Reply    ReplyLimits `yaml:"reply,omitempty"`
	Imported string      `yaml:"imported,omitempty"` // the harness whose traces were imported; such an agent cannot be run
}

// ReplyLimits limit how much of an external agent's reply is kept, part by part; 0 means the default. If a part
// was cut, the trace names it.
type ReplyLimits struct {
	Steps     int `yaml:"steps,omitempty"`
	Documents int `yaml:"documents,omitempty"`
	TextKB    int `yaml:"text_kb,omitempty"`  // size of one text, in KiB
	TotalKB   int `yaml:"total_kb,omitempty"` // size of all texts, in KiB
}

// Defaults of ReplyLimits.
const (
	DefaultReplySteps     = 10_000
	DefaultReplyDocuments = 1000
	DefaultReplyTextKB    = 1024
	DefaultReplyTotalKB   = 4096
)

func (l ReplyLimits) validate(p *problems) {
	const most = 1 << 20 // texts of 1 GiB
	for _, n := range []struct {
		key   string
		value int
	}{{"steps", l.Steps}, {"documents", l.Documents}, {"text_kb", l.TextKB}, {"total_kb", l.TotalKB}} {
		p.refuse(n.value < 0 || n.value > most, "agent.reply.%s is %d: give 1 to %[3]d, or 0 for the default",
			n.key, n.value, most)
	}
}

// DefaultAgentTimeout is the time limit of an external agent for one trace.
const DefaultAgentTimeout = 5 * time.Minute

// SandboxBwrap is the value of External.Sandbox for bubblewrap.
const SandboxBwrap Mode = "bwrap"

// Values of External.Output.
const (
	OutputJSON = "json"
	OutputText = "text"
)

// StrategyExternal is the name of an external agent's strategy in Effective and in reports.
const StrategyExternal = "external"

// AgentEnv returns the names of the environment variables that the process of an external agent gets, if they
// are set. None of them contains a key.
func AgentEnv() []string {
	return []string{
		"PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP", "SSL_CERT_FILE",
		"SSL_CERT_DIR",
		"VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "NODE_PATH", "PYENV_ROOT", "GOPATH", "GOCACHE",
		"GOROOT", "JAVA_HOME",
		"SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "COMSPEC", "PATHEXT",
	}
}

// Used reports whether the agent is an external one.
func (e External) Used() bool { return len(e.Exec) > 0 || e.HTTP != "" || e.Imported != "" }

// Label returns the agent's name in reports: its command or its address. It returns "" for concur's own agent.
func (e External) Label() string { return cmp.Or(strings.Join(e.Exec, " "), e.HTTP, e.Imported) }

// Proxied reports whether the agent's model calls go through the recording proxy.
func (e External) Proxied() bool {
	if e.Proxy != nil {
		return *e.Proxy
	}
	return len(e.Exec) > 0
}

// Deadline returns the time limit of one trace.
func (e External) Deadline() time.Duration { return cmp.Or(e.Timeout, DefaultAgentTimeout) }

// on returns the parts that are not turned off.
func (e External) on() []string {
	return slices.DeleteFunc(slices.Clone(e.Parts), func(p string) bool { return slices.Contains(e.Off, p) })
}

func (e External) validate(p *problems) {
	p.refuse(e.Exec != nil && len(e.Exec) == 0,
		"agent.exec is empty: name a program, such as [python3, my_agent.py], or leave it out")
	if !e.Used() {
		p.useless(map[string]bool{
			"serve": e.Serve, "output": e.Output != "", "proxy": e.Proxy != nil, "timeout": e.Timeout != 0,
			"env": len(e.Env) > 0, "key": e.Key != "", "files": len(e.Files) > 0, "version": e.Version != "",
			"sandbox": !e.Sandbox.IsZero(), "sandbox_allow": len(e.SandboxAllow) > 0, "parts": len(e.Parts) > 0,
			"off": len(e.Off) > 0, "reply": e.Reply != ReplyLimits{},
		}, "without agent.exec or agent.http: name the external agent, or leave it out")
		return
	}
	p.refuse(len(e.Exec) > 0 && e.HTTP != "", "agent.http: agent.exec is given too: keep one of them")
	p.refuse(len(e.Exec) > 0 && strings.TrimSpace(e.Exec[0]) == "",
		"agent.exec begins with an empty text: name the program first, such as [python3, my_agent.py]")
	address := sampleAddress(e.HTTP)
	if u, err := url.Parse(address); err == nil && u.User != nil {
		p.refuse(true, "agent.http contains a user or a password, which would be written into the run folder: leave it out")
	} else if err == nil && keyIn(u) != "" {
		p.refuse(true, "agent.http: %s in the URL looks like a key, which would be written into the run folder: "+
			"write %s=${NAME}, and export the key as NAME", keyIn(u), keyIn(u))
	} else {
		p.refuse(e.HTTP != "" && webAddress(address) == nil,
			"agent.http %q: write a URL, such as http://127.0.0.1:8000/run", e.HTTP)
	}
	p.refuse(e.Serve && e.HTTP != "", "agent.serve is for agent.exec; what agent.http names is a server already")
	p.refuse(e.Serve && e.Output == OutputText,
		"agent.output: text does not go with agent.serve, where each reply is a line of JSON")
	oneOf(p, "agent.key", cmp.Or(e.Key, KeyEnv), KeyEnv, KeyStdin)
	p.refuse(e.Key != "" && (e.HTTP != "" || !e.Proxied()),
		"agent.key is for agent.exec with the proxy, which makes that key: leave it out")
	p.validateVariables("agent.env", e.Env)
	oneOf(p, "agent.sandbox", cmp.Or(e.Sandbox, "off"), "off", SandboxBwrap)
	p.refuse(!e.Sandbox.IsZero() && len(e.Exec) == 0,
		"agent.sandbox is for agent.exec: concur does not start the server of agent.http")
	p.refuse(len(e.SandboxAllow) > 0 && e.Sandbox.IsZero(),
		"agent.sandbox_allow has no effect without agent.sandbox: add sandbox: bwrap")
	p.validateAllowed("agent.sandbox_allow", e.SandboxAllow)
	oneOf(p, "agent.output", cmp.Or(e.Output, OutputJSON), OutputJSON, OutputText)
	p.refuse(e.Timeout < 0, "agent.timeout is %s: it must be above 0", e.Timeout)
	e.Reply.validate(p)
	p.refuse(!unique(e.Parts), "agent.parts %v: a part is named twice", e.Parts)
	p.refuse(!eachOnce(e.Off, e.Parts), "agent.off %v: name each of agent.parts %v at most once", e.Off, e.Parts)
}

// validateAllowed reports hosts that are not written as a scheme, a host and a port.
func (p *problems) validateAllowed(key string, entries []string) {
	for _, entry := range entries {
		_, _, err := sandbox.ReadHost(entry)
		p.refuse(err != nil, "%s: %q: %v", key, entry, err)
	}
}

// validateExternal reports settings that only concur's own agent uses, if the agent is an external one.
func (a Agent) validateExternal(p *problems) {
	if !a.External.Used() {
		return
	}
	own := New().Agent
	p.useless(map[string]bool{
		"strategy": a.Strategy != own.Strategy, "protocol": a.Protocol != own.Protocol,
		"tools": !slices.Equal(a.Tools, own.Tools), "tool_workers": a.Plan.Workers != 0, "explain": !a.Explain.IsZero(),
		"condense": !a.Condense.IsZero(), "prompts": a.Prompts != Prompts{}, "playbook": a.Playbook.Used(),
		"single_tool": a.SingleTool, "confidence_check": a.ConfidenceCheck != 0,
		"guards": !slices.Equal(a.Guards, own.Guards), "citations": !a.Citations.IsZero(),
	}, "on an external agent: leave it out; agent.parts names what the agent can turn off")
}

// useless reports keys of the agent that have no effect.
func (p *problems) useless(given map[string]bool, where string) {
	for key, is := range sorted(given) {
		p.refuse(is, "agent.%s has no effect %s", key, where)
	}
}

// sorted iterates over a map in the order of its keys.
func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}

var (
	variable = lazy.Compile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	// namesKey matches parameters that hold a key, such as key, api_key, access-token.
	namesKey = lazy.Compile(`(?i)^(.*[_-])?(api)?(key|token|auth|secret|password|sig|signature)$`)
)

// sampleAddress returns a URL with 1 for each variable in its host and port, so that it can be checked without an
// environment: http://127.0.0.1:${PORT}/run becomes http://127.0.0.1:1/run.
func sampleAddress(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	at := strings.IndexAny(rest, "/?#")
	if at < 0 {
		at = len(rest)
	}
	if rest == "" {
		return address
	}
	return scheme + "://" + variable.ReplaceAllString(rest[:at], "1") + rest[at:]
}

// Address returns HTTP with its variables ${NAME} replaced by their values in the environment, URL-escaped.
// keys are these values; they must not be shown. A variable that is not set is an error.
func (e External) Address(environ func(string) string) (address string, keys []string, err error) {
	address = variable.ReplaceAllStringFunc(e.HTTP, func(found string) string {
		name := variable.FindStringSubmatch(found)[1]
		value := environ(name)
		if value == "" && err == nil {
			err = fmt.Errorf("agent.http names ${%s}, which is not set: export %s, or leave it out", name, name)
		}
		keys = append(keys, value)
		return url.QueryEscape(value)
	})
	return address, keys, err
}

// keyIn returns the name of the parameter of a URL's query that has a literal key as its value; "" if the URL
// has no such parameter.
func keyIn(u *url.URL) string {
	for _, name := range slices.Sorted(maps.Keys(u.Query())) {
		for _, value := range u.Query()[name] {
			if (namesKey.MatchString(name) || endpoints.LooksLikeKey(value)) && !variable.MatchString(value) &&
				value != "" {
				return name
			}
		}
	}
	return ""
}
