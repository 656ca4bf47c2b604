package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/egress"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
)

// serveCommand serves the API.
type serveCommand struct {
	config.Options
	PrintConfig bool `help:"Print the options as they are understood, secrets masked, and end."`
}

// endGrace is how long the process may take to end beside the time that
// requests have: for what works in the background, and the rest of the log.
const endGrace = 3 * time.Second

// Help says what the command does and does not do.
func (serveCommand) Help() string {
	return "Creates and migrates what is missing, then serves until it is told to stop (SIGINT or SIGTERM). " +
		"Prints \"octavo: listening on URL\" to standard error once it is ready. " +
		"Every option is also a variable and a key of the configuration file; the command line comes first, then the environment, then the file. " +
		"One server at a time works on a data folder; any number work on one PostgreSQL database. It does not terminate TLS: put a proxy in front of it."
}

// Run serves until the program is told to stop.
func (c *serveCommand) Run(p *program) (err error) {
	if err := c.Check(); err != nil {
		return usageError{err}
	}
	if c.PrintConfig {
		return c.Print(p.stdout)
	}
	if c.DatabaseURL == "" {
		lock, err := lockData(c.Data)
		if err != nil {
			return err
		}
		defer lock.release()
	}
	debug.SetMemoryLimit(min(int64(c.MaxMemory), debug.SetMemoryLimit(-1))) // GOMEMLIMIT may be less
	signal.Ignore(syscall.SIGPIPE)                                          // who reads the log may go away: the server stays
	p.endWithin(p.ctx.Done(), c.Drain+c.Shutdown+endGrace)
	log, writeRest := c.logger(p)
	defer writeRest()
	env := app.Env{Now: p.now, Random: p.random, Log: log}
	var sendTraces func()
	if env.Trace, sendTraces, err = trace(p, log); err != nil {
		return usageError{err}
	}
	defer sendTraces()
	l, err := listen(p.ctx, &c.Options, env.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	if err = c.serveOn(p, l, env); errors.Is(err, context.Canceled) && p.ctx.Err() != nil {
		log.Info("told to stop before anything was served")
		return nil
	}
	return err
}

// serveOn opens what there is to serve, serves it on l, and closes it again: the
// store last, since everything else works on it.
func (c *serveCommand) serveOn(p *program, l *listeners, env app.Env) (err error) {
	addresses := c.addresses(l.url())
	counts := metrics.New(productVersion())
	st, err := p.open(p.ctx, c.Storage, createMissing, env, addresses.Public, func(o *store.Options) {
		o.KeepChanges, o.Committed = c.Changes.Duration, counts.Commit
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	env = st.env
	if err := app.SealSecrets(p.ctx, env, st.Store, string(c.SecretKey)); err != nil {
		return err
	}
	credentials, err := st.credentials(p.ctx, c.SecretKey, addresses.Auth)
	if err != nil {
		return err
	}
	outside := c.trustIssuers(env, credentials, addresses)
	blobs, err := st.keepFiles(p.ctx, c.Storage, c.has(config.RoleAPI) || c.has(config.RoleWorker))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	options, err := c.features(p.ctx, st, blobs, credentials, addresses, counts)
	if err != nil {
		return err
	}
	if c.has(config.RoleSearch) {
		var closeShelf func() error
		if options.Search, closeShelf, err = c.openSearch(p.ctx, st, blobs, counts); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, closeShelf()) }()
	}
	handler, err := app.Handler(p.ctx, env, st.ids, st.Store, credentials, options)
	if err != nil {
		return err
	}
	if c.Demo {
		if err := c.demo(p, st, credentials, addresses.Public); err != nil {
			return err
		}
	}
	setup, err := c.setupURL(p, st, addresses)
	if err != nil {
		return err
	}
	return c.serve(p, l, st, background{
		credentials: credentials, outside: outside, provider: options.Provider, files: options.Assets,
		hooks: options.Webhooks, search: options.Search, exports: options.Exports, worker: c.has(config.RoleWorker),
	}, handler, counts, setup)
}

// features builds what the API answers with, but for the search.
func (c *serveCommand) features(ctx context.Context, st *storage, blobs blob.Store, credentials *app.Credentials, addresses app.Addresses, counts *metrics.Metrics) (o app.Options, err error) {
	o = c.options(addresses)
	o.Metrics = counts
	o.Provider = c.provider(st.env, addresses)
	if o.Assets, err = app.Assets(ctx, st.env, st.Store, blobs, credentials, addresses.Public, c.AssetLife); err != nil {
		return o, err
	}
	o.Webhooks, err = app.Webhooks(ctx, st.env, st.ids, st.Store, credentials, productVersion(), counts,
		egress.Options{Allow: prefixes(c.Private), Ports: c.Ports, Resolver: net.DefaultResolver})
	if err != nil {
		return o, err
	}
	mailer, err := exports.NewMailer(mail.Options{URL: string(c.SMTPURL), From: c.MailFrom})
	if err != nil {
		return o, err
	}
	if o.Exports, err = app.Exports(ctx, st.env, st.Store, blobs, credentials, o.Assets, addresses.Public, mailer, counts); err != nil {
		return o, err
	}
	o.Webhooks.Export = o.Exports.Message
	return o, nil
}

// openSearch opens the search index. closeShelf closes what it shares with other
// processes, once nothing searches any more.
func (c *serveCommand) openSearch(ctx context.Context, st *storage, blobs blob.Store, counts *metrics.Metrics) (search *live.Service, closeShelf func() error, err error) {
	o := app.SearchOptions{Folder: filepath.Join(c.Data, app.SearchFolder), Weights: c.SearchWeights(), Metrics: counts}
	closeShelf = func() error { return nil }
	if st.Shared() {
		if o.Shelf, err = blobs.Apart(live.ShelfName); err != nil {
			return nil, nil, err
		}
		closeShelf = o.Shelf.Close
	}
	for _, region := range c.Regions {
		counts.SearchRegion(string(region))
	}
	if search, err = app.Search(ctx, st.env, st.Store, o); err != nil {
		return nil, nil, errors.Join(err, closeShelf())
	}
	return search, closeShelf, nil
}

// setupURL returns the address at which the first administrator is added; "" when
// people can sign in already, or do not do so here by password.
func (c *serveCommand) setupURL(p *program, st *storage, addresses app.Addresses) (string, error) {
	if c.SignInOnly || !c.has(config.RoleAuth) {
		return "", nil
	}
	return authserver.NewSetupURL(p.ctx, auth.Env{Now: st.env.Now, Random: p.random}, st.Store, addresses.Auth)
}

// demo prepares a demonstration. Connections wait until it is ready.
func (c *serveCommand) demo(p *program, st *storage, credentials *app.Credentials, url string) error {
	if err := fillDemo(p.ctx, st); err != nil {
		return err
	}
	d, err := makeDemoCredentials(p.ctx, credentials)
	if err != nil {
		return err
	}
	return d.print(p.stdout, url, string(c.Versions[0]))
}

// serve runs the servers and what works beside them, and ends them in order:
// requests first, then the background, so that nothing uses a closed store.
func (c *serveCommand) serve(p *program, l *listeners, st *storage, b background, handler http.Handler, counts *metrics.Metrics, setup string) error {
	ctx, stop := context.WithCancel(context.WithoutCancel(p.ctx))
	wait := b.start(ctx, st)
	defer wait()
	defer stop()
	b.awaitSearch(p.ctx)
	return l.serve(p.ctx, serving{
		api: handler, ops: operations(p.ctx, st, b.search, counts.Handler()), log: st.env.Log, drain: c.Drain, timeout: c.Shutdown,
		ready: func() {
			debug.FreeOSMemory() // what a start takes is not needed again
			if url := l.opsURL(); url != "" {
				fmt.Fprintf(p.stderr, "octavo: operations on %s\n", url)
			}
			if setup != "" {
				fmt.Fprintf(p.stderr, "octavo: nobody can sign in yet; add the first administrator at %s\n", setup)
			}
			fmt.Fprintf(p.stderr, "octavo: listening on %s\n", l.url())
		},
	})
}

// addresses derives what was not configured (decision 1).
func (c *serveCommand) addresses(listening string) app.Addresses {
	public := first(string(c.PublicURL), listening)
	return app.Addresses{
		Public: public,
		Search: first(string(c.SearchURL), public+"/search"),
		Auth:   first(string(c.AuthURL), public),
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// has reports whether the process has a role.
func (c *serveCommand) has(role config.ProcessRole) bool { return slices.Contains(c.Roles, role) }

// options translates the configuration for the API.
func (c *serveCommand) options(addresses app.Addresses) app.Options {
	o := app.Options{
		Addresses: addresses, Product: productVersion(),
		Versions: texts(c.Versions), Regions: texts(c.Regions), CORSOrigins: texts(c.CORS),
		RegionURLs: map[string]string{}, RateLimit: c.RateLimit, MaxBody: int64(c.MaxBody), PageCache: int64(c.PageCache), MaxUpload: int64(c.MaxUpload),
		Memory: int64(c.MaxMemory) / 2, SearchAlone: !c.has(config.RoleAPI), NoSignIn: !c.has(config.RoleAuth),
		Passwords: authserver.PassCost(c.Passes),
	}
	for region, url := range c.RegionURLs {
		o.RegionURLs[region] = string(url)
	}
	o.TrustedProxies = prefixes(c.Proxies)
	return o
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
