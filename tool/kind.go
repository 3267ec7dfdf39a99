package tool

import "context"

// Kind is a kind of tool that users declare in concur.yaml: `tools: {NAME: {KEY: …, other settings}}`. A new kind is
// a package with a Kind, and a line in the list of runner/assemble.
type Kind struct {
	// Key is the setting that selects the kind, such as folder.
	Key string
	// Paths are the settings that name a file or a folder. They are made absolute, so that a run can be resumed from
	// any folder.
	Paths []string
	// Read reads the settings of a tool. decode fills a struct with yaml tags; its error names unknown settings and
	// values of the wrong type. Read opens nothing.
	Read func(name string, decode func(settings any) error) (Declared, error)
}

// Declared is a declared tool before it is opened.
type Declared interface {
	// Spec describes the tool. It depends only on name and settings, so that a replay needs no data of the tool.
	Spec() Spec
	// Open returns the tool, and a digest of all that its results depend on besides its settings, such as the content
	// of files; "" for none. The digest is part of the agent hash.
	Open(ctx context.Context) (t Tool, digest string, err error)
}
