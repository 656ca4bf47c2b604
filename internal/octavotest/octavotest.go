// Package octavotest starts a whole Octavo for a test in one call: a store, its
// credentials and the HTTP API on a free loopback port, built from the same parts as the
// program. Only tests import it. Start with [Start].
package octavotest

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/backup"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/egress"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/issuers"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/tracing"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// Options configure a server. The zero value is SQLite in a temporary folder without a
// rate limit.
type Options struct {
	PostgresURL string // replaces SQLite
	RateLimit   int
	MaxBody     int64 // 0 is the default, 2 MiB
	MaxUpload   int64 // 0 is the default, 50 MiB
	MaxImport   int64 // 0 is the default, 4 GiB
	Memory      int64 // for all requests together; 0 is the default, 256 MiB
	// Blobs stores the bytes of assets; nil means a temporary folder.
	Blobs         blob.Store
	AssetLifetime time.Duration // of addresses; 0 means no expiry
	Now           func() time.Time
	Regions       []string
	RegionURLs    map[string]string
	Versions      []string
	CORSOrigins   []string        // nil allows all
	NoStudio      bool            // disables Studio
	Log           io.Writer       // nil discards everything
	Outside       issuers.Options // accepted token issuers; may be none
	// Deliver sends webhooks and callbacks, also to this machine.
	Deliver bool
	// Metrics count what the server does; may be nil.
	Metrics *metrics.Metrics
	// Trace records traces; may be nil.
	Trace   *tracing.Tracer
	AuthURL string // "" means the address of the server
	// Passwords is the cost of checking one; zero means almost none.
	Passwords authserver.Cost
	// Provider is the provider for signing in; SignIn configures it except for the addresses
	// here. Nil disables it.
	Provider *authserver.Provider
	SignIn   *issuers.ProviderOptions
	// Search waits until the search is ready.
	Search bool
	// Site shows pages to people; it needs Search. Its URL may be a path.
	Site app.Site
	// Schedule runs scheduled changes of pages.
	Schedule bool
	// Export runs exports and imports.
	Export bool
	// Mailer sends messages; nil sends none.
	Mailer exports.Mailer
	// Serving, if non-nil, ends when the server is asked to stop.
	Serving context.Context
	// Wrap, if non-nil, wraps the API.
	Wrap func(http.Handler) http.Handler
}

// Server is a running Octavo. It ends with its test.
type Server struct {
	URL     string // the public address, without version or trailing slash
	Handler http.Handler
	Store   *store.Store
	Assets  *assets.Service
	Hooks   *webhooks.Service
	Search  *live.Service
	Exports *exports.Service
	Imports *imports.Service
	*app.Credentials
	again   func(context.Context, store.Options) (*store.Store, error)
	env     app.Env
	ids     *octavo.IDSource
	authURL string
}

// SetupURL returns the link for the first administrator; "" if there is one.
func (s *Server) SetupURL(t testing.TB) string {
	t.Helper()
	link, err := authserver.NewSetupURL(context.Background(), auth.Env{Now: s.env.Now, Random: s.env.Random}, s.Store.Accounts.Users, s.authURL)
	must(t, err)
	return link
}

