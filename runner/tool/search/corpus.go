package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	_ "modernc.org/sqlite" // the "sqlite" driver

	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Entry is one text of a corpus.
type Entry struct {
	ID, Title, Text, Source string
}

// Corpus searches a fixed collection of entries by BM25 (k1 1.2, b 0.75, equal weight for
// title and text). Equal ranks keep the collection's order, so searches are repeatable. It
// is safe for concurrent use; Close frees the index.
type Corpus struct {
	db      *sql.DB
	entries []Entry
	weights *rank.Weights
}

// NewCorpus indexes the entries in memory.
func NewCorpus(ctx context.Context, entries []Entry) (*Corpus, error) {
	if len(entries) == 0 {
		return nil, errors.New("index corpus: it has no entries")
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	db.SetMaxOpenConns(1) // every connection to :memory: is a separate database
	c := &Corpus{db: db, entries: entries, weights: rank.NewWeights()}
	if err := c.index(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("index corpus: %w", err), db.Close())
	}
	return c, nil
}

// index stores analysed terms instead of the text: FTS5's tokenizer then only splits at
// spaces, and ranking and relevance score use the same words.
func (c *Corpus) index(ctx context.Context) (err error) {
	if _, err := c.db.ExecContext(ctx, `CREATE VIRTUAL TABLE entry USING fts5(title, text, content='', tokenize='unicode61 remove_diacritics 0')`); err != nil {
		return err
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	insert, err := tx.PrepareContext(ctx, `INSERT INTO entry(rowid, title, text) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	for i, e := range c.entries {
		title, text := rank.Terms(e.Title), rank.Terms(e.Text)
		if _, err := insert.ExecContext(ctx, i, strings.Join(title, " "), strings.Join(text, " ")); err != nil {
			return err
		}
		c.weights.Add(append(title, text...))
	}
	return tx.Commit()
}

// Name is the backend's name in results, and the prefix of its documents' ids.
func (c *Corpus) Name() string { return "corpus" }

// Local is a Backend that waits for nothing outside of this process. It has no deadline, because its time depends on
// the load of the machine; the length of a query bounds its work.
func (c *Corpus) Local() {}

// Close frees the index.
func (c *Corpus) Close() error { return c.db.Close() }

// Search returns the best entries for a query, best first, at most limit.
func (c *Corpus) Search(ctx context.Context, query string, limit int) ([]trace.Document, error) {
	terms := rank.Terms(query)
	if len(terms) == 0 {
		return nil, nil
	}
	index, err := c.db.Conn(ctx) // the only connection; wait for it before taking a slot
	if err != nil {
		return nil, fmt.Errorf("search corpus: %w", err)
	}
	defer index.Close()
	leave, err := slot.Enter(ctx)
	if err != nil {
		return nil, fmt.Errorf("search corpus: %w", err)
	}
	defer leave()
	rows, err := index.QueryContext(ctx, `SELECT rowid FROM entry WHERE entry MATCH ? ORDER BY bm25(entry), rowid LIMIT ?`, anyOf(terms), limit)
	if err != nil {
		return nil, fmt.Errorf("search corpus: %w", err)
	}
	defer rows.Close()
	var found []trace.Document
	for rows.Next() {
		var i int
		if err := rows.Scan(&i); err != nil {
			return nil, fmt.Errorf("search corpus: %w", err)
		}
		found = append(found, c.document(c.entries[i], query, terms))
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("search corpus: %w", err)
	}
	return found, nil
}

// document scores an entry like every backend. The corpus's own frequencies only give the BackendScore: in a small
// corpus every word is either common, or so rare that one missing word outweighs the rest.
func (c *Corpus) document(e Entry, query string, terms []string) trace.Document {
	snippet := Snippet(c.weights, e.Text, terms)
	own := round(c.weights.Relevance(terms, rank.Terms(e.Title+" "+snippet)))
	return trace.Document{
		Backend: c.Name(), Ref: e.ID, Title: e.Title, Source: e.Source, Snippet: snippet,
		Score: Score(query, e.Title, snippet), BackendScore: &own,
	}
}

// anyOf builds the FTS5 expression that matches any of the terms; quoting prevents a user's
// AND, NEAR or quotation mark from acting as syntax.
func anyOf(terms []string) string {
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
	}
	return strings.Join(quoted, " OR ")
}
