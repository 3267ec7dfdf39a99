package sqltest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Postgres is a running PostgreSQL server with the database shop. Its roles are admin, a superuser; reader, which may
// only read; and writer, which may also change the table orders. The passwords are their names and "-password".
type Postgres struct{ *Server }

// StartPostgres starts a server with the tables of Shop. programs is the value of the variable Programs.
func StartPostgres(t testing.TB, programs string) Postgres {
	t.Helper()
	initdb := find(t, programs, "PostgreSQL", "usr/lib/postgresql/*/bin/initdb")
	dir := folder(t)
	data, password := filepath.Join(dir, "data"), filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte("admin-password\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	output(t, command(programs, initdb, "--pgdata", data, "--username", "admin", "--pwfile", password,
		"--auth", "scram-sha-256",
		"--encoding", "UTF8", "--no-locale", "--no-sync"))
	port := freePort(t)
	p := Postgres{&Server{Port: port}}
	cmd := command(programs, filepath.Join(filepath.Dir(initdb), "postgres"),
		"-D", data, "-p", strconv.Itoa(port), "-k", dir, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off",
		"-c", "max_connections=40", "-c", "shared_buffers=16MB",
		"-c", "dynamic_shared_memory_type=mmap") // in the folder, which is removed, also after a kill
	p.Server = start(t, dir, port, func() error { return p.run("postgres") }, cmd)
	p.Run(t, "CREATE DATABASE shop", "CREATE ROLE reader LOGIN PASSWORD 'reader-password'",
		"CREATE ROLE writer LOGIN PASSWORD 'writer-password'")
	p.RunIn(t, "shop", append(Shop, "GRANT SELECT ON customers, orders TO reader, writer",
		"GRANT INSERT ON orders TO writer")...)
	return p
}

// Address returns the address of the database shop for a role.
func (p Postgres) Address(role string) string {
	return p.AddressOf("postgres", role+":"+role+"-password", "shop")
}

// Run runs statements as the superuser, outside a transaction.
func (p Postgres) Run(t testing.TB, statements ...string) {
	t.Helper()
	p.RunIn(t, "postgres", statements...)
}

// RunIn runs statements as the superuser in a database.
func (p Postgres) RunIn(t testing.TB, database string, statements ...string) {
	t.Helper()
	if err := p.run(database, statements...); err != nil {
		t.Fatal(err)
	}
}

func (p Postgres) run(database string, statements ...string) error {
	ctx := context.Background()
	c, err := pgconn.Connect(ctx, p.AddressOf("postgres", "admin:admin-password", database))
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	for _, s := range statements {
		if _, err := c.Exec(ctx, s).ReadAll(); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// Value returns the first value of a query as the superuser.
func (p Postgres) Value(t testing.TB, query string) string {
	t.Helper()
	ctx := context.Background()
	c, err := pgconn.Connect(ctx, p.Address("admin"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	r := c.ExecParams(ctx, query, nil, nil, nil, nil).Read()
	if r.Err != nil || len(r.Rows) == 0 {
		t.Fatalf("%s: %v", query, r.Err)
	}
	return string(r.Rows[0][0])
}
