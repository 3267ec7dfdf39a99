package queries

import "fmt"

// Close removes the temporary file, and frees the memory of the queries. After it, Queries and Hash return an error.
func (s *Set) Close() error {
	if s.lines == nil {
		return nil
	}
	*s.heads = heads{closed: true}
	return s.lines.Close()
}

// check returns an error if the set, or one that shares its queries, is closed.
func (s *Set) check() error {
	if s.heads.closed {
		return fmt.Errorf("read the queries of %s: they are closed", s.Name)
	}
	return nil
}
