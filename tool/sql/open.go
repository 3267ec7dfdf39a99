package sql

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/scratch"
	"github.com/seed-5817661a/concur/tool/sql/engine"
	"github.com/seed-5817661a/concur/tool/sql/server"
)

// database is an open database. The errors are those of package engine, and *server.LostError.
type database interface {
	Query(ctx context.Context, statement string, limit time.Duration) (*engine.Result, error)
	Schema(ctx context.Context) (server.Schema, error)
	Close() error
}

// files is a database of files.
type files struct {
	*engine.Database
	folder *scratch.Folder // removed when the database is closed; nil if there is no such folder
}

// Schema describes the tables.
func (d files) Schema(ctx context.Context) (server.Schema, error) {
	tables, err := d.Database.Schema(ctx)
	return server.Schema{Dialect: dialectOfFiles, Tables: tables}, err
}

// Close ends the processes and removes the file that was made of CSV files.
func (d files) Close() error {
	err := d.Database.Close()
	if d.folder != nil {
		err = errors.Join(err, d.folder.Remove())
	}
	return err
}

// header is the beginning of every SQLite file (https://www.sqlite.org/fileformat.html, section 1.3).
const header = "SQLite format 3\x00"

// open opens the database of the settings. digest covers the content of its files and the versions; of a server, only
// its host and the name of the database.
func (s Settings) open(ctx context.Context, environ func(string) string) (db database, digest string, err error) {
	if s.Database.Env != "" {
		db, digest, err = s.openServer(ctx, environ)
	} else {
		db, digest, err = s.openFiles(ctx)
	}
	if err != nil {
		return nil, "", fmt.Errorf("database %s: %w", s.Database, err)
	}
	return db, Version + " " + digest, nil
}

func (s Settings) openFiles(ctx context.Context) (db database, digest string, err error) {
	names := s.Database.Files
	file, hash := "", ""
	var folder *scratch.Folder
	if len(names) == 1 && isSQLite(names[0]) {
		file = names[0]
		hash, err = checkSQLite(ctx, file)
	} else {
		file, folder, hash, err = loadTables(names)
	}
	if err == nil {
		var opened *engine.Database
		opened, err = engine.Open(ctx, engine.Setup{
			File: file, Tables: s.Tables, Rows: s.MaxRows, Bytes: s.MaxBytes,
		})
		db = files{opened, folder}
	}
	if err != nil {
		if folder != nil {
			err = errors.Join(err, folder.Remove())
		}
		return nil, "", err
	}
	return db, engine.Version + " " + hash, nil
}

// isSQLite reports whether a name is the name of an SQLite file: of all files but tables and folders.
func isSQLite(name string) bool {
	if isTable(name) || datasets.IsBuiltinFolder(name) {
		return false
	}
	info, err := os.Stat(name)
	return err != nil || !info.IsDir()
}

func isTable(name string) bool {
	return readers[strings.ToLower(filepath.Ext(name))] != nil
}

// checkSQLite returns the digest of an SQLite file whose rows are all in the file itself.
func checkSQLite(ctx context.Context, file string) (hash string, err error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no such file: name an SQLite file, or .csv, .tsv or .parquet files")
	case err != nil:
		return "", err
	case !info.Mode().IsRegular(): // reading a pipe could wait for ever
		return "", errors.New("this is not an ordinary file: name an SQLite file, or .csv, .tsv or .parquet files")
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	start := make([]byte, len(header))
	if n, err := io.ReadFull(f, start); err != nil || string(start[:n]) != header {
		return "", errors.New("this is no SQLite file: name an SQLite file, or .csv, .tsv or .parquet files")
	}
	// The file is opened as if it cannot change. While a program writes, the state of the file is beside it, too.
	name := filepath.Base(file)
	for suffix, help := range map[string]string{
		"-wal": name + "-wal has rows that are not in the file yet: end the program that writes, then run: " +
			"sqlite3 " + name + " 'PRAGMA wal_checkpoint(TRUNCATE)'",
		"-journal": name + "-journal shows that a change was not finished: end the program that writes; if it was " +
			"killed, this undoes the change: sqlite3 " + name + " 'PRAGMA schema_version'",
	} {
		if info, err := os.Stat(file + suffix); err == nil && info.Size() > 0 {
			return "", errors.New(help)
		}
	}
	return digestOf(ctx, f, info)
}

// digests are the digests of large SQLite files, so that a file is read once for a tool and for the tool that shows its
// tables. Reading 10 GB took 9 s of CPU time.
var digests sync.Map

// large is the size in bytes from which a digest is kept.
const large = 256 << 20

// version identifies a content of a file as programs for copying do.
type version struct {
	name     string
	size     int64
	modified time.Time
}

func digestOf(ctx context.Context, f *os.File, info fs.FileInfo) (string, error) {
	name, err := filepath.Abs(f.Name())
	if err != nil {
		return "", err
	}
	this := version{name, info.Size(), info.ModTime()}
	if known, is := digests.Load(this); is {
		return known.(string), nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, &untilDone{ctx, io.NewSectionReader(f, 0, math.MaxInt64)}); err != nil {
		return "", err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	if info.Size() >= large {
		digests.Store(this, digest)
	}
	return digest, nil
}

// untilDone is a reader that ends with a context: 10 GB take many seconds.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (r *untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
