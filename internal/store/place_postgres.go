package store

import (
	"context"
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

// keepFiles has a connection of its own, whose end gives the lock free.
func (db *postgresDB) keepFiles(ctx context.Context, kept func() error) error {
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
	if err := kept(); err != nil {
		return err
	}
	for { // it hears of nothing but the end of the connection
		if _, err := link.WaitForNotification(ctx); err != nil {
			return translatePostgres(fmt.Errorf("tell that files are kept: %w", err))
		}
	}
}
