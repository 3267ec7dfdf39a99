package console

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/dotenv"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/stdlog"
)

// RefuseKeys returns an error if a key is in the arguments or in a CONCUR_ variable. Reason: other programs can
// see the arguments, shells store them, and runs record them. The key of serve is allowed.
func RefuseKeys(args, variables, keys []string) error {
	if place := secret.Place(args, variables, keys, "--key", "CONCUR_SERVE_KEY"); place != "" {
		return Usagef("%s looks like a key, and other programs see it and runs record it: export it as the variable "+
			"that its endpoint reads", place)
	}
	return nil
}

// variableFile is the name of the file of variables in the folder of the configuration file.
const variableFile = ".env"

// ReadVariables reads the file of variables in the folder of a configuration file, "" for none. They are for the
// Assembler only: flags and all other parts of concur read the environment itself, so that no value is recorded.
func (c *Console) ReadVariables(file string) error {
	if file == "" {
		return nil
	}
	c.VariableFile = filepath.Join(filepath.Dir(file), variableFile)
	var err error
	if c.FromFile, err = dotenv.Read(c.VariableFile, c.Environ); err != nil {
		return Usagef("%w", err)
	}
	add, assignments := map[string]string{}, []string(nil)
	for _, v := range c.FromFile {
		if strings.HasPrefix(v.Name, "CONCUR_") {
			return Usagef("%s:%d: %s sets a flag, and flags are not read from this file: export it, or set its key in %s",
				c.VariableFile, v.Line, v.Name, filepath.Base(file))
		}
		if !c.InEnvironment(v.Name) {
			add[v.Name] = v.Value
			assignments = append(assignments, v.Name+"="+v.Value)
		}
	}
	keys := secret.OfEnvironment(assignments)
	for name, value := range add {
		if !secret.Named(name) && len(secret.Likely(value))+len(secret.Random(value)) > 0 {
			keys = append(keys, value)
		}
	}
	c.Keys = append(c.Keys, keys...)
	c.Assembler.GuardKeys(c.Keys)
	c.Assembler.AddVariables(add)
	stdlog.Hide(secret.New(c.Keys...))
	return RefuseKeys(c.Args, nil, keys)
}

// InEnvironment reports whether a variable is set in the environment, also if its value is empty.
func (c *Console) InEnvironment(name string) bool {
	return c.Environ(name) != "" || slices.ContainsFunc(c.Variables, func(variable string) bool {
		return strings.HasPrefix(variable, name+"=")
	})
}
