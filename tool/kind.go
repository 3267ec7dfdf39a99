package tool

import "context"

// Kind is a kind of tool that users declare in concur.yaml: `tools: {NAME: {KEY: …, other settings}}`. A new
// kind needs a package with a Kind, and a line in the list of runner/assemble/kinds.
type Kind struct {
	// Key is the setting that selects the kind, such as folder.
	Key string
	// Paths are the settings that name a file or folder. Such paths are made absolute, so that a run can be
	// resumed from any folder.
	Paths []string
	// NoPath reports whether a value of such a setting cannot be a path. It is then not made absolute, so that Read can
	// refuse it as the user wrote it. May be nil.
	NoPath func(value string) bool
	// Texts are the settings that name a file whose text replaces the name before a run begins, so that a run can be
	// resumed and replayed without the file. The function reads and checks a file. Only a setting on one line is a name.
	Texts map[string]func(path string) (text string, err error)
	// Read reads the settings of a tool. decode fills a struct with yaml tags; it returns an error for unknown
	// settings and values of the wrong type. Read must not open files.
	Read Reader
	// Second are readers of further tools of the same settings, by the suffix of their names: if NAME is declared,
	// agent.tools can also name NAME_schema. May be nil.
	Second map[string]Reader
}

// Reader reads the settings of the declared tool called name.
type Reader func(name string, decode func(settings any) error) (Declared, error)

// Declared is a declared tool that is not open.
type Declared interface {
	// Spec describes the tool. It depends only on name and settings, so that a replay does not need the tool's
	// data.
	Spec() Spec
	// Open returns the tool, and a digest of everything, except its settings, on which its results depend, such
	// as the content of files. The digest is "" if the results depend only on the settings. The digest is part
	// of the agent hash.
	Open(ctx context.Context) (t Tool, digest string, err error)
}

// NeedsEnviron is a declared tool that reads variables of the environment.
type NeedsEnviron interface {
	Declared
	// WithEnviron returns the tool with a function that returns a variable, or "".
	WithEnviron(environ func(name string) string) Declared
}

// Warner is an open tool that has a warning for the user. The text is "" if there is nothing to say.
type Warner interface{ Warning() string }