// Start starts a server. On an error it fails the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	ctx := context.Background()
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	env := app.Env{Now: o.Now, Random: rand.Reader, Log: slog.New(slog.NewTextHandler(o.Log, &slog.HandlerOptions{Level: slog.LevelDebug})), Trace: o.Trace}
	ids := env.IDs()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	must(t, err)
	s := &Server{URL: "http://" + listener.Addr().String(), env: env, ids: ids}
	s.authURL = cmp.Or(o.AuthURL, s.URL)
	s.again = opener(t, o)
	s.Store, err = s.again(ctx, app.StoreOptions(env, ids, s.URL))
	must(t, err)
	s.Credentials, err = app.OpenCredentials(ctx, env, ids, s.Store, "", s.authURL)
	must(t, err)
	outward := egress.New(egress.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Resolver: net.DefaultResolver})
	t.Cleanup(outward.CloseIdleConnections)
	if len(o.Outside.Issuers) > 0 {
		o.Outside.Client, o.Outside.Now, o.Outside.Log = outward, env.Now, env.Log
		s.Trust(env, issuers.New(o.Outside))
	}
	if o.Blobs == nil {
		o.Blobs, err = blob.OpenFolder(filepath.Join(t.TempDir(), "files"))
		must(t, err)
	}
	o.Blobs = backup.Held(o.Blobs, s.Store, o.Now)
	s.Assets, err = app.Assets(ctx, env, s.Store, o.Blobs, s.Credentials, s.URL, o.AssetLifetime)
	must(t, err)
	s.Hooks, err = app.Webhooks(ctx, env, ids, s.Store, s.Credentials, "test", o.Metrics,
		webhooks.NewClient(egress.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Resolver: net.DefaultResolver}))
	must(t, err)
	s.Search, err = app.Search(ctx, env, s.Store, app.SearchOptions{Metrics: o.Metrics, OpenBlob: s.Assets.OpenBlob})
	must(t, err)
	s.Exports, err = app.Exports(ctx, env, s.Store, o.Blobs, s.Credentials, s.Assets, s.URL, "", o.Mailer, o.Metrics)
	must(t, err)
	s.Hooks.Export = s.Exports.Message
	s.Imports = app.Imports(env, s.Store, o.Blobs, s.Assets, o.MaxImport, o.Metrics)
	if o.SignIn != nil {
		o.SignIn.RedirectURL, o.SignIn.Client, o.SignIn.Now, o.SignIn.Log = s.authURL+authserver.CallbackPath, outward, o.Now, env.Log
		o.Provider.Provider = issuers.NewProvider(*o.SignIn)
	}
	if strings.HasPrefix(o.Site.URL, "/") {
		o.Site.URL = s.URL + o.Site.URL
	}
	outbox := authserver.NewOutbox(o.Mailer, env.Log)
	serving := o.Serving
	if serving == nil {
		serving = ctx
	}
	s.Handler, err = app.Handler(serving, env, ids, s.Store, s.Credentials, app.Options{
		Addresses: app.Addresses{Public: s.URL, Search: s.URL + "/search", Auth: s.authURL}, Assets: s.Assets, Webhooks: s.Hooks, Search: s.Search, Exports: s.Exports, Imports: s.Imports, Product: "test",
		Versions: orDefault(o.Versions, "v1", "v2"), Regions: orDefault(o.Regions, "us", "eu", "apac"), RegionURLs: o.RegionURLs,
		RateLimit: o.RateLimit, MaxBody: limit(o.MaxBody, 2<<20), MaxUpload: limit(o.MaxUpload, 50<<20), Memory: limit(o.Memory, 256<<20), PageCache: 16 << 20, CORSOrigins: orDefault(o.CORSOrigins, "*"),
		Metrics: o.Metrics, Provider: o.Provider, Site: o.Site, Outbox: outbox, Studio: !o.NoStudio,
		Passwords: cmp.Or(o.Passwords, authserver.Cost{Memory: 64, Passes: 1}),
	})
	must(t, err)
	if o.Wrap != nil {
		s.Handler = o.Wrap(s.Handler)
	}
	srv := &httptest.Server{Listener: listener, Config: &http.Server{Handler: s.Handler, ReadHeaderTimeout: 10 * time.Second, DisableGeneralOptionsHandler: true}}
	srv.Start()
	background, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { outbox.Run(background) })
	if o.Schedule {
		group.Go(func() { app.RunSchedule(background, env, s.Store) })
	}
	if o.Search {
		group.Go(func() { s.Search.Run(background) })
		must(t, s.Search.AwaitReady(ctx))
	}
	if o.Export {
		group.Go(func() { s.Exports.Run(background) })
		group.Go(func() { s.Imports.Run(background) })
	}
	ended := func() {}
	if o.Deliver {
		ended = s.deliver(ctx)
	}
	t.Cleanup(func() {
		srv.Close()
		stop()
		group.Wait()
		ended()
		must(t, s.Store.Close())
		must(t, o.Blobs.Close())
	})
	return s
}

func (s *Server) deliver(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { s.Hooks.Run(ctx) })
	return func() {
		cancel()
		group.Wait()
		s.Hooks.Client.CloseIdleConnections()
	}
}

func limit(n, otherwise int64) int64 {
	if n > 0 {
		return n
	}
	return otherwise
}

func orDefault(list []string, otherwise ...string) []string {
	if list == nil {
		return otherwise
	}
	return list
}

// opener returns a function that opens the database.
func opener(t testing.TB, o Options) func(context.Context, store.Options) (*store.Store, error) {
	t.Helper()
	if o.PostgresURL != "" {
		return func(ctx context.Context, so store.Options) (*store.Store, error) {
			return store.OpenPostgres(ctx, o.PostgresURL, so)
		}
	}
	path := sqliteSchema.Copy(t, "octavo.db", func(path string) error { return prepare(store.OpenSQLite(t.Context(), path, bare())) })
	return func(ctx context.Context, so store.Options) (*store.Store, error) {
		return store.OpenSQLite(ctx, path, so)
	}
}

// OpenAgain opens the database of the server like another process. The caller closes the
// store.
func (s *Server) OpenAgain(ctx context.Context, o store.Options) (*store.Store, error) {
	return s.again(ctx, o)
}

// Token issues an access token.
func (s *Server) Token(t testing.TB, g auth.Grant) string {
	t.Helper()
	if g.Subject == "" {
		g.Subject = "tester"
	}
	text, err := s.Tokens.Issue(context.Background(), g)
	must(t, err)
	return text
}

// ExpiredToken issues an access token of an hour ago.
func (s *Server) ExpiredToken(t testing.TB, g auth.Grant) string {
	t.Helper()
	past := *s
	tokens, err := auth.OpenTokens(context.Background(), auth.TokenOptions{
		Env:   auth.Env{Now: func() time.Time { return s.env.Now().Add(-time.Hour) }, Random: s.env.Random},
		IDs:   s.ids,
		Vault: s.Vault, Installation: s.Installation,
	})
	must(t, err)
	past.Credentials = &app.Credentials{Tokens: tokens}
	return past.Token(t, g)
}

// Key creates an API key.
func (s *Server) Key(t testing.TB, r auth.KeyRequest) string {
	t.Helper()
	if r.Name == "" {
		r.Name = "test key"
	}
	text, _, err := s.Keys.Create(context.Background(), sqldb.Cause{}, r)
	must(t, err)
	return text
}

// Scopes reads scope names.
func Scopes(t testing.TB, text string) octavo.Scopes {
	t.Helper()
	s, err := octavo.ParseScopes(text)
	must(t, err)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
