package sqldb

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// listen has a connection of its own.
func (db *postgresDB) listen(ctx context.Context, channel string, heard func(text string)) (err error) {
	link, err := pgx.ConnectConfig(ctx, db.config.Copy())
	if err != nil {
		return fmt.Errorf("connect to listen: %w", err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		link.Close(ctx) //nolint:errcheck // nothing is lost with it
	}()
	if _, err := link.Exec(ctx, "LISTEN "+channel); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if db.serving {
		if _, err := link.Exec(ctx, "SELECT pg_advisory_lock_shared($1, $2)", LockSpace, ServingLock); err != nil {
			return fmt.Errorf("show that a server works on the database: %w", err)
		}
	}
	heard("")
	for {
		n, err := link.WaitForNotification(ctx)
		if err != nil {
			return fmt.Errorf("wait for a notification: %w", err)
		}
		heard(n.Payload)
	}
}
