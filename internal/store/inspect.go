package store

import "context"

// Inspect runs a statement that reads, however long it takes, and calls row for
// each of its rows. It is for package storecheck.
func (s *Store) Inspect(ctx context.Context, query string, row func(scan func(dest ...any) error) error) error {
	read := s.db.reader()
	read.limit = 0
	return read.query(ctx, func(r scanner) error { return row(r.Scan) }, query)
}

// Damage returns what is wrong with the files of the database, as far as it can
// tell.
func (s *Store) Damage(ctx context.Context) ([]string, error) { return s.db.damage(ctx) }
