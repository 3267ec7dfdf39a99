package sql

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/tool"
)

// Version changes when the same call on the same database could give another result.
const Version = "sql/v1"

// SchemaSuffix follows the name of a database's tool in the name of the tool that describes its tables.
const SchemaSuffix = "_schema"

// Kind is the kind of tool that is declared as tools.NAME.database.
var Kind = tool.Kind{
	Key: "database", Paths: []string{"database"}, Read: readQuery,
	Second: map[string]tool.Reader{SchemaSuffix: readSchema},
}

// Settings are the settings of a database.
type Settings struct {
	// Database names files: one SQLite file; or CSV files and folders of CSV files, each file a table.
	Database Files `yaml:"database"`
	// About tells the model what the database contains.
	About string `yaml:"about"`
	// Tables are the tables and views that may be read; empty for all.
	Tables []string `yaml:"tables"`
	// MaxRows and MaxBytes limit the result of a statement: 1 to 10,000 rows, 1 KiB to 1 MiB of values.
	MaxRows  int `yaml:"max_rows"`
	MaxBytes int `yaml:"max_bytes"`
	// Timeout limits the time of a statement, 100 ms to 10 minutes; a shorter limit of a tool's call holds too.
	Timeout time.Duration `yaml:"timeout"`
}

// Files are names of files: in YAML a text or a list of texts.
type Files []string

// UnmarshalNode reads a text or a list of texts.
func (f *Files) UnmarshalNode(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*f = Files{n.Value}
		return nil
	}
	return strictyaml.DecodeNode(n, (*[]string)(f))
}

// UnmarshalYAML does the same as UnmarshalNode.
func (f *Files) UnmarshalYAML(n *yaml.Node) error { return f.UnmarshalNode(n) }

// defaults are the settings that a declaration need not give.
var defaults = Settings{MaxRows: 1000, MaxBytes: 64 << 10, Timeout: 10 * time.Second}

func read(decode func(any) error) (Settings, error) {
	s := defaults
	if err := decode(&s); err != nil {
		return s, err
	}
	var wrong []error
	refuse := func(is bool, format string, values ...any) {
		if is {
			wrong = append(wrong, fmt.Errorf(format, values...))
		}
	}
	empty := func(name string) bool { return strings.TrimSpace(name) == "" }
	refuse(len(s.Database) == 0 || slices.ContainsFunc(s.Database, empty),
		"database is empty: name an SQLite file, or CSV files")
	refuse(slices.ContainsFunc(s.Tables, empty), "tables has an empty name: name a table or leave it out")
	refuse(s.MaxRows < 1 || s.MaxRows > 10_000, "max_rows is %d: give 1 to 10000", s.MaxRows)
	refuse(s.MaxBytes < 1<<10 || s.MaxBytes > 1<<20, "max_bytes is %d: give 1024 to 1048576", s.MaxBytes)
	refuse(s.Timeout < 100*time.Millisecond || s.Timeout > 10*time.Minute, "timeout is %v: give 100ms to 10m", s.Timeout)
	return s, errors.Join(wrong...)
}

func readQuery(name string, decode func(any) error) (tool.Declared, error) {
	s, err := read(decode)
	return query{name, s}, err
}

func readSchema(name string, decode func(any) error) (tool.Declared, error) {
	s, err := read(decode)
	return schema{name, s}, err
}
