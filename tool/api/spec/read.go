package spec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// MaxBytes is the maximum size of a file.
const MaxBytes = 256 << 10

// atOnce is the default of Pace.AtOnce.
const atOnce = 3

// Read reads the text of a file. name is only for messages. The error is a strictyaml.Errors with all mistakes.
func Read(name string, text []byte) (*File, error) {
	if len(text) > MaxBytes {
		return nil, strictyaml.Errors{{File: name, Message: "the file has over 256 KB: make it shorter"}}
	}
	var root yaml.Node
	if err := strictyaml.Decode(name, text, &root); err != nil {
		return nil, explained(err)
	}
	return ReadNode(name, &root)
}

// ReadNode reads a file that is a part of another one.
func ReadNode(name string, root *yaml.Node) (*File, error) {
	f := &File{Pace: Pace{AtOnce: atOnce}}
	wrong := strictyaml.DecodeAt(name, "", root, f)
	c := checker{File: f, name: name, wrong: wrong, broken: len(wrong) > 0}
	c.check()
	if err := c.wrong.Err(); err != nil {
		return nil, explained(err)
	}
	var canonical bytes.Buffer
	if err := writeJSON(&canonical, root, nil); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(canonical.Bytes())
	f.Hash = hex.EncodeToString(sum[:])
	return f, nil
}

// explained adds the probable cause to errors of texts that YAML cut within braces.
func explained(err error) error {
	var all strictyaml.Errors
	if !errors.As(err, &all) {
		return err
	}
	for _, e := range all {
		cut := strings.Contains(e.Message, "expected ',' or")
		if name, unknown := strings.CutPrefix(e.Message, "unknown field "); unknown {
			name, _, _ = strings.Cut(name, " (")
			cut = !identifier.MatchString(strings.Trim(name, `"`))
		}
		if cut {
			message, _, _ := strings.Cut(e.Message, " (within ") // the general hint of YAML
			e.Message = message + flowHint
		}
	}
	return err
}
