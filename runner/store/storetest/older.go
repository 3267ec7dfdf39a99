package storetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/runner/store"
)

// checksum matches the checksum at the end of a line.
var checksum = regexp.MustCompile(`(?m),"crc":"[^"]*"}$`)

// MakeOlder changes a run folder into the form of a version that had no checksums of lines and no seals of
// files, so that tests can change its files.
func MakeOlder(dir string) error {
	path := filepath.Join(dir, "run.yaml")
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var m store.Manifest
	if err := yaml.Unmarshal(raw, &m); err != nil {
		return err
	}
	m.Sums, m.Files = 0, nil
	sealed, err := yaml.Marshal([]any{m.Configurations, m.Seed, m.Dataset.Hash, m.Versions})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(sealed)
	m.Seal = hex.EncodeToString(sum[:8])
	if raw, err = yaml.Marshal(m); err != nil {
		return err
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		return err
	}
	for _, name := range []string{"chat.jsonl", "trace.jsonl", "results.jsonl"} {
		path := filepath.Join(dir, name)
		lines, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines = checksum.ReplaceAll(lines, []byte("}"))
		if name == "results.jsonl" {
			lines = withSums(lines)
		}
		if err := os.WriteFile(path, lines, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// withSums adds a checksum to every line except the first, as older versions did for records. The checksum
// covers the rest of the line.
func withSums(file []byte) (out []byte) {
	first := true
	for line := range bytes.Lines(file) {
		if object := bytes.TrimSuffix(line, []byte("\n")); !first && bytes.HasSuffix(object, []byte("}")) {
			sum := crc32.Checksum(object, crc32.MakeTable(crc32.Castagnoli))
			line = fmt.Appendf(nil, "%s,\"crc\":\"%08x\"}\n", object[:len(object)-1], sum)
		}
		first = false
		out = append(out, line...)
	}
	return out
}
