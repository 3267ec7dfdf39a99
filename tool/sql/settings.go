package sql

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/tool"
)

// Version changes when the same call on the same database could give another result.
const Version = "sql/v1"

// SchemaSuffix follows the name of a database's tool in the name of the tool that describes its tables.
const SchemaSuffix = "_schema"

// Kind is the kind of tool that is declared as tools.NAME.database.
var Kind = tool.Kind{
	Key: "database", Paths: []string{"database"}, NoPath: isAddress, Read: readQuery,
	Second: map[string]tool.Reader{SchemaSuffix: readSchema},
}

// Settings are the settings of a database.
type Settings struct {
	// Database names files or a server.
	Database Source `yaml:"database"`
	// About tells the model what the database contains.
	About string `yaml:"about"`
	// Tables are the tables and views that may be read; empty for all. Not for a server.
	Tables []string `yaml:"tables"`
	// MaxRows and MaxBytes limit the result of a statement: 1 to 10,000 rows, 1 KiB to 1 MiB of values.
	MaxRows  int `yaml:"max_rows"`
	MaxBytes int `yaml:"max_bytes"`
	// Timeout limits the time of a statement, 100 ms to 10 minutes; a shorter limit of a tool's call holds too.
	Timeout time.Duration `yaml:"timeout"`
}

// Source is where the rows are.
type Source struct {
	// Files are one SQLite file; or CSV or Parquet files and folders of them, each file a table. In YAML a text or a list.
	Files []string
	// Env is the name of the environment variable with the address of a database on a server; "" for files. In YAML
	// it is the only key of a mapping.
	Env string
}

// UnmarshalNode reads a text, a list of texts, or a mapping with the key env.
func (s *Source) UnmarshalNode(n *yaml.Node) error {
	*s = Source{}
	switch n.Kind {
	case yaml.ScalarNode:
		s.Files = []string{n.Value}
		return nil
	case yaml.MappingNode:
		var server struct {
			Env string `yaml:"env"`
		}
		err := strictyaml.DecodeNode(n, &server)
		s.Env = server.Env
		if err == nil && !variableName.MatchString(s.Env) { // the text may be an address with a password
			err = errors.New("env is the name of an environment variable, such as SHOP_DSN: letters, digits and _")
		}
		return err
	}
	return strictyaml.DecodeNode(n, &s.Files)
}

// UnmarshalYAML does the same as UnmarshalNode.
func (s *Source) UnmarshalYAML(n *yaml.Node) error { return s.UnmarshalNode(n) }

// String names the source.
func (s Source) String() string { return cmp.Or(s.Env, strings.Join(s.Files, ", ")) }

func isAddress(text string) bool { return address.MatchString(text) }

var (
	variableName = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
	// address matches addresses of databases as programs write them: postgres://…, jdbc:mysql://…, user:word@tcp(host)/
	// name, host=… password=….
	address = lazy.Compile(`://|@(tcp|unix)\(|(?i)\b(password|host|user)\s*=`)
)

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
	files := s.Database.Files
	refuse(s.Database.Env == "" && len(files) == 0 || slices.ContainsFunc(files, empty),
		"database is empty: name an SQLite file, or CSV files; or a server by database: {env: VARIABLE}")
	refuse(slices.ContainsFunc(files, isAddress), "database is the address of a server, which may have a "+
		"password: set it as an environment variable, and write database: {env: VARIABLE}")
	refuse(s.Database.Env != "" && len(s.Tables) > 0, "tables is no boundary on a server: leave it out, and allow the "+
		"role in %s to read only these tables", s.Database.Env)
	refuse(slices.ContainsFunc(s.Tables, empty), "tables has an empty name: name a table or leave it out")
	refuse(s.MaxRows < 1 || s.MaxRows > 10_000, "max_rows is %d: give 1 to 10000", s.MaxRows)
	refuse(s.MaxBytes < 1<<10 || s.MaxBytes > 1<<20, "max_bytes is %d: give 1024 to 1048576", s.MaxBytes)
	refuse(s.Timeout < 100*time.Millisecond || s.Timeout > 10*time.Minute, "timeout is %v: give 100ms to 10m", s.Timeout)
	return s, errors.Join(wrong...)
}

func readQuery(name string, decode func(any) error) (tool.Declared, error) {
	s, err := read(decode)
	return query{name, s, nil}, err
}

func readSchema(name string, decode func(any) error) (tool.Declared, error) {
	s, err := read(decode)
	return schema{name, s, nil}, err
}
