package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// pgFilesLock is an advisory lock of the store, see pgLockRoom.
const pgFilesLock = 5

func (db *postgresDB) lockFiles(ctx context.Context, c conn) (free bool, err error) {
	_, err = c.row(ctx, []any{&free}, `SELECT pg_try_advisory_xact_lock($1, $2)`, pgLockRoom, pgFilesLock)
	return free, err
}

// noticeEnd has PostgreSQL notice within a minute that the machine of the process
// went away, in place of the two hours that operating systems take.
const noticeEnd = `SELECT set_config('tcp_keepalives_idle', '30', FALSE), set_config('tcp_keepalives_interval', '10', FALSE), set_config('tcp_keepalives_count', '3', FALSE)`

// shareFiles waits for who moves files.
func (db *postgresDB) shareFiles(ctx context.Context, c conn) error {
	_, err := c.exec(ctx, `SELECT pg_advisory_xact_lock_shared($1, $2)`, pgLockRoom, pgFilesLock)
	return err
}

// keepFiles has a connection of its own, whose end gives the lock free. That it
// has ended is noticed by the looks: one that is half open says nothing.
func (db *postgresDB) keepFiles(ctx context.Context, look func(Place, bool) error) error {
	link, err := pgx.ConnectConfig(ctx, db.config.Copy())
	if err != nil {
		return translatePostgres(fmt.Errorf("connect to keep files: %w", err))
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		link.Close(ctx) //nolint:errcheck // nothing is lost with it
	}()
	if _, err := link.Exec(ctx, noticeEnd); err != nil {
		return translatePostgres(fmt.Errorf("have the end of this process noticed: %w", err))
	}
	if _, err := link.Exec(ctx, `SELECT pg_advisory_lock_shared($1, $2)`, pgLockRoom, pgFilesLock); err != nil {
		return translatePostgres(fmt.Errorf("tell that files are kept: %w", err))
	}
	for ; ctx.Err() == nil; pause(ctx, keptInterval) {
		named, found, err := lookAtPlace(ctx, link)
		if err == nil {
			err = look(named, found)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func lookAtPlace(ctx context.Context, link *pgx.Conn) (named Place, found bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	var text string
	err = link.QueryRow(ctx, namedPlace, filesPlace).Scan(&text)
	if errors.Is(err, pgx.ErrNoRows) {
		return named, false, nil
	}
	if err != nil {
		return named, false, translatePostgres(fmt.Errorf("look whether files are kept: %w", err))
	}
	return parsePlace(text), true, nil
}
