package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// About is a server's description of itself.
type About struct {
	Name, Version, Protocol, Instructions string
	Tools                                 []Described
}

// Described is a server's description of a tool.
type Described struct {
	Name        string          // name for models: server__tool, changed if a provider would refuse that
	Remote      string          // the server's own name for the tool
	Description string          // never empty
	Schema      json.RawMessage // schema of its arguments, as the server sent it
	// Writes is false if the server hints that the tool only reads, or that a repeated call with the same
	// arguments has no further effect; otherwise true.
	Writes bool
}

// separator separates the name of a server from the name of its tool.
const separator = "__"

// All means all tools of a server.
const All = "*"

// Qualified joins the name of a server and the name of one of its tools into one name.
func Qualified(server, tool string) string { return server + separator + tool }

// Split returns the two parts of a qualified name.
func Split(name string) (server, tool string, ok bool) { return strings.Cut(name, separator) }

// describeServer requests name, version and tools from a server.
func describeServer(ctx context.Context, s *session, server string) (About, error) {
	var a About
	if r := s.InitializeResult(); r != nil {
		a.Protocol, a.Instructions = r.ProtocolVersion, r.Instructions
		if r.ServerInfo != nil {
			a.Name, a.Version = r.ServerInfo.Name, r.ServerInfo.Version
		}
		if r.Capabilities == nil || r.Capabilities.Tools == nil {
			return a, errors.New("it has no tools")
		}
	}
	remote, shown, again := map[string]bool{}, map[string]bool{}, 0
	for t, err := range s.Tools(ctx, nil) { // iterates over all pages
		switch {
		case err != nil:
			return a, fmt.Errorf("list its tools: %w", err)
		case t == nil || t.Name == "":
			return a, errors.New("it lists a tool without a name")
		case remote[t.Name]: // if two tools have the same name, the first one counts
			again++
		case len(a.Tools) == maxTools:
			return a, fmt.Errorf("it lists more than %d tools", maxTools)
		}
		if remote[t.Name] && again > len(a.Tools) { // the server repeats a cursor, so there are pages without end
			break
		} else if remote[t.Name] {
			continue
		}
		remote[t.Name] = true
		d, err := describe(t)
		if err != nil {
			return a, err
		}
		a.Tools = append(a.Tools, d)
	}
	for _, mapped := range []bool{false, true} { // names that need no change come first, so that they stay unchanged
		for i := range a.Tools {
			d := &a.Tools[i]
			if name := Qualified(server, d.Remote); mapped == (refusedRunes.MatchString(name) ||
				len(name) > longestName) {
				d.Name = shownName(name, shown)
			}
		}
	}
	return a, nil
}

func describe(t *sdk.Tool) (Described, error) {
	d := Described{Remote: t.Name, Description: t.Description, Writes: true}
	if a := t.Annotations; a != nil {
		d.Writes = !a.ReadOnlyHint && !a.IdempotentHint
		t.Title = cmp.Or(t.Title, a.Title)
	}
	if strings.TrimSpace(d.Description) == "" {
		d.Description = cmp.Or(t.Title, "The tool "+t.Name+"; its server does not describe it.")
	}
	schema := t.InputSchema
	if top, isMap := schema.(map[string]any); isMap && top["type"] == nil || schema == nil {
		// the arguments of a tool are always an object, even if its server does not say so
		typed := map[string]any{"type": "object"}
		maps.Copy(typed, top)
		schema = typed
	}
	var err error
	if d.Schema, err = json.Marshal(schema); err != nil {
		return d, fmt.Errorf("read the schema of its tool %s: %w", t.Name, err)
	}
	return d, nil
}

// longestName is the maximum length of a function name. refusedRunes are the characters that providers refuse
// in it.
const longestName = 64

var refusedRunes = lazy.Compile(`[^A-Za-z0-9_-]`)

// shownName converts a name to one that providers accept and that no other tool has. If characters were lost,
// the result contains a digest of the original name.
func shownName(name string, taken map[string]bool) string {
	shown := refusedRunes.ReplaceAllString(name, "_")
	if len(shown) > longestName || taken[shown] {
		sum := sha256.Sum256([]byte(name))
		mark := "_" + hex.EncodeToString(sum[:4])
		shown = shown[:min(len(shown), longestName-len(mark))] + mark
	}
	taken[shown] = true
	return shown
}
