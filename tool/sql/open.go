package sql

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/tool/sql/engine"
)

// database is an open database. files is a folder that is removed when it is closed; "" if there is no such folder.
type database struct {
	*engine.Database
	files string
}

// Close ends the processes and removes the file that was made of CSV files.
func (d *database) Close() error {
	err := d.Database.Close()
	if d.files != "" {
		err = errors.Join(err, os.RemoveAll(d.files))
	}
	return err
}

// header is the beginning of every SQLite file (https://www.sqlite.org/fileformat.html, section 1.3).
const header = "SQLite format 3\x00"

// open opens the database of the settings. digest covers the content of its files and the versions.
func (s Settings) open(ctx context.Context) (db *database, digest string, err error) {
	file, folder, hash := "", "", ""
	if len(s.Database) == 1 && isSQLite(s.Database[0]) {
		file = s.Database[0]
		hash, err = checkSQLite(file)
	} else {
		file, folder, hash, err = loadCSV(s.Database)
	}
	if err == nil {
		var opened *engine.Database
		opened, err = engine.Open(ctx, engine.Setup{
			File: file, Tables: s.Tables, Rows: s.MaxRows, Bytes: s.MaxBytes,
		})
		db = &database{opened, folder}
	}
	if err != nil {
		if folder != "" {
			err = errors.Join(err, os.RemoveAll(folder))
		}
		return nil, "", fmt.Errorf("database %s: %w", strings.Join(s.Database, ", "), err)
	}
	return db, strings.Join([]string{Version, engine.Version, hash}, " "), nil
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
	return slices.Contains([]string{".csv", ".tsv"}, strings.ToLower(filepath.Ext(name)))
}

// checkSQLite returns the digest of an SQLite file whose rows are all in the file itself.
func checkSQLite(file string) (hash string, err error) {
	switch info, err := os.Stat(file); {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no such file: name an SQLite file, or .csv or .tsv files")
	case err != nil:
		return "", err
	case !info.Mode().IsRegular(): // reading a pipe could wait for ever
		return "", errors.New("this is not an ordinary file: name an SQLite file, or .csv or .tsv files")
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	start := make([]byte, len(header))
	if n, err := io.ReadFull(f, start); err != nil || string(start[:n]) != header {
		return "", errors.New("this is no SQLite file: name an SQLite file, or .csv or .tsv files")
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
	sum := sha256.New()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
