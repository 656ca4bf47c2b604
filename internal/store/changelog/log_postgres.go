package changelog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// changeChannel is where processes tell each other of new positions. The text
// of a notification is the newest one.
const changeChannel = "octavo_changes"

func (db postgresLog) position() string { return "position" }

// settleStatement gives committed changes that have none their position, in
// the order of seq. The server runs it to its end even when this process dies
// meanwhile, so the lock is never held by somebody who is stuck. A statement
// of its own takes the lock: what runs behind it sees what the one before has
// done. Bounded, it finds its rows by their keys in a table of any size. The
// notification leaves with the positions; none is sent within the transactions
// of writers, which it would have commit one after another.
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

// settle gives every committed change that has none its position, in the order
// of seq. Numbers of a sequence commit out of order, so a follower that read
// by them could pass over one that commits late; positions are given to
// committed rows only, by one transaction at a time.
//
// What is committed after the first look is left to the next call: where many
// write all the time there always is something.
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

// errNoEnd says that the one row is missing which tells where the log ends, as
// while a copy is being brought back.
var errNoEnd = errors.New("the database has lost the end of its change log: the table change_position is empty")

func (db postgresLog) passOver(tx *sqldb.Tx, to int64) error {
	_, err := tx.Exec(`UPDATE change_position SET last = GREATEST(last, $1)`, to)
	return err
}

// listen calls heard with each position that a process tells of, and with 0
// once it can hear.
func (db postgresLog) listen(ctx context.Context, heard func(position int64)) error {
	return db.Listen(ctx, changeChannel, func(text string) {
		position, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			position = 0 // not ours, or the beginning; a look does no harm
		}
		heard(position)
	})
}
