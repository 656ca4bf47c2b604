package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// filesPlace is the setting that names the place of the files.
const filesPlace = "files.place"

// Beside is the mark of the folder beside an embedded database, where none lies.
const Beside = "beside"

// Place is where the files of a database are.
type Place struct {
	Mark  string // the name of a mark that lies there, without spaces, or [Beside]
	Where string // the place, for people
}

func (p Place) text() string { return p.Mark + " " + p.Where }

// ErrFilesKept says that files cannot be moved, since another process keeps them
// where they are.
var ErrFilesKept = errors.New("another process keeps files")

// FilesPlace returns the place that the database has its files in, and whether
// it names one.
func (s *Store) FilesPlace(ctx context.Context) (p Place, found bool, err error) {
	text, found, err := s.Setting(ctx, filesPlace)
	return parsePlace(text), found, err
}

// namedPlace reads the setting with the name filesPlace.
const namedPlace = `SELECT value FROM settings WHERE name = $1`

func parsePlace(text string) (p Place) {
	p.Mark, p.Where, _ = strings.Cut(text, " ")
	return p
}

// BindFiles has the database name a place, unless it names another one than from
// by now; the zero Place stands for none. It returns the one that it names then:
// the same for all who do this at once.
func (s *Store) BindFiles(ctx context.Context, from, to Place) (named Place, err error) {
	err = s.write(ctx, Cause{}, func(tx *Tx) error {
		named, err = tx.bindFiles(from, to)
		return err
	})
	return named, err
}

// MoveFiles is BindFiles to a place that the files are in as well. It is
// [ErrFilesKept] while another process keeps files, and when the database does
// not name as many as were found there. A process that has just ended is waited
// for: PostgreSQL notices it a moment later.
func (s *Store) MoveFiles(ctx context.Context, from, to Place, files int64) (named Place, err error) {
	err = s.whileNoneKeepsFiles(ctx, func(tx *Tx) error {
		var n int64
		if _, err := tx.row([]any{&n}, countFiles); err != nil {
			return fmt.Errorf("count the files: %w", err)
		}
		if n != files {
			return ErrFilesKept
		}
		named, err = tx.bindFiles(from, to)
		return err
	})
	return named, err
}

// How often, and how long after each other, it is looked whether files are kept.
const (
	keptTries = 5
	keptRest  = 200 * time.Millisecond
)

// whileNoneKeepsFiles does work in a transaction while which no process keeps
// files, or begins to. It is [ErrFilesKept] where one does.
func (s *Store) whileNoneKeepsFiles(ctx context.Context, work func(*Tx) error) (err error) {
	for range keptTries {
		err = s.write(ctx, Cause{}, func(tx *Tx) error {
			free, err := s.db.lockFiles(tx.ctx, tx.c)
			if err != nil {
				return fmt.Errorf("look whether files are kept: %w", err)
			}
			if !free {
				return ErrFilesKept
			}
			return work(tx)
		})
		if !errors.Is(err, ErrFilesKept) {
			break
		}
		pause(ctx, keptRest)
	}
	return err
}

func (tx *Tx) bindFiles(from, to Place) (named Place, err error) {
	if from == (Place{}) {
		_, err = tx.exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, filesPlace, to.text())
	} else {
		_, err = tx.exec(`UPDATE settings SET value = $3 WHERE name = $1 AND value = $2`, filesPlace, from.text(), to.text())
	}
	if err != nil {
		return named, fmt.Errorf("name the place of the files: %w", err)
	}
	var text string
	if _, err := tx.row([]any{&text}, namedPlace, filesPlace); err != nil {
		return named, fmt.Errorf("read the place of the files: %w", err)
	}
	return parsePlace(text), nil
}

// ForgetFilesPlace has the database name no place, as in a copy whose files are
// brought back into another one.
func (s *Store) ForgetFilesPlace(ctx context.Context) error {
	return s.write(ctx, Cause{}, func(tx *Tx) error {
		if _, err := tx.exec(`DELETE FROM settings WHERE name = $1`, filesPlace); err != nil {
			return fmt.Errorf("forget the place of the files: %w", err)
		}
		return nil
	})
}

// countFiles counts the files that the database names, of exports those that
// are ready.
const countFiles = `SELECT (SELECT COUNT(*) FROM blobs) + (SELECT COUNT(*) FROM exports x WHERE x.blob <> '' AND x.status = 'ready')`

// CountFiles returns how many files the database names.
func (s *Store) CountFiles(ctx context.Context) (n int64, err error) {
	read := s.db.reader()
	read.limit = 0
	if _, err := read.row(ctx, []any{&n}, countFiles); err != nil {
		return 0, fmt.Errorf("count the files: %w", err)
	}
	return n, nil
}

// CountFilesAmong returns how many of the keys are those of files that CountFiles
// counts. At most 1,000 keys.
func (s *Store) CountFilesAmong(ctx context.Context, keys []string) (n int64, err error) {
	var a args
	if _, err := s.read.row(ctx, []any{&n}, `SELECT (SELECT COUNT(*) FROM blobs b WHERE b.key IN `+list(&a, keys)+`)
		+ (SELECT COUNT(*) FROM exports x WHERE x.blob <> '' AND x.status = 'ready' AND x.blob IN `+list(&a, keys)+`)`, a...); err != nil {
		return 0, fmt.Errorf("look up %d files: %w", len(keys), err)
	}
	return n, nil
}
