package changelog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// changeChannel is where processes notify each other of new positions. The
// text of a notification is the newest one.
const changeChannel = "octavo_changes"

func (db postgresLog) position() string { return "position" }

// settleStatement gives committed changes without a position their position, in the
// order of seq. The server completes it even if this process dies meanwhile, so a stuck
// process never holds the lock. A separate statement takes the lock: later statements
// then see what the previous owner has done. Its range is limited, so it finds its rows
// by their keys in a table of any size. The notification is sent with the positions.
// Writers send none in their transactions, because that would make them commit one
// after another.
var settleStatement = fmt.Sprintf(`DO $$
	DECLARE placed BIGINT;
	BEGIN
		PERFORM pg_advisory_xact_lock(%d, %d);
		UPDATE changes SET position = p.position FROM (
			SELECT seq, (SELECT last FROM change_position) + ROW_NUMBER() OVER (ORDER BY seq) AS position
			FROM (SELECT seq FROM changes WHERE position IS NULL ORDER BY seq LIMIT 1000) unplaced
		) p WHERE changes.seq = p.seq;
		GET DIAGNOSTICS placed = ROW_COUNT;
		IF placed > 0 THEN
			UPDATE change_position SET last = last + placed;
			PERFORM pg_notify('%s', last::text) FROM change_position;
		END IF;
	END $$`, sqldb.LockSpace, sqldb.PositionLock, changeChannel)

// settle gives every committed change without a position its position, in
// the order of seq. Numbers of a sequence commit out of order, so a follower
// that read by them could miss one that commits late. Positions are given
// only to committed rows, by one transaction at a time.
//
// What is committed after the first look is left to the next call: under
// constant writes there is always something.
func (db postgresLog) settle(ctx context.Context) (end int64, err error) {
	for until := int64(math.MaxInt64); ; {
		var unplaced int64 // the last of those up to until
		found, err := db.LogReader().Row(ctx, []any{&end, &unplaced},
			`SELECT last, COALESCE((SELECT MAX(seq) FROM changes WHERE position IS NULL AND seq <= $1), 0) FROM change_position`, until)
		if err == nil && !found {
			err = errNoEnd
		}
		if err != nil {
			return end, err
		}
		if unplaced == 0 {
			return end, nil
		}
		until = min(until, unplaced)
		if _, err := db.LogReader().Exec(ctx, settleStatement); err != nil {
			return end, err
		}
	}
}

func (db postgresLog) lastPosition(ctx context.Context, c sqldb.Conn) (last int64, err error) {
	found, err := c.Row(ctx, []any{&last}, `SELECT last FROM change_position`)
	if err == nil && !found {
		err = errNoEnd
	}
	return last, err
}

// errNoEnd is returned if the row with the end of the log is missing, for
// example during a restore.
var errNoEnd = errors.New("the database has lost the end of its change log: the table change_position is empty")

func (db postgresLog) passOver(tx *sqldb.Tx, to int64) error {
	_, err := tx.Exec(`UPDATE change_position SET last = GREATEST(last, $1)`, to)
	return err
}

// listen calls heard with each position that a process reports, and with 0
// once it can receive notifications.
func (db postgresLog) listen(ctx context.Context, heard func(position int64)) error {
	return db.Listen(ctx, changeChannel, func(text string) {
		position, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			position = 0 // not ours, or the beginning; a look does no harm
		}
		heard(position)
	})
}
