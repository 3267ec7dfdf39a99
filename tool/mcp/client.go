package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-5817661a/concur/internal/process"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Limits for servers that send too much or do not answer.
const (
	maxMessage = 16 << 20 // size of one message in bytes
	maxTools   = 5_000
	maxStart   = time.Minute // for connecting and listing tools; npx may first have to download the server
)

// protocolVersion is the requested version of the protocol; servers may reply with an older one.
const protocolVersion = "2025-11-25"

// Server describes how to reach a server: by a command, or by a URL.
type Server struct {
	Name string // beginning of the names of its tools and of the ids of its documents: lower-case letters and digits
	// Command is started without a shell. Env is its whole environment, as NAME=value. Dir is its working directory; ""
	// means that of this process.
	Command, Env []string
	Dir          string
	URL          string
	Token        string        // sent as a bearer token, never shown; "" for none
	AllowPrivate bool          // the URL may lead to an address outside the public Internet
	Hider        *secret.Hider // removes the server's keys from all its texts; may be nil
	PerTrace     bool          // every trace has its own session
	// Log is called with lines of standard error and other reports of the server; may be nil. It is called from
	// several goroutines.
	Log func(line string)
}

// Client is a connected server. It is safe for concurrent use.
type Client struct {
	Server
	About About

	processes process.Set
	shared    slot // the session of all traces, unless each trace has its own
	mu        sync.Mutex
	traces    map[trace.ID]*visit
}

// visit is the state of a trace at a server.
type visit struct {
	own      slot
	restarts int // number of restarts that the trace caused
}

// slot is a place for a session.
type slot struct {
	mu      sync.Mutex
	session *session // nil before the first call
}

// Open connects to a server and lists its tools. Errors name the server and an action to take.
func Open(ctx context.Context, s Server) (*Client, error) {
	c := &Client{Server: s, traces: map[trace.ID]*visit{}}
	ctx, cancel := context.WithTimeoutCause(ctx, maxStart, fmt.Errorf("it did not answer within %v", maxStart))
	defer cancel()
	first, err := c.connect(ctx, "")
	if err == nil {
		c.About, err = describeServer(ctx, first, c.Name)
		c.About.hide(c.Hider)
		c.shared.session = first
	}
	if err != nil {
		if first != nil && ctx.Err() == nil {
			err = first.explain(ctx, err)
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		c.Close()
		return nil, c.Hider.Error(fmt.Errorf("the MCP server %s (%s): %w", s.Name, s.where(), err))
	}
	if c.PerTrace {
		c.Close() // each trace begins its own session
	}
	return c, nil
}

func (s Server) where() string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(s.Command, " ")
}

func (c *Client) log(format string, args ...any) {
	if c.Log != nil {
		c.Log("mcp  " + c.Name + "  " + c.Hider.Hide(fmt.Sprintf(format, args...)))
	}
}

// connect begins a session. name is the trace's name in the log.
func (c *Client) connect(ctx context.Context, name string) (*session, error) {
	s := &session{}
	var transport sdk.Transport
	var err error
	if c.URL != "" {
		transport = s.dial(c.Server)
	} else if transport, err = s.spawn(c, name); err != nil {
		return nil, err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "concur", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // empty, so that no server asks for roots, sampling or elicitation
	})
	s.ClientSession, err = client.Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: protocolVersion})
	if err != nil {
		err = s.explain(ctx, err)
		s.close()
		return nil, err
	}
	go func() {
		_ = s.Wait() // the errors of calls say why it ended
		close(s.gone)
	}()
	return s, nil
}

// session returns the session for a call. It begins a session at the first call, and if the session has ended
// and this trace has not yet caused a restart.
func (c *Client) session(ctx context.Context) (*session, error) {
	who, _ := tool.CallerOf(ctx)
	c.mu.Lock()
	v := c.traces[who.Trace]
	if v == nil {
		v = &visit{}
		c.traces[who.Trace] = v
		tool.OnTraceEnd(ctx, func() {
			c.mu.Lock()
			delete(c.traces, who.Trace)
			c.mu.Unlock()
			v.own.close()
		})
	}
	c.mu.Unlock()
	at := &c.shared
	if c.PerTrace {
		at = &v.own
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.session != nil {
		if !at.session.over() {
			return at.session, nil
		}
		if v.restarts > 0 {
			return nil, errors.New("the server ended again; it is restarted once per trace")
		}
		v.restarts++
		c.log("it ended, and is restarted")
		at.session.close()
	}
	begun, err := c.connect(ctx, who.Trace.Query)
	if err != nil {
		return nil, err
	}
	at.session = begun
	return begun, nil
}

func (s *slot) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		s.session.close()
		s.session = nil
	}
}

// Close ends all sessions within two seconds, even if servers do not respond.
func (c *Client) Close() {
	c.mu.Lock()
	slots := []*slot{&c.shared}
	for _, v := range c.traces {
		slots = append(slots, &v.own)
	}
	c.mu.Unlock()
	var closing sync.WaitGroup
	for _, s := range slots {
		closing.Go(s.close)
	}
	closing.Wait()
}

// Kill kills the server's processes. It is for an exit of this program in the middle of a run.
func (c *Client) Kill() { c.processes.Kill() }
