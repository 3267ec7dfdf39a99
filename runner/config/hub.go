package config

import (
	"path/filepath"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Hub names the hub whose workers make the traces of runs. It is not a part of a Configuration: traces do not depend on
// where they are made. docs/machines.md has the meaning of each key. In YAML it may also be the URL alone.
type Hub struct {
	URL     string         `yaml:"url"`      // "" for no hub
	Losses  *int           `yaml:"losses"`   // nil if the file does not set it
	AckWait *time.Duration `yaml:"ack_wait"` // as Losses
	// TokenFile and CA are files, in a File relative to the concur.yaml.
	TokenFile string `yaml:"token_file"`
	CA        string `yaml:"ca"`
}

// UnmarshalNode reads a mapping, or a URL.
func (h *Hub) UnmarshalNode(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return strictyaml.DecodeNode(n, &h.URL)
	}
	type keys Hub // without this method
	return strictyaml.DecodeNode(n, (*keys)(h))
}

// In returns the hub with paths that are relative to a folder.
func (h Hub) In(folder string) Hub {
	for _, path := range []*string{&h.TokenFile, &h.CA} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(folder, *path)
		}
	}
	return h
}

// AtHub adds the line of the hub's URL to an error about it.
func (f File) AtHub(err error) error {
	n := f.values["hub.url"]
	if n == nil {
		n = f.values["hub"]
	}
	if err == nil || n == nil {
		return err
	}
	return &strictyaml.Error{File: f.path, Line: n.Line, Column: n.Column, Message: "hub: " + err.Error()}
}
