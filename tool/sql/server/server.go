package server

import (
	"context"
	"time"

	"github.com/seed-5817661a/concur/tool/sql/engine"
)

// Driver makes connections to servers of one kind.
type Driver struct {
	Dialect string // of SQL, as models know it, such as PostgreSQL
	Version string // changes when the same statement on the same data could give another result
	// Open reads an address such as postgres://user:password@host:5432/name. It does not connect. The error does not
	// contain the address.
	Open func(address string, limits Limits) (Server, error)
}

// Limits are the limits of a result.
type Limits struct {
	Rows  int // maximum rows
	Bytes int // maximum bytes of the values
}

// Server is a database on a server, which can only be read. It is safe for concurrent use. The error of each method
// is an *engine.StatementError if the statement is wrong or exceeds a limit, and a *LostError if the server failed.
type Server interface {
	// Place returns the host and the name of the database.
	Place() Place
	// Greet connects, and returns the server's name and version, such as PostgreSQL 15.4.
	Greet(ctx context.Context) (string, error)
	// Query runs one statement for at most limit. The server ends a statement that takes longer.
	Query(ctx context.Context, statement string, limit time.Duration) (*engine.Result, error)
	// Schema describes the tables that the role may read.
	Schema(ctx context.Context) (Schema, error)
	// Rights lists what the role may change, at most a few examples, such as "it may change the table orders". It is
	// empty if the role may only read. Nothing is changed to find it out.
	Rights(ctx context.Context) ([]string, error)
	// Close closes the connections.
	Close() error
}

// Place says where a database is. It has no user and no password.
type Place struct{ Host, Database string }

// String returns host/database.
func (p Place) String() string { return p.Host + "/" + p.Database }

// Schema describes the tables of a database.
type Schema struct {
	Dialect string
	Tables  []engine.Table
	More    int // tables that are not described, because there are more than MaxTables
}

// Limits of a schema.
const (
	MaxTables   = 200
	SampleRows  = 3
	SampleBytes = 2000
)

// Limits of connections.
const (
	MaxRow      = 8 << 20                // bytes of a row as it arrives: a larger one could fill the memory of concur
	MaxAtOnce   = 16                     // connections to a host that run statements at the same time
	MaxKept     = 8                      // connections to a host that wait for a statement
	ConnectTime = 10 * time.Second       // to connect and log in
	Grace       = 500 * time.Millisecond // from the time at which the server ends a statement until concur gives up
)

// SchemaTime is the maximum time for reading a schema.
const SchemaTime = 20 * time.Second
