package sqldb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

// How the processes on a database detect each other. A disconnected process
// shows itself again within presenceTime plus presenceInterval, which
// together are shorter than the wait of [DB.Alone].
const (
	presenceInterval = time.Second
	presenceTime     = 2 * time.Second // for a heartbeat, or a new connection
	aloneWait        = 5 * time.Second
	aloneInterval    = 300 * time.Millisecond // longer than PostgreSQL takes to notice the end of a process
)

var errNotAlone = errors.New("a server or another command works on the database: stop all of its servers first, and wait for imports")

// Alone keeps processes that store files away from the database until
// release is called. It fails if one is running, which takes up to five
// seconds to detect. On SQLite the lock of the data folder does this.
func (db *DB) Alone(ctx context.Context) (release func(), err error) {
	return db.driver.alone(ctx)
}

func (db *sqliteDB) alone(context.Context) (func(), error) { return func() {}, nil }

func (db *postgresDB) alone(ctx context.Context) (release func(), err error) {
	wait, cancel := context.WithTimeout(ctx, aloneWait)
	defer cancel()
	for before := false; wait.Err() == nil; Pause(wait, aloneInterval) {
		var seen bool
		if _, err := db.reader().Row(ctx, []any{&seen}, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND classid::bigint = $1 AND objid::bigint = $2 AND objsubid = 2)`, LockSpace, ServingLock); err != nil {
			return nil, err
		}
		if seen && before {
			return nil, errNotAlone
		}
		before = seen
	}
	link, err := db.presence(ctx, `SELECT pg_try_advisory_lock($1, $2)`)
	if err != nil {
		return nil, err
	}
	return func() { leave(ctx, link) }, nil
}

// presence takes the lock by which processes detect each other, on its own connection.
func (db *postgresDB) presence(ctx context.Context, lock string) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, presenceTime)
	defer cancel()
	link, err := pgx.ConnectConfig(ctx, db.config.Copy())
	if err != nil {
		return nil, fmt.Errorf("connect to show that a process works on the database: %w", err)
	}
	var free bool
	if err = link.QueryRow(ctx, lock, LockSpace, ServingLock).Scan(&free); err == nil && !free {
		err = errNotAlone
	}
	if err != nil {
		leave(ctx, link)
		return nil, err
	}
	return link, nil
}

func (db *postgresDB) join(ctx context.Context) (*pgx.Conn, error) {
	return db.presence(ctx, `SELECT pg_try_advisory_lock_shared($1, $2)`)
}

// stay holds the lock on a connection until ctx ends, and takes it again if
// the connection is lost.
func (db *postgresDB) stay(ctx context.Context, link *pgx.Conn, log *slog.Logger) {
	for ctx.Err() == nil {
		Pause(ctx, presenceInterval)
		if link != nil {
			limited, cancel := context.WithTimeout(ctx, presenceTime)
			if err := link.Ping(limited); err != nil && ctx.Err() == nil {
				leave(ctx, link)
				link = nil
			}
			cancel()
		}
		if link == nil && ctx.Err() == nil {
			var err error
			if link, err = db.join(ctx); errors.Is(err, errNotAlone) {
				log.Error("octavo migrate ran while this process had lost its connection to the database: restart this process", "error", err)
			}
		}
	}
	if link != nil {
		leave(ctx, link)
	}
}

func leave(ctx context.Context, link *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	link.Close(ctx) //nolint:errcheck // nothing is lost with it
}
