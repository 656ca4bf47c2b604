package server

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/docs"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
)

// demoLifetime is the lifetime of the credentials of a demo.
const demoLifetime = 24 * time.Hour

// demoSetting exists if a demo has filled the store.
const demoSetting = "filled-by-demo"

// fillDemo imports Octavo's documentation into an empty store, and reports whether the
// store has it, from now or from an earlier start.
func fillDemo(ctx context.Context, st *storage.Storage, files *assets.Service) (filled bool, err error) {
	stats, err := st.Stats(ctx)
	if err != nil {
		return false, err
	}
	if stats.Revisions > 0 {
		_, filled, err = st.DB.Setting(ctx, demoSetting)
		return filled, err
	}
	_, err = importer.Run(ctx, docs.Files(), imports.NewTarget(st.Store, pages.New(st.Store.DB, st.Store.Pages, st.Store.Assets, 0), files), importer.Options{
		Status: octavo.Published, Now: st.Env.Now(), Workers: runtime.GOMAXPROCS(0),
	})
	if err == nil {
		err = st.DB.PutSetting(ctx, demoSetting, "yes")
	}
	return err == nil, octavo.Wrapf(err, "fill the store with the documentation")
}

// demoCredentials are printed for the user of a demo.
type demoCredentials struct{ token, key string }

func makeDemoCredentials(ctx context.Context, c *app.Credentials) (d demoCredentials, err error) {
	d.token, err = c.Tokens.Issue(ctx, auth.Grant{Subject: "demo", Scopes: octavo.ScopeWrite, TTL: demoLifetime})
	if err != nil {
		return d, err
	}
	d.key, _, err = c.Keys.Create(ctx, store.Cause{Actor: octavo.Actor{ID: "cli", Name: "command line"}}, auth.KeyRequest{Name: "demo", Scopes: octavo.ScopeRead, Lifetime: demoLifetime})
	return d, err
}

// print writes commands that can be pasted into a shell.
func (d demoCredentials) print(w io.Writer, url, version string) error {
	_, err := fmt.Fprintf(w, `export OCTAVO_URL=%s
export OCTAVO_TOKEN=%s
export OCTAVO_KEY=%s

curl -H "Authorization: Bearer $OCTAVO_TOKEN" "$OCTAVO_URL/%[4]s/pages?limit=3"
curl -H "X-API-Key: $OCTAVO_KEY" -H "Accept: text/markdown" "$OCTAVO_URL/%[4]s/pages/by-slug/getting-started"
curl -H "Authorization: Bearer $OCTAVO_TOKEN" -H "Content-Type: application/json" -d '{"title":"Hello","slug":"hello","content":"# Hello\n"}' "$OCTAVO_URL/%[4]s/pages"
`, url, d.token, d.key, version)
	return octavo.Wrapf(err, "print the demo's credentials")
}
