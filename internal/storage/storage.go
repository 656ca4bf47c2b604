// Package storage opens the data that the options of a command name: a data folder, or
// a PostgreSQL database with a folder or bucket of files. It refuses data that does not
// match the options. It does not use the data itself.
package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/backup"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/store"
)

// Names in a data folder.
const (
	DatabaseFile = "octavo.db"
	FilesFolder  = "files" // the bytes of assets
	LockFile     = "octavo.lock"

	// LostAndFound is an empty folder at the root of a new Linux file system.
	LostAndFound = "lost+found"
)

// Missing says what a command does if the store does not exist, or has an older schema.
type Missing int

const (
	CreateMissing Missing = iota
	CreateLocked          // like CreateMissing, for a caller that has locked the data folder
	RefuseMissing
	MigrateMissing // refuse a missing store, but migrate an older schema; for a caller that has locked the data folder
)

// Storage is an open store with its dependencies.
type Storage struct {
	*store.Store
	Env   app.Env // its time is that of the clock below
	IDs   *octavo.IDSource
	clock *app.Clock
}

// Open opens the store that the options name. publicURL may be empty if no pages are
// written; further changes the options of the store.
func Open(ctx context.Context, o config.Storage, m Missing, env app.Env, publicURL string, further ...func(*store.Options)) (*Storage, error) {
	clock := app.NewClock(env.Now, env.Log)
	env.Now = clock.Now
	ids := env.IDs()
	options := app.StoreOptions(env, ids, publicURL)
	for _, set := range further {
		set(&options)
	}
	open, address := store.OpenPostgres, string(o.DatabaseURL)
	if address == "" {
		open, address = store.OpenSQLite, filepath.Join(o.Data, DatabaseFile)
		if err := RefuseUnfinished(o.Data); err != nil {
			return nil, err
		}
		refuse := RefuseLost
		if m == RefuseMissing || m == MigrateMissing {
			refuse = RefuseNone
		}
		if err := refuse(o.Data); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(o.Data, 0o700); err != nil {
			return nil, fmt.Errorf("create the data folder: %w", err)
		}
	}
	st, err := openStore(func(noMigrate bool) (*store.Store, error) {
		options.NoMigrate = noMigrate
		return open(ctx, address, options)
	}, o, m)
	if err != nil {
		return nil, err
	}
	if o.DatabaseURL != "" {
		if err := clock.Set(ctx, st.Clock); err != nil {
			return nil, errors.Join(err, st.Close())
		}
	}
	return &Storage{st, env, ids, clock}, nil
}

// openStore opens the store with open. It locks a data folder while it migrates an older
// schema, since an older server using it could not start again.
func openStore(open func(noMigrate bool) (*store.Store, error), o config.Storage, m Missing) (*store.Store, error) {
	st, err := open(m != CreateLocked)
	switch {
	case m == CreateMissing && errors.Is(err, store.ErrEmpty):
	case m == RefuseMissing || !errors.Is(err, store.ErrOlder):
		return st, err
	case m == CreateMissing && o.DatabaseURL == "":
		release, err := LockFolder(o.Data)
		if err != nil {
			return nil, fmt.Errorf("bring the schema up to date: %w", err)
		}
		defer release()
	}
	return open(false)
}

// RefuseUnfinished refuses a data folder with an unfinished restore.
func RefuseUnfinished(data string) error {
	if _, err := os.Lstat(filepath.Join(data, backup.Staging)); err == nil {
		return fmt.Errorf("a restore into %s has not finished: run octavo restore again", data)
	}
	return nil
}

// RunClock follows the clock of the database until ctx ends.
func (s *Storage) RunClock(ctx context.Context) { s.clock.Run(ctx, s.Store.Clock) }

// Keys returns the API keys in the store. Unlike tokens they need no secret key.
func (s *Storage) Keys() *auth.Keys {
	return auth.NewKeys(auth.Env{Now: s.Env.Now, Random: s.Env.Random}, s.IDs, s.Store.Accounts.Keys)
}

// Credentials returns keys and tokens.
func (s *Storage) Credentials(ctx context.Context, secretKey config.Secret, authURL string) (*app.Credentials, error) {
	return app.OpenCredentials(ctx, s.Env, s.IDs, s.Store, string(secretKey), authURL)
}

// InUseError means that another process uses a data folder.
type InUseError struct {
	dir, owner string
	Mend       string // what the user can do
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("the data folder %s is in use by a running octavo (%s): %s", e.dir, e.owner, e.Mend)
}

// LockFolder locks a data folder for this process, so that two servers never share one and
// nothing changes pages behind a server's back. release unlocks it, as does the end of the
// process.
func LockFolder(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
	}
	path := filepath.Join(dir, LockFile)
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR))
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if !held {
		owner := "another process"
		if pid, err := os.ReadFile(path); err == nil && len(pid) > 0 {
			owner = "process " + strings.TrimSpace(string(pid))
		}
		return nil, &InUseError{dir, owner, "stop it first, or name another folder with --data"}
	}
	release = func() {
		_ = os.Truncate(path, 0) // the content is only for a message
		_ = lock.Unlock()        // the end of the process would unlock it too
	}
	if err := os.WriteFile(path, fmt.Appendf(nil, "%d\n", os.Getpid()), 0o600); err != nil {
		release()
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	return release, nil
}
