package sqldb

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// listen uses its own connection.
func (db *postgresDB) listen(ctx context.Context, channel string, heard func(text string)) (err error) {
	link, err := pgx.ConnectConfig(ctx, db.config.Copy())
	if err != nil {
		return fmt.Errorf("connect to listen: %w", err)
	}
	defer leave(ctx, link)
	if _, err := link.Exec(ctx, "LISTEN "+channel); err != nil {
		return fmt.Errorf("listen: %w", err)
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
