package sqltest

import (
	"context"
	"database/sql/driver"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// MariaDB is a running MariaDB server with the database shop. Its users are admin, which may do everything; reader,
// which may only read; and writer, which may also change the table orders. The passwords are their names and
// "-password".
type MariaDB struct{ *Server }

// StartMariaDB starts a server with the tables of Shop. programs is the value of the variable Programs.
func StartMariaDB(t testing.TB, programs string) MariaDB {
	t.Helper()
	mariadbd := find(t, programs, "MariaDB", "usr/sbin/mariadbd", "usr/sbin/mysqld")
	dir := folder(t)
	share := filepath.Join(filepath.Dir(filepath.Dir(mariadbd)), "share", "mysql")
	data, port := filepath.Join(dir, "data"), freePort(t)
	usual := []string{"--no-defaults", "--datadir=" + data, "--lc-messages-dir=" + share, "--character-sets-dir=" +
		filepath.Join(share, "charsets"), "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=16M"}
	makeData(t, programs, mariadbd, share, data, dir, usual)
	cmd := command(programs, mariadbd, append(usual, "--port", strconv.Itoa(port), "--bind-address=127.0.0.1",
		"--socket="+filepath.Join(dir, "socket"), "--pid-file="+filepath.Join(dir, "pid"), "--tmpdir="+dir,
		"--skip-name-resolve", "--character-set-server=utf8mb4")...)
	m := MariaDB{&Server{Port: port}}
	m.Server = start(t, dir, port, func() error { return m.run("mysql") }, cmd)
	m.RunIn(t, "mysql", "CREATE DATABASE shop")
	m.RunIn(t, "shop", Shop...)
	for _, user := range []string{"reader", "writer"} {
		m.RunIn(t, "shop", fmt.Sprintf("CREATE USER %[1]s IDENTIFIED BY '%[1]s-password'", user),
			"GRANT SELECT ON shop.* TO "+user)
	}
	m.RunIn(t, "shop", "GRANT INSERT ON shop.orders TO writer")
	return m
}

// Address returns the address of the database shop for a user.
func (m MariaDB) Address(user string) string {
	return m.AddressOf("mysql", user+":"+user+"-password", "shop")
}

// RunIn runs statements as the user admin in a database.
func (m MariaDB) RunIn(t testing.TB, database string, statements ...string) {
	t.Helper()
	if err := m.run(database, statements...); err != nil {
		t.Fatal(err)
	}
}

func (m MariaDB) connect(database string) (driver.Conn, error) {
	c := mysql.NewConfig()
	c.User, c.Passwd, c.Net, c.DBName, c.Logger = "admin", "admin-password", "tcp", database, &mysql.NopLogger{}
	c.Addr = "127.0.0.1:" + strconv.Itoa(m.Port)
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, err
	}
	return connector.Connect(context.Background())
}

func (m MariaDB) run(database string, statements ...string) error {
	c, err := m.connect(database)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, s := range statements {
		if _, err := c.(driver.ExecerContext).ExecContext(context.Background(), s, nil); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// Value returns the first value of a query as the user admin.
func (m MariaDB) Value(t testing.TB, query string) string {
	t.Helper()
	c, err := m.connect("shop")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	found, err := c.(driver.QueryerContext).QueryContext(context.Background(), query, nil)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]driver.Value, len(found.Columns()))
	if err := found.Next(values); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if text, is := values[0].([]byte); is {
		return string(text)
	}
	return fmt.Sprint(values[0])
}

// makeData makes the folder of the data with the user admin, as mariadb-install-db does.
func makeData(t testing.TB, programs, mariadbd, share, data, dir string, usual []string) {
	t.Helper()
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := giveToServer(data); err != nil {
		t.Fatal(err)
	}
	script := "CREATE DATABASE mysql;\nUSE mysql;\n"
	for _, name := range []string{"system_tables", "performance_tables", "system_tables_data"} {
		raw, err := os.ReadFile(filepath.Join(share, "mysql_"+name+".sql"))
		if err != nil {
			t.Fatal(err)
		}
		script += string(raw) + "\n"
	}
	script += "FLUSH PRIVILEGES;\nCREATE USER admin IDENTIFIED BY 'admin-password';\n" +
		"GRANT ALL PRIVILEGES ON *.* TO admin WITH GRANT OPTION;\n"
	cmd := command(programs, mariadbd, append(usual, "--bootstrap", "--skip-networking", "--tmpdir="+dir)...)
	cmd.Stdin = strings.NewReader(script)
	output(t, cmd)
}
