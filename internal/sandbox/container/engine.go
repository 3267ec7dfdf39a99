package container

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
)

// The names of engines in configurations.
const (
	Docker  = "docker"
	Podman  = "podman"
	Command = "command"
)

// Options are the settings of an engine.
type Options struct {
	Languages []string                 // for which images are needed
	Images    map[string]string        // by language; without an entry, the one of DefaultImages
	Getenv    func(name string) string // variables for the client; needed
}

// DefaultImages are the images of the languages.
var DefaultImages = map[string]string{
	sandbox.Python:     "python:3.12-slim",
	sandbox.JavaScript: "node:22-slim",
}

// askTime bounds a question to the daemon.
const askTime = 20 * time.Second

// mostAtOnce is the number of jobs that run at the same time.
const mostAtOnce = 8

// recipe is the version of the bounds in this package, and part of the hash of agents.
const recipe = 1

// Bounds that no setting changes.
const (
	openFiles = 64
	mostFiles = 10_000
	bootCount = 8 // processes and threads of the boot program
)

// ownMemory is what interpreter and boot program need themselves, in bytes.
var ownMemory = map[string]int64{sandbox.Python: 60 << 20, sandbox.JavaScript: 200 << 20}

// Engine runs jobs in containers, or through a command.
type Engine struct {
	name        string
	environment []string
	places      chan struct{}
	images      map[string]string // by language; nil for a command
	digests     map[string]string // of the images
	command     []string          // the user's command; nil for docker and podman
	languages   []string
}

// clientVariables are those that clients of docker and podman, and wrappers, need to find their daemon and files.
var clientVariables = []string{"PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH",
	"DOCKER_TLS_VERIFY", "CONTAINER_HOST", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"}

func newEngine(name string, o Options) *Engine {
	e := &Engine{name: name, languages: slices.Sorted(slices.Values(o.Languages)), environment: []string{},
		places: make(chan struct{}, mostAtOnce)}
	for _, variable := range clientVariables {
		if value := o.Getenv(variable); value != "" {
			e.environment = append(e.environment, variable+"="+value)
		}
	}
	return e
}

// New returns an engine of a client, Docker or Podman, after it answered and has the images. An error is a
// *sandbox.StartError.
func New(ctx context.Context, client string, o Options) (*Engine, error) {
	e := newEngine(client, o)
	e.images, e.digests = map[string]string{}, map[string]string{}
	if _, err := e.ask(ctx, "version", "--format", "{{.Server.Version}}"); err != nil {
		return nil, e.failure(err.Error())
	}
	for _, language := range e.languages {
		image := cmp.Or(o.Images[language], DefaultImages[language])
		digest, err := e.ask(ctx, "image", "inspect", "--format", "{{.Id}}", image)
		if err != nil {
			return nil, &sandbox.StartError{Engine: client, Cause: "there is no image " + image,
				Remedy: client + " pull " + image}
		}
		e.images[language], e.digests[language] = image, strings.TrimSpace(digest)
	}
	return e, nil
}

// NewCommand returns an engine that starts jobs through a command of the user's. The command gets the line of an
// interpreter as its last arguments, such as python3 -I -B -c PROGRAM. What it must do is in docs/sandbox.md.
func NewCommand(command []string, o Options) (*Engine, error) {
	e := newEngine(Command, o)
	e.command = command
	if len(command) == 0 {
		return nil, &sandbox.StartError{Engine: Command, Cause: "the command is empty", Remedy: "name a program"}
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil, &sandbox.StartError{Engine: Command, Cause: err.Error(), Remedy: "name a program that exists"}
	}
	return e, nil
}

// ask runs the client and returns its output. The error has what the client wrote.
func (e *Engine) ask(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, e.name, args...)
	cmd.Env, cmd.WaitDelay = e.environment, time.Second
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		return "", errors.New(firstLine(string(exit.Stderr)))
	}
	if err != nil && ctx.Err() != nil {
		return "", fmt.Errorf("it did not answer within %v", askTime)
	}
	return string(out), err
}

// failure explains why a container did not start. text is what the client wrote.
func (e *Engine) failure(text string) error {
	line := cmp.Or(firstLine(text), "it ended without a message")
	failure := &sandbox.StartError{Engine: e.name, Cause: line}
	switch {
	case e.command != nil:
		failure.Remedy = "try the command with python3 -c 'print(1)' behind it"
	case strings.Contains(text, "executable file not found"):
		failure.Remedy = "install " + e.name + ", or choose another sandbox"
	case strings.Contains(text, "annot connect"), strings.Contains(text, "connection refused"):
		failure.Remedy = "start its daemon"
	case strings.Contains(text, "ermission denied"):
		failure.Remedy = "allow this user to use it, or choose another sandbox"
	}
	return failure
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "")), "\n")
	if len(line) > 200 {
		line = line[:200] + "…"
	}
	return strings.TrimSpace(line)
}

// Name returns "docker", "podman" or "command".
func (e *Engine) Name() string { return e.name }

// Languages returns the languages of the options, sorted.
func (e *Engine) Languages() []string { return slices.Clone(e.languages) }

// Version returns the version of the bounds, and the digests of the images or the command.
func (e *Engine) Version() string {
	out := fmt.Sprintf("%s %d", e.name, recipe)
	for _, language := range e.languages {
		if digest := e.digests[language]; digest != "" {
			out += fmt.Sprintf(", %s %s", language, digest)
		}
	}
	if e.command != nil {
		out += ", " + strings.Join(e.command, " ")
	}
	return out
}

// Close does nothing: no container waits between jobs.
func (e *Engine) Close() error { return nil }

// arguments returns the command line of one job, and the name of its container; "" for a command.
func (e *Engine) arguments(language string, limits sandbox.Limits) (argv []string, name string) {
	interpreter := []string{"python3", "-I", "-B", "-c", bootPython}
	if language == sandbox.JavaScript {
		interpreter = []string{"node", "-e", bootJavaScript}
	}
	if e.command != nil {
		return slices.Concat(e.command, interpreter), ""
	}
	name = "concur-" + strings.ToLower(rand.Text())
	memory := fmt.Sprintf("%dm", (limits.Memory+ownMemory[language])>>20)
	seconds := strconv.FormatInt(int64(limits.Time/time.Second)+1, 10)
	argv = []string{e.name, "run", "--rm", "-i", "--name", name, "--pull=never", "--network=none", "--read-only",
		"--user", "65534:65534", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--memory=" + memory,
		"--memory-swap=" + memory, "--pids-limit=" + strconv.Itoa(limits.Processes+bootCount),
		"--ulimit", "nofile=" + strconv.Itoa(openFiles), "--ulimit", "core=0", "--ulimit", "cpu=" + seconds,
		"--tmpfs", fmt.Sprintf("/tmp:rw,size=%d,nr_inodes=%d,mode=1777", limits.Files, mostFiles),
		"--log-driver=none", "--hostname", "sandbox", "--workdir", "/tmp", e.images[language]}
	return append(argv, interpreter...), name
}
