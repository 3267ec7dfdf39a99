package plan

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/assemble/programfiles"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/store"
)

// Limits of the files of a run: enough for a corpus of a few hundred thousand documents.
const (
	maxFiles = 100_000
	maxBytes = 1 << 30
)

// Check returns an error if the traces of a run cannot be made by the workers of a hub.
func Check(m store.Manifest) error {
	for _, c := range m.Configurations {
		err := checkAllowed("agent", c.Configuration.Agent.External.SandboxAllow, "name it in agent.files")
		for _, name := range slices.Sorted(maps.Keys(c.Configuration.Effective().MCP)) {
			err = cmp.Or(err, checkAllowed("mcp."+name, c.MCP[name].SandboxAllow, "name the files in mcp."+name+".command"))
		}
		if err != nil {
			return fmt.Errorf("configuration %s: %w", c.Name, err)
		}
		if _, err := programfiles.Sent(c.Configuration); err != nil {
			return fmt.Errorf("configuration %s: %w", c.Name, err)
		}
	}
	return nil
}

// checkAllowed returns an error for a relative path in a list sandbox_allow: its files may be large, and are not sent.
// instead is what the user can do.
func checkAllowed(key string, entries []string, instead string) error {
	for _, entry := range entries {
		if _, isHost, err := sandbox.ReadHost(entry); err != nil || isHost || filepath.IsAbs(entry) {
			continue
		}
		return fmt.Errorf("%s.sandbox_allow: %q is not sent to workers: %s, or write an absolute path that each worker has",
			key, entry, instead)
	}
	return nil
}

// Send stores the manifest of a run, and the files that it names, in the bucket of the run. The result lacks what a
// coordinator sets.
func Send(ctx context.Context, bucket jetstream.ObjectStore, a *assemble.Assembler, m store.Manifest) (p wire.Plan,
	err error) {
	paths := []string{}
	if source := m.Dataset.Source; !slices.Contains(datasets.Builtin(), source) {
		paths = append(paths, source)
	}
	for i := range m.Configurations {
		c := m.Configurations[i].Configuration
		if err := a.ReplacePaths(&c, func(path string) (string, error) {
			paths = append(paths, path)
			return path, nil
		}); err != nil {
			return p, err
		}
	}
	slices.Sort(paths)
	s := sender{ctx: ctx, bucket: bucket}
	for _, path := range slices.Compact(paths) {
		files, err := s.path(path)
		if err != nil {
			return p, err
		}
		p.Paths = append(p.Paths, wire.Path{Path: path, Files: files})
	}
	if p.Folder.Files, p.Folder.Programs, err = s.programs(m); err != nil {
		return p, err
	}
	m.Agents, m.Files, m.Programs = nil, nil, nil // a worker computes the facts of agents itself
	// A resumed run has the same plan.
	m.State, m.End, m.Resumed, m.PausedS = store.Running, nil, nil, 0
	raw, err := yaml.Marshal(m)
	if err != nil {
		return p, err
	}
	p.Manifest, err = s.put(raw)
	return p, err
}

// sender stores files in a bucket.
type sender struct {
	ctx          context.Context
	bucket       jetstream.ObjectStore
	files, bytes int
}

// programs stores the files of agents and MCP servers that are programs.
func (s *sender) programs(m store.Manifest) (files map[string]string, executable []string, err error) {
	files = map[string]string{}
	for _, c := range m.Configurations {
		paths, err := programfiles.Sent(c.Configuration)
		if err != nil {
			return nil, nil, err
		}
		for _, path := range paths {
			name := filepath.ToSlash(path)
			if files[name] != "" {
				continue
			}
			info, err := os.Stat(path)
			if err == nil {
				files[name], err = s.file(path)
			}
			if err != nil {
				return nil, nil, fmt.Errorf("send a file of the agent to the hub: %w", err)
			}
			if info.Mode()&0o111 != 0 {
				executable = append(executable, name)
			}
		}
	}
	return files, executable, nil
}

// file stores a file.
func (s *sender) file(path string) (name string, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	s.files, s.bytes = s.files+1, s.bytes+len(raw)
	if s.files > maxFiles || s.bytes > maxBytes {
		return "", fmt.Errorf("the run has more than %d files or %d MB: use --shard in place of --hub", maxFiles,
			maxBytes>>20)
	}
	return s.put(raw)
}

// path stores a file, or all files of a folder, and returns the names of their objects.
func (s *sender) path(root string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if name = filepath.ToSlash(name); name == "." {
			name = ""
		}
		out[name], err = s.file(path)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("send %s to the hub: %w", root, err)
	}
	return out, nil
}

// put stores a content under its hash.
func (s *sender) put(content []byte) (name string, err error) {
	sum := sha256.Sum256(content)
	name = hex.EncodeToString(sum[:])
	if _, err := s.bucket.GetInfo(s.ctx, name); err == nil {
		return name, nil
	} else if !errors.Is(err, jetstream.ErrObjectNotFound) {
		return "", err
	}
	_, err = s.bucket.PutBytes(s.ctx, name, content)
	return name, err
}
