package sql

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/table"
	"github.com/seed-5817661a/concur/internal/scratch"
	"github.com/seed-5817661a/concur/tool/sql/engine"
)

// Limits of tables in CSV files.
const (
	maxColumns = 2000
	maxFile    = 1 << 30 // bytes
)

// kindOfFolder is the beginning of the names of folders with databases that are made of tables.
const kindOfFolder = "concur-sql"

// loadTables makes an SQLite file of files of tables, in a new folder. The caller removes the folder.
func loadTables(names []string) (file string, folder *scratch.Folder, digest string, err error) {
	sources, err := tableFiles(names)
	if err != nil {
		return "", nil, "", err
	}
	folder, err = scratch.New(kindOfFolder)
	if err != nil {
		return "", nil, "", fmt.Errorf("make a folder for the database: %w", err)
	}
	sum := sha256.New()
	file = filepath.Join(folder.Path(), "tables.db")
	err = engine.Build(file, func(add func(engine.Table) error) error {
		for _, source := range sources {
			t, err := source.read(sum)
			if err == nil {
				err = add(t)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(source.path), err)
			}
		}
		return nil
	})
	if err != nil {
		return "", nil, "", errors.Join(err, folder.Remove())
	}
	return file, folder, hex.EncodeToString(sum.Sum(nil)), nil
}

// tableFile is a file of a table: a file of the user, or one within concur.
type tableFile struct {
	fs.FS
	path string
}

// userFiles opens files by any path.
type userFiles struct{}

func (userFiles) Open(path string) (fs.File, error) { return os.Open(path) }

// Stat does not open the file, because opening a pipe could wait for ever.
func (userFiles) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// tableFiles returns the files of tables that names and folders name, sorted by the names of their tables.
func tableFiles(names []string) ([]tableFile, error) {
	var found []tableFile
	for _, name := range names {
		files, err := filesOf(name)
		if err != nil {
			return nil, err
		}
		found = append(found, files...)
	}
	if len(found) == 0 {
		return nil, errors.New("the folder has no .csv, .tsv or .parquet file: name one that has")
	}
	slices.SortFunc(found, func(a, b tableFile) int { return strings.Compare(tableName(a.path), tableName(b.path)) })
	for i := 1; i < len(found); i++ {
		if strings.EqualFold(tableName(found[i-1].path), tableName(found[i].path)) {
			return nil, fmt.Errorf("%s and %s would be the same table: rename one", found[i-1].path, found[i].path)
		}
	}
	return found, nil
}

// filesOf returns the files of tables of a folder or a built-in database, or the file itself.
func filesOf(name string) ([]tableFile, error) {
	if datasets.IsBuiltinFolder(name) {
		folder, err := datasets.OpenDatabase(name)
		if err != nil {
			return nil, err
		}
		return tablesIn(folder, ".")
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: there is no such file: name an SQLite file, or .csv, .tsv or .parquet files", name)
	case info.IsDir():
		return tablesIn(userFiles{}, name)
	case !isTable(name):
		return nil, fmt.Errorf("%s is not a table: several files must all be .csv, .tsv or .parquet", name)
	}
	return []tableFile{{userFiles{}, name}}, nil
}

// tablesIn returns the files of tables of a folder.
func tablesIn(files fs.FS, folder string) (found []tableFile, err error) {
	entries, err := fs.ReadDir(files, folder)
	for _, e := range entries {
		if isTable(e.Name()) {
			found = append(found, tableFile{files, filepath.ToSlash(filepath.Join(folder, e.Name()))})
		}
	}
	return found, err
}

func tableName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// readers read the files of tables, by the ends of their names.
var readers = map[string]func(f io.Reader, sum hash.Hash, t *engine.Table) error{
	".csv": readCSV, ".tsv": readCSV, ".parquet": readParquet,
}

// read reads the table and adds its content to the digest.
func (source tableFile) read(sum hash.Hash) (t engine.Table, err error) {
	switch info, err := fs.Stat(source, source.path); {
	case err != nil:
		return t, err
	case !info.Mode().IsRegular(): // reading a pipe could wait for ever
		return t, errors.New("this is not an ordinary file: name one, or remove it from the folder")
	case info.Size() > maxFile:
		return t, fmt.Errorf("the file has %d bytes: give at most 1 GiB, or load it into an SQLite file", info.Size())
	}
	f, err := source.Open(source.path)
	if err != nil {
		return t, err
	}
	defer f.Close()
	fmt.Fprintf(sum, "%q\n", tableName(source.path))
	t.Name = tableName(source.path)
	return t, readers[strings.ToLower(filepath.Ext(source.path))](f, sum, &t)
}

// readCSV reads a table of texts.
func readCSV(f io.Reader, sum hash.Hash, t *engine.Table) error {
	rows, err := table.New(io.TeeReader(f, sum), func(string) bool { return false })
	if err != nil {
		return err
	}
	head, _, err := rows.Row()
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty: it needs a row with the names of the columns")
	}
	if err != nil {
		return err
	}
	if err := checkText(head, 1); err != nil {
		return err
	}
	if t.Columns, err = columnsOf(head); err != nil {
		return err
	}
	for {
		cells, at, err := rows.Row()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(cells) != len(head) {
			return fmt.Errorf("line %d has %d cells, the first row has %d", at[0].Line, len(cells), len(head))
		}
		if err := checkText(cells, at[0].Line); err != nil {
			return err
		}
		row := make([]any, len(cells))
		for i, cell := range cells {
			if cell != "" {
				row[i] = cell
			}
		}
		t.Rows = append(t.Rows, row)
	}
}

// checkText refuses a row in another encoding, such as Latin-1: nobody could find its texts by a statement.
func checkText(cells []string, line int) error {
	for i, cell := range cells {
		if !utf8.ValidString(cell) {
			return fmt.Errorf("line %d: cell %d is not in UTF-8: save the file in UTF-8", line, i+1)
		}
	}
	return nil
}

// columnsOf checks the names of columns.
func columnsOf(head []string) (columns []engine.Column, err error) {
	if len(head) > maxColumns {
		return nil, fmt.Errorf("the table has %d columns: give at most %d", len(head), maxColumns)
	}
	seen := map[string]bool{}
	for i, name := range head {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			return nil, fmt.Errorf("column %d has no name: write one into the first row", i+1)
		case strings.ContainsRune(name, 0):
			return nil, fmt.Errorf("the name of column %d has a NUL byte: remove it", i+1)
		case seen[strings.ToLower(name)]:
			return nil, fmt.Errorf("two columns have the name %s: rename one", name)
		}
		seen[strings.ToLower(name)] = true
		columns = append(columns, engine.Column{Name: name})
	}
	return columns, nil
}
