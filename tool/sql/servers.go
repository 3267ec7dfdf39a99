package sql

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/tool/sql/mysql"
	"github.com/seed-5817661a/concur/tool/sql/postgres"
	"github.com/seed-5817661a/concur/tool/sql/server"
)

// drivers are the drivers of servers, by the beginnings of addresses.
var drivers = map[string]server.Driver{
	"postgres": postgres.Driver, "postgresql": postgres.Driver, "mysql": mysql.Driver, "mariadb": mysql.Driver,
}

// connect returns the server of the settings, without a connection. No error has a part of the address.
func (s Settings) connect(environ func(string) string) (server.Server, server.Driver, error) {
	address := ""
	if environ != nil {
		address = strings.TrimSpace(environ(s.Database.Env))
	}
	if address == "" {
		return nil, server.Driver{}, errors.New("the variable is not set: export the address of the database, such as " +
			"postgres://USER:PASSWORD@HOST/DATABASE or mysql://USER:PASSWORD@HOST/DATABASE")
	}
	scheme, _, _ := strings.Cut(address, "://")
	driver, known := drivers[strings.ToLower(scheme)]
	if !known {
		return nil, driver, fmt.Errorf("the address in the variable has an unknown beginning: use one of %s, and ://",
			strings.Join(slices.Sorted(maps.Keys(drivers)), ", "))
	}
	db, err := driver.Open(address, server.Limits{Rows: s.MaxRows, Bytes: s.MaxBytes})
	return db, driver, err
}

// remote is a database on a server. Its text is a warning.
type remote struct{ server.Server }

// Warning says that the agent hash does not cover the content.
func (r remote) Warning() string {
	return fmt.Sprintf("the content of the database %s may change between runs: the agent hash has only its place",
		r.Place())
}

func (s Settings) openServer(ctx context.Context, environ func(string) string) (database, string, error) {
	db, driver, err := s.connect(environ)
	if err != nil {
		return nil, "", err
	}
	if _, err := db.Greet(ctx); err != nil {
		return nil, "", errors.Join(err, db.Close())
	}
	return remote{db}, driver.Version + " " + db.Place().String(), nil
}

// Access is what Probe finds out about a server.
type Access struct {
	Place   string   // host and database
	Version string   // of the server
	Rights  []string // what the role may change; empty if it may only read
}

// Server is implemented by the declared tools of databases on servers and on files.
type Server interface {
	// Variable returns the name of the environment variable with the address of the server; "" for files.
	Variable() string
	// Probe logs in, and finds out whether the role may write. It changes nothing.
	Probe(ctx context.Context, environ func(string) string) (Access, error)
}

// Variable returns the name of the environment variable with the address.
func (q query) Variable() string { return q.Database.Env }

// Probe logs in.
func (q query) Probe(ctx context.Context, environ func(string) string) (a Access, err error) {
	db, _, err := q.connect(environ)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	a.Place = db.Place().String()
	if a.Version, err = db.Greet(ctx); err != nil {
		return a, err
	}
	a.Rights, err = db.Rights(ctx)
	return a, err
}
