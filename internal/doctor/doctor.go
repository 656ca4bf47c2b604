// Package doctor finds damage and inconsistencies in the data of an installation, and says
// how to repair them. It changes nothing. Queries are in storecheck. Start with [Check].
package doctor

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

type Options struct {
	config.Storage
	Quick bool // only compare the sizes of files
}

// ruleDone is the rule of a check that failed.
const (
	ruleDone = "doctor can look at everything"
	mendDone = "make sure that the user who runs doctor can reach and read what the message names, and run it again"
)

// Check runs all checks, also next to a running server, and returns the findings. A failed
// check is a finding too; only the end of ctx is an error.
func Check(ctx context.Context, st *storage.Storage, o Options) (findings []storecheck.Finding, err error) {
	for _, check := range []func() ([]storecheck.Finding, error){
		func() ([]storecheck.Finding, error) { return storecheck.Check(ctx, st.Store.DB) },
		func() ([]storecheck.Finding, error) { return checkFiles(ctx, st, o) },
		func() ([]storecheck.Finding, error) {
			return checkIndex(ctx, st.Store, filepath.Join(o.Data, app.SearchFolder))
		},
		func() ([]storecheck.Finding, error) { return checkShared(ctx, st, o.Storage) },
		func() ([]storecheck.Finding, error) { return checkLate(ctx, st.Store, st.Env.Now()) },
		func() ([]storecheck.Finding, error) { return checkKept(ctx, st.Store) },
		func() ([]storecheck.Finding, error) { return checkOpen(ctx, st, string(o.SecretKey)) },
	} {
		found, err := check()
		findings = append(findings, found...)
		if ctx.Err() != nil {
			return findings, errors.New("interrupted; the rest was not checked")
		}
		if err != nil {
			findings = append(findings, storecheck.Finding{Rule: ruleDone, Subject: err.Error(), Mend: mendDone})
		}
	}
	return findings, nil
}
