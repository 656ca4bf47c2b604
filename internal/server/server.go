// Package server serves one installation over HTTP and runs its background work. It opens
// what the options name and closes it in order, and has no features itself. Start with
// [Run].
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// Process is the environment that a server runs in.
type Process struct {
	Stdout, Stderr io.Writer
	Now            func() time.Time
	Random         io.Reader
	Version        string         // of the program
	Exit           func(code int) // ends the process
}

// OptionsError is an error in the options.
type OptionsError struct{ error }

// server serves one installation, once.
type server struct {
	*config.Options
	process Process
	ended   chan struct{} // closed when it has ended
}

// endGrace is the time for background work to end after the requests.
const endGrace = 3 * time.Second

// Run serves until ctx ends, and finishes running requests.
func Run(ctx context.Context, process Process, o *config.Options) (err error) {
	s := &server{o, process, make(chan struct{})}
	defer close(s.ended)
	if s.DatabaseURL == "" {
		release, err := storage.LockFolder(s.Data)
		if err != nil {
			return err
		}
		defer release()
	}
	debug.SetMemoryLimit(min(int64(s.MaxMemory), debug.SetMemoryLimit(-1))) // GOMEMLIMIT may be lower
	signal.Ignore(syscall.SIGPIPE)                                          // the server survives the end of a log reader
	s.endWithin(ctx.Done(), s.Drain+s.Shutdown+endGrace)
	log, flush := s.logger()
	defer flush()
	env := app.Env{Now: s.process.Now, Random: s.process.Random, Log: log}
	var sendTraces func()
	if env.Trace, sendTraces, err = s.trace(ctx, log); err != nil {
		return OptionsError{err}
	}
	defer sendTraces()
	l, err := listen(ctx, s.Options, env.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	if err = s.serveOn(ctx, l, env); errors.Is(err, context.Canceled) && ctx.Err() != nil {
		log.Info("stopped before anything was served")
		return nil
	}
	return err
}

// serveOn opens everything, serves it on l, and closes it again: the store last, since
// everything else uses it.
func (s *server) serveOn(ctx context.Context, l *listeners, env app.Env) (err error) {
	addresses := s.addresses(l.url())
	counts := metrics.New(s.process.Version)
	st, err := storage.Open(ctx, s.Storage, storage.CreateLocked, env, addresses.Public, func(o *store.Options) {
		o.KeepChanges, o.Committed, o.Serving = s.Changes.Duration, counts.Commit, true
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	env = st.Env
	if err := app.SealSecrets(ctx, env, st.Store, string(s.SecretKey)); err != nil {
		return err
	}
	credentials, err := st.Credentials(ctx, s.SecretKey, addresses.Auth)
	if err != nil {
		return err
	}
	outside := s.trustIssuers(env, credentials, addresses)
	blobs, err := st.KeepFiles(ctx, s.Storage, s.has(config.RoleAPI) || s.has(config.RoleWorker) || s.has(config.RoleSearch))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	options, err := s.features(ctx, st, blobs, credentials, addresses, counts)
	if err != nil {
		return err
	}
	if s.has(config.RoleSearch) {
		var closeSnapshots func() error
		if options.Search, closeSnapshots, err = s.openSearch(ctx, st, blobs, options.Assets.OpenBlob, counts); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, closeSnapshots()) }()
	}
	if s.Demo {
		if options.Site.Demo, err = fillDemo(ctx, st, options.Assets); err != nil {
			return err
		}
		options.Site.Demo = options.Site.Demo && l.loopback()
	}
	handler, err := app.Handler(ctx, env, st.IDs, st.Store, credentials, options)
	if err != nil {
		return err
	}
	if s.Demo {
		if err := s.demo(ctx, credentials, addresses.Public); err != nil {
			return err
		}
	}
	setup, err := s.setupURL(ctx, st, addresses)
	if err != nil {
		return err
	}
	if options.Studio && !options.NoSignIn {
		fmt.Fprintf(s.process.Stderr, "octavo: write in Studio at %s\n", addresses.Auth+app.StudioPath)
	}
	if options.Site.Served {
		s.announce(addresses.Public, options.Site, setup != "")
	}
	b := background{
		credentials: credentials, outside: outside, provider: options.Provider, files: options.Assets,
		hooks: options.Webhooks, search: options.Search, exports: options.Exports, imports: options.Imports, outbox: options.Outbox, worker: s.has(config.RoleWorker),
	}
	if options.Notifier != nil {
		b.notify = options.Notifier.Round
	}
	return s.serve(ctx, l, st, b, handler, counts, setup)
}

// features builds the features behind the API, except search.
func (s *server) features(ctx context.Context, st *storage.Storage, blobs blob.Store, credentials *app.Credentials, addresses app.Addresses, counts *metrics.Metrics) (o app.Options, err error) {
	o = s.options(addresses)
	o.Metrics = counts
	o.Provider = s.provider(st.Env, addresses)
	if o.Assets, err = app.Assets(ctx, st.Env, st.Store, blobs, credentials, addresses.Public, s.AssetLife); err != nil {
		return o, err
	}
	o.Webhooks, err = app.Webhooks(ctx, st.Env, st.IDs, st.Store, credentials, s.process.Version, counts,
		webhooks.NewClient(egress.Options{Allow: prefixes(s.Private), Ports: s.Ports, Resolver: net.DefaultResolver}))
	if err != nil {
		return o, err
	}
	mailer, err := exports.NewMailer(mail.Options{URL: string(s.SMTPURL), From: s.MailFrom})
	if err != nil {
		return o, err
	}
	if o.Exports, err = app.Exports(ctx, st.Env, st.Store, blobs, credentials, o.Assets, addresses.Public, s.Fonts, mailer, counts); err != nil {
		return o, err
	}
	o.Imports = app.Imports(st.Env, st.Store, blobs, o.Assets, int64(s.MaxImport), counts)
	o.Webhooks.Export = o.Exports.Message
	o.Outbox = authserver.NewOutbox(mailer, st.Env.Log)
	o.Notifier = app.Notifier(st.Env, st.Store, mailer, addresses, s.Studio, counts)
	return o, nil
}

// openSearch opens the search index. closeSnapshots closes the shared snapshots; call it
// when search has ended.
func (s *server) openSearch(ctx context.Context, st *storage.Storage, blobs blob.Store, open func(context.Context, string) (io.ReadCloser, error), counts *metrics.Metrics) (search *live.Service, closeSnapshots func() error, err error) {
	o := app.SearchOptions{Folder: filepath.Join(s.Data, app.SearchFolder), Weights: s.SearchWeights(), Metrics: counts, OpenBlob: open}
	closeSnapshots = func() error { return nil }
	if st.DB.Shared() {
		if o.Snapshots, err = blobs.Apart(live.SnapshotFolder); err != nil {
			return nil, nil, err
		}
		closeSnapshots = o.Snapshots.Close
	}
	for _, region := range s.Regions {
		counts.SearchRegion(string(region))
	}
	if search, err = app.Search(ctx, st.Env, st.Store, o); err != nil {
		return nil, nil, errors.Join(err, closeSnapshots())
	}
	return search, closeSnapshots, nil
}

// setupURL returns the address for creating the first administrator, or "" if people can
// already sign in, or do so elsewhere.
func (s *server) setupURL(ctx context.Context, st *storage.Storage, addresses app.Addresses) (string, error) {
	if s.SignInOnly || !s.has(config.RoleAuth) {
		return "", nil
	}
	return authserver.NewSetupURL(ctx, auth.Env{Now: st.Env.Now, Random: s.process.Random}, st.Store.Accounts.Users, addresses.Auth)
}

// announce prints the address of the site and its audience.
func (s *server) announce(url string, site app.Site, nobody bool) {
	who := "people who have signed in"
	switch {
	case site.Public:
		who = "everybody"
	case site.Demo && nobody:
		who = "everybody on this machine, until the first person is added"
	}
	fmt.Fprintf(s.process.Stderr, "octavo: the site is at %s, for %s\n", cmp.Or(site.URL, url+app.SitePath), who)
}

// demo prints how to try the demo.
func (s *server) demo(ctx context.Context, credentials *app.Credentials, url string) error {
	d, err := makeDemoCredentials(ctx, credentials)
	if err != nil {
		return err
	}
	return d.print(s.process.Stdout, url, string(s.Versions[0]))
}

// serve runs servers and background work. It ends requests first, then the background
// work, so that nothing uses a closed store.
func (s *server) serve(ctx context.Context, l *listeners, st *storage.Storage, b background, handler http.Handler, counts *metrics.Metrics, setup string) error {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	wait := b.start(running, st)
	defer wait()
	defer stop()
	b.awaitSearch(ctx)
	return l.serve(ctx, serving{
		api: handler, ops: ownHost(operations(ctx, st, b.search, counts.Handler()), s.OpsAddr, s.OpsHosts), log: st.Env.Log, drain: s.Drain, timeout: s.Shutdown,
		ready: func() {
			debug.FreeOSMemory() // the start needs more memory than what follows
			if url := l.opsURL(); url != "" {
				fmt.Fprintf(s.process.Stderr, "octavo: operations on %s\n", url)
			}
			if setup != "" {
				fmt.Fprintf(s.process.Stderr, "octavo: nobody can sign in yet; add the first administrator at %s\n", setup)
			}
			fmt.Fprintf(s.process.Stderr, "octavo: listening on %s\n", l.url())
		},
	})
}

// endWithin ends the process if the server has not ended within limit after stop was
// closed.
func (s *server) endWithin(stop <-chan struct{}, limit time.Duration) {
	go func() {
		select {
		case <-stop:
		case <-s.ended:
			return
		}
		select {
		case <-time.After(limit):
			s.process.Exit(1)
		case <-s.ended:
		}
	}()
}

// addresses derives addresses that are not configured (decision 1).
func (s *server) addresses(listening string) app.Addresses {
	public := cmp.Or(string(s.PublicURL), listening)
	return app.Addresses{
		Public: public,
		Search: cmp.Or(string(s.SearchURL), public+"/search"),
		Auth:   cmp.Or(string(s.AuthURL), public),
	}
}

func (s *server) has(role config.ProcessRole) bool { return slices.Contains(s.Roles, role) }

// options converts the configuration to options of the API.
func (s *server) options(addresses app.Addresses) app.Options {
	o := app.Options{
		Addresses: addresses, Product: s.process.Version,
		Versions: texts(s.Versions), Regions: texts(s.Regions), CORSOrigins: texts(s.CORS),
		RegionURLs: map[string]string{}, RateLimit: s.RateLimit, MaxBody: int64(s.MaxBody), PageCache: int64(s.PageCache), MaxUpload: int64(s.MaxUpload),
		Memory: int64(s.MaxMemory) / 2, SearchAlone: !s.has(config.RoleAPI), NoSignIn: !s.has(config.RoleAuth), Studio: s.Studio,
		Passwords: authserver.PassCost(s.Passes),
		Site: app.Site{
			Served: s.has(config.RoleSite) && s.Site != config.SiteOff, URL: string(s.SiteURL), Public: s.Site == config.SitePublic, Cache: int64(s.SiteCache), Limit: s.SiteLimit,
		},
	}
	for region, url := range s.RegionURLs {
		o.RegionURLs[region] = string(url)
	}
	o.TrustedProxies = prefixes(s.Proxies)
	return o
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
