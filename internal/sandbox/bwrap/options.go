package bwrap

// Options are the settings of an engine.
type Options struct {
	Languages    []string                 // for which interpreters are needed
	Interpreters map[string]string        // a name or path by language; without an entry, that of PATH
	Getenv       func(name string) string // variables of the environment: PATH, HOME, and those of shims; needed
	Program      string                   // path of bubblewrap; "" means that of PATH
}
