package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/store"
)

// The files in a data folder.
const (
	databaseFile = "octavo.db"
	filesFolder  = "files" // the bytes of assets
	lockFile     = "octavo.lock"
)

// missing says what a command makes of a store that does not exist yet, or
// whose schema is another than this program's.
type missing int

const (
	createMissing missing = iota
	refuseMissing
	migrateMissing // refuse what does not exist, but bring an older schema up to date
)

// storage is an open store with what is needed to work on it.
type storage struct {
	*store.Store
	env   app.Env // whose time is that of the clock
	ids   *octavo.IDSource
	clock *app.Clock
}

// open opens the store that the options name. publicURL may be empty where no
// pages are written; further says what else the store is opened with.
func (p *program) open(ctx context.Context, o config.Storage, m missing, env app.Env, publicURL string, further ...func(*store.Options)) (*storage, error) {
	clock := app.NewClock(env.Now, env.Log)
	env.Now = clock.Now
	ids := env.IDs()
	options := app.StoreOptions(env, ids, publicURL)
	for _, set := range further {
		set(&options)
	}
	if o.DatabaseURL != "" {
		st, err := openStore(ctx, store.OpenPostgres, string(o.DatabaseURL), m, options)
		if err != nil {
			return nil, err
		}
		if err := clock.Set(ctx, st.Clock); err != nil {
			return nil, errors.Join(err, st.Close())
		}
		return &storage{st, env, ids, clock}, nil
	}
	if err := refuseUnfinished(o.Data); err != nil {
		return nil, err
	}
	path := filepath.Join(o.Data, databaseFile)
	if m == createMissing {
		if err := os.MkdirAll(o.Data, 0o700); err != nil {
			return nil, fmt.Errorf("create the data folder: %w", err)
		}
		if err := refuseLost(o.Data); err != nil {
			return nil, err
		}
	} else if err := refuseNone(o.Data); err != nil {
		return nil, err
	}
	st, err := openStore(ctx, store.OpenSQLite, path, m, options)
	if err != nil {
		return nil, err
	}
	return &storage{st, env, ids, clock}, nil
}

// openStore opens a store by open, which creates what is missing unless it is
// told not to migrate.
func openStore(ctx context.Context, open func(context.Context, string, store.Options) (*store.Store, error), address string, m missing, o store.Options) (*store.Store, error) {
	if m == migrateMissing {
		if st, err := openStore(ctx, open, address, refuseMissing, o); !errors.Is(err, store.ErrOlder) {
			return st, err
		}
	}
	o.NoMigrate = m == refuseMissing
	return open(ctx, address, o)
}

// withStorage runs work on the store of a command that does not serve. What
// the store logs meanwhile is told when it is a warning at least.
func (p *program) withStorage(o config.Storage, m missing, work func(*storage) error) (err error) {
	if err := o.Check(); err != nil {
		return usageError{err}
	}
	log := slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	st, err := p.open(p.ctx, o, m, app.Env{Now: p.now, Random: p.random, Log: log}, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return work(st)
}

// keys returns the API keys in the store. Unlike tokens they need no secret.
func (s *storage) keys() *auth.Keys {
	return auth.NewKeys(auth.Env{Now: s.env.Now, Random: s.env.Random}, s.ids, s.Store)
}

// credentials returns keys and tokens.
func (s *storage) credentials(ctx context.Context, secretKey config.Secret, authURL string) (*app.Credentials, error) {
	return app.OpenCredentials(ctx, s.env, s.ids, s.Store, string(secretKey), authURL)
}

// heldError says that another process works on a data folder.
type heldError struct{ dir, owner, mend string }

func (e *heldError) Error() string {
	return fmt.Sprintf("the data folder %s is in use by a running octavo (%s): %s", e.dir, e.owner, e.mend)
}

// dataLock is a data folder that this process has for itself alone.
type dataLock struct {
	path string // of the file that is locked
	file *flock.Flock
}

// lockData takes a data folder for this process alone, so that two servers
// never work on one, and pages are never changed behind a server's back. It
// returns what gives the folder free; so does the end of the process.
func lockData(dir string) (*dataLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
	}
	path := filepath.Join(dir, lockFile)
	l := &dataLock{path, flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR))}
	held, err := l.file.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if !held {
		owner := "another process"
		if pid, err := os.ReadFile(path); err == nil && len(pid) > 0 {
			owner = "process " + strings.TrimSpace(string(pid))
		}
		return nil, &heldError{dir, owner, "stop it first, or name another folder with --data"}
	}
	if !l.isThere() { // a restore that was refused has removed it since
		_ = l.file.Unlock() // nobody else knows it any more
		return lockData(dir)
	}
	if err := os.WriteFile(path, fmt.Appendf(nil, "%d\n", os.Getpid()), 0o600); err != nil {
		l.release()
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	return l, nil
}

// release gives the folder free.
func (l *dataLock) release() {
	if l.isThere() { // else it is somebody else's
		_ = os.Truncate(l.path, 0) // it only names the process, for a message
	}
	_ = l.file.Unlock() // the end of the process would do it too
}

// isThere reports whether the file that is locked is the one at its path.
func (l *dataLock) isThere() bool {
	locked, err := l.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(l.path)
	return err == nil && os.SameFile(locked, there)
}
