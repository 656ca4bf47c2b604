package assetstore

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// heldUntil is the setting that says until when no file is removed, in Unix
// milliseconds.
const heldUntil = "files.held-until"

// MaxHold is how far off the end of a hold may be.
const MaxHold = 15 * time.Minute

// HoldFiles asks every process to leave files where they are until a time,
// whether a row still names them or not, so that a copy of the database that is
// made afterwards finds all of those that it names. A hold is never shortened:
// several who copy do not disturb each other. Only one beyond MaxHold is, which
// was asked for before the clock was set back; whoever still needs it asks again.
//
// Whoever removes a file does so after the commit that took its row away, and
// asks [Assets.FilesHeld] in between. So a file that was removed without regard
// to the hold lost its row before the hold was there.
func (s *Assets) HoldFiles(ctx context.Context, until time.Time) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		var text string
		if _, err := tx.Row([]any{&text}, `SELECT value FROM settings WHERE name = $1`, heldUntil); err != nil {
			return fmt.Errorf("read until when files are held: %w", err)
		}
		if at, err := strconv.ParseInt(text, 10, 64); err == nil && at >= until.UnixMilli() && at <= tx.Now().Add(MaxHold).UnixMilli() {
			return nil
		}
		if err := tx.SetSetting(heldUntil, strconv.FormatInt(until.UnixMilli(), 10)); err != nil {
			return fmt.Errorf("hold the files: %w", err)
		}
		return nil
	})
}

// FilesHeld returns until when files are to be left where they are: a time of
// the past, or the zero time, when they may be removed.
func (s *Assets) FilesHeld(ctx context.Context) (until time.Time, err error) {
	text, found, err := s.db.Setting(ctx, heldUntil)
	if err != nil || !found {
		return time.Time{}, err
	}
	at, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("read until when files are held: %w", err)
	}
	return time.UnixMilli(at), nil
}

// Sweep has a hold end within MaxHold, and removes pending files that no proposal names
// any more.
func (s *Assets) Sweep(ctx context.Context) error {
	if err := s.shortenHold(ctx); err != nil {
		return err
	}
	return s.Pending.sweep(ctx)
}

func (s *Assets) shortenHold(ctx context.Context) error {
	until, err := s.FilesHeld(ctx)
	if err != nil || until.Sub(s.db.Now()) <= MaxHold {
		return err
	}
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`UPDATE settings SET value = $3 WHERE name = $1 AND value = $2`, heldUntil,
			strconv.FormatInt(until.UnixMilli(), 10), strconv.FormatInt(tx.Now().Add(MaxHold).UnixMilli(), 10)); err != nil {
			return fmt.Errorf("shorten the hold of files: %w", err)
		}
		return nil
	})
}
