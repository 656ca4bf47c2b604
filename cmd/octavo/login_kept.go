package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockWait is the pause before a login tries again to lock the file.
const lockWait = 20 * time.Millisecond

// logins are the stored refresh tokens, by server address and scopes.
type logins struct {
	path    string
	Refresh map[string]string `json:"refreshTokens"`
}

// withLogins lets work read and change the stored sign-ins, and stores the result
// unless work fails. It holds a lock, since a refresh token works only once.
func withLogins(ctx context.Context, work func(*logins) error) (err error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return fmt.Errorf("find the configuration folder: %w", err)
	}
	l := &logins{path: filepath.Join(dir, "octavo", "logins.json")}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return fmt.Errorf("store sign-ins: %w", err)
	}
	lock := flock.New(l.path + ".lock")
	if _, err := lock.TryLockContext(ctx, lockWait); err != nil {
		return fmt.Errorf("wait for another octavo login: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if err := l.read(); err != nil {
		return fmt.Errorf("read the stored sign-ins: %w", err)
	}
	if err := work(l); err != nil {
		return err
	}
	if err := l.save(); err != nil {
		return fmt.Errorf("store the sign-in: %w", err)
	}
	return nil
}

func (l *logins) read() error {
	text, err := os.ReadFile(l.path)
	if err == nil {
		err = json.Unmarshal(text, l)
	}
	if l.Refresh == nil {
		l.Refresh = map[string]string{}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// save replaces the file, readable only by its owner.
func (l *logins) save() error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(l.path), "logins-*") // 0600
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), l.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
