package assetstore

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// heldUntil is the setting with the end of a hold, before which no file is
// removed, in Unix milliseconds.
const heldUntil = "files.held-until"

// MaxHold is the longest hold.
const MaxHold = 15 * time.Minute

// HoldFiles asks all processes not to remove files until a time, even if no row names
// them. So a copy of the database that is made afterwards finds all files that it
// names. A hold is never shortened, so concurrent backups do not disturb each other.
// The exception is one beyond MaxHold, from before the clock was set back. A backup
// that still needs it calls HoldFiles again.
//
// A file is removed after the commit that removed its row, and
// [Assets.FilesHeld] is checked in between. So the row of a file that was
// removed in spite of a hold was gone before the hold existed.
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

// FilesHeld returns the end of the hold. Files may be removed if that is in
// the past or zero.
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

// Sweep limits a hold to MaxHold, and removes pending files that no proposal
// names any more.
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
