// Package app assembles one installation: a store, its credentials, the features and the
// HTTP API. The server, the commands and the tests all use it, so they run the same code.
//
// It starts nothing and opens no ports; package server does. Start with [Handler], or with
// the file of a single feature such as webhooks.go.
package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/httpapi"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/reader"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/studio"
	"github.com/octavo-docs/octavo/internal/tracing"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// InstallationName names the identifier of the installation in the store. It is created at
// first use and stored among the secrets, but is not secret.
const InstallationName = "installation"

// CursorSecret names the secret that authenticates cursors.
const CursorSecret = "cursor-key"

// Env has the external dependencies of a program.
type Env struct {
	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
	Trace  *tracing.Tracer // nil records no traces
}

// auth returns the Env of package auth.
func (e Env) auth() auth.Env { return auth.Env{Now: e.Now, Random: e.Random} }

// IDs returns a source of identifiers. A process needs only one.
func (e Env) IDs() *octavo.IDSource { return octavo.NewIDSource(e.Now, e.Random) }

// Addresses are the public URLs of an installation, without a trailing slash.
type Addresses struct {
	Public, Search, Auth string
}

// StoreOptions returns the options for opening a store.
func StoreOptions(e Env, ids *octavo.IDSource, publicURL string) store.Options {
	return store.Options{Now: e.Now, IDs: ids, Derive: pages.Deriver(publicURL), Logger: e.Log, Trace: e.Trace}
}

// Credentials are the keys and tokens of an installation.
type Credentials struct {
	Keys   *auth.Keys
	Tokens *auth.Tokens
	Auth   *auth.Authenticator
	Vault  *auth.Vault
	// Refusals records refused credentials in the audit log.
	Refusals *auth.Refusals
	// Installation is the identifier that tokens name as their issuer.
	Installation octavo.ID
}

// SealSecrets encrypts secrets stored as plain text, if there is a secretKey. Only servers
// call it, before they open their credentials: processes without the key can then no
// longer use the store.
func SealSecrets(ctx context.Context, e Env, st *store.Store, secretKey string) error {
	sealer, err := auth.NewSealer(secretKey, e.Random)
	if err != nil {
		return err
	}
	sealed, err := auth.NewVault(st.Accounts.Secrets, sealer).SealPlain(ctx)
	if sealed > 0 {
		e.Log.WarnContext(ctx, "the installation's secrets were in plain text and are encrypted now: every process needs the secret key", "secrets", sealed)
	}
	return octavo.Wrapf(err, "encrypt the installation's secrets")
}

// OpenCredentials opens the credentials in a store. secretKey is OCTAVO_SECRET_KEY or "";
// authURL may be "". With a key it fails if secrets are stored as plain text (see
// SealSecrets).
func OpenCredentials(ctx context.Context, e Env, ids *octavo.IDSource, st *store.Store, secretKey, authURL string) (*Credentials, error) {
	env := e.auth()
	sealer, err := auth.NewSealer(secretKey, e.Random)
	if err != nil {
		return nil, err
	}
	installation, err := ensureInstallation(ctx, ids, st)
	if err != nil {
		return nil, err
	}
	c := &Credentials{
		Vault: auth.NewVault(st.Accounts.Secrets, sealer), Keys: auth.NewKeys(env, ids, st.Accounts.Keys), Installation: installation,
		Refusals: auth.NewRefusals(env, st.Accounts.Audit, e.Log),
	}
	c.Tokens, err = auth.OpenTokens(ctx, auth.TokenOptions{Env: env, IDs: ids, Vault: c.Vault, Installation: installation, AuthURL: authURL, Log: e.Log})
	if err != nil {
		return nil, err
	}
	c.Auth = auth.NewAuthenticator(env, c.Keys, c.Tokens, nil)
	return c, nil
}

// Trust also accepts access tokens of other issuers.
func (c *Credentials) Trust(e Env, outside auth.Outside) {
	c.Auth = auth.NewAuthenticator(e.auth(), c.Keys, c.Tokens, outside)
}

func ensureInstallation(ctx context.Context, ids *octavo.IDSource, st *store.Store) (octavo.ID, error) {
	known, found, err := st.Accounts.Secrets.Get(ctx, InstallationName)
	if err != nil {
		return "", fmt.Errorf("read the installation's identifier: %w", err)
	}
	if found {
		return octavo.ID(known), nil
	}
	id, err := ids.New(octavo.PrefixInstallation)
	if err != nil {
		return "", err
	}
	kept, err := st.Accounts.Secrets.PutIfAbsent(ctx, InstallationName, []byte(id))
	if err != nil {
		return "", fmt.Errorf("keep the installation's identifier: %w", err)
	}
	return octavo.ID(kept), nil
}

// addressSecret names the secret that signs the addresses of assets.
const addressSecret = "asset-address-key"

// Assets opens the assets of a store. With a lifetime above 0 their addresses expire,
// which needs credentials.
func Assets(ctx context.Context, e Env, st *store.Store, blobs blob.Store, c *Credentials, publicURL string, lifetime time.Duration) (*assets.Service, error) {
	files, err := st.Assets.Files(ctx)
	if err != nil {
		return nil, err
	}
	o := assets.Options{FilesID: files.ID, DB: st.DB, Assets: st.Assets, Blobs: blobs, Random: e.Random, Now: e.Now, Log: e.Log, PublicURL: publicURL, Lifetime: lifetime}
	if lifetime > 0 {
		key, err := c.Vault.Ensure(ctx, addressSecret, 32)
		if err != nil {
			return nil, err
		}
		o.Key = key
	}
	return assets.New(o), nil
}

// Options configure the API that is served; see the options of the program.
type Options struct {
	Addresses      Addresses
	Assets         *assets.Service
	Webhooks       *webhooks.Service
	Search         *live.Service // nil serves no search
	SearchAlone    bool          // serve only search and health
	NoSignIn       bool          // another process serves signing in
	Studio         bool          // serve Studio, if people can sign in
	Exports        *exports.Service
	Imports        *imports.Service
	Product        string // version of the program
	Versions       []string
	Regions        []string
	RegionURLs     map[string]string
	RateLimit      int
	MaxBody        int64
	PageCache      int64 // bytes of encoded pages kept in memory
	MaxUpload      int64
	Memory         int64 // bytes of memory for all requests together; 0 means no limit
	CORSOrigins    []string
	TrustedProxies []netip.Prefix
	Passwords      authserver.Cost // zero is the default
	Site           Site
	// Provider is the OpenID provider for signing in; may be nil. Its redirect URI is
	// Addresses.Auth followed by authserver.CallbackPath.
	Provider *authserver.Provider
	// Outbox sends links by mail; nil sends none. The caller runs it.
	Outbox *authserver.Outbox
	// Notifier mails notifications; nil mails none. The caller runs it.
	Notifier *proposals.Notifier
	// Metrics, if non-nil, count requests, quotas and use of the store. Commits are counted
	// by store.Options.Committed.
	Metrics *metrics.Metrics
}

// Proposals opens the proposals of a store. They check texts with read.
func Proposals(st *store.Store, read *pages.Service) *proposals.Service {
	service := proposals.New(st.DB, st.Proposals, st.Pages, st.Assets.Pending)
	service.PublicURL = read.PublicURL
	service.Render = read.Remarks
	return service
}

// Notifier returns the sender of notifications about proposals; nil without a mailer.
// counts may be nil.
func Notifier(e Env, st *store.Store, mailer proposals.Mailer, a Addresses, withStudio bool, counts *metrics.Metrics) *proposals.Notifier {
	if mailer == nil {
		return nil
	}
	n := &proposals.Notifier{
		Mails: st.Mails, Suggestions: st.Sites.Suggestions, Mailer: mailer, Now: e.Now, Log: e.Log, PublicURL: a.Public, AccountURL: a.Auth + "/account",
	}
	if withStudio {
		n.StudioURL = a.Auth + studio.Path
	}
	if counts != nil {
		n.Observe = func(status octavo.DeliveryStatus) { counts.NotificationMessage(string(status)) }
	}
	return n
}

// pathOf returns the path of an address, without a trailing slash.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.Path, "/")
}

// SitePath is the path of the live site below the public address.
const SitePath = reader.Path

// StudioPath is the path of Studio below the address of the authorization server.
const StudioPath = studio.Path

// Site configures the live site. It needs a Search.
type Site struct {
	Served bool
	URL    string // "" means SitePath below the public address
	Public bool   // readable by everybody and not only by members
	Demo   bool   // readable by everybody until the first person is added
	Cache  int64  // bytes of rendered pages cached in memory
	Limit  int    // requests of one reader per window; 0 means no limit
}

// Handler builds the HTTP API on a store and its credentials. Requests that wait for
// events end with ctx.
func Handler(ctx context.Context, e Env, ids *octavo.IDSource, st *store.Store, c *Credentials, o Options) (http.Handler, error) {
	cursorKey, err := c.Vault.Ensure(ctx, CursorSecret, 32)
	if err != nil {
		return nil, err
	}
	studioPath, studioURL := "", ""
	if o.Studio {
		studioPath, studioURL = StudioPath, o.Addresses.Auth+StudioPath
	}
	static, style, err := httpapi.Documents{
		Public: o.Addresses.Public, Search: o.Addresses.Search, Auth: o.Addresses.Auth, Versions: o.Versions, Regions: o.Regions, Product: o.Product, Studio: studioURL,
		TokenKeys:    c.Tokens.PublicKeys,
		CallbackKeys: func(ctx context.Context) (jose.JSONWebKeySet, error) { return o.Webhooks.Callbacks.Public(ctx) }, // nil in tests
	}.Handlers()
	if err != nil {
		return nil, err
	}
	read := pages.New(st.DB, st.Pages, st.Assets, o.PageCache)
	read.AssetURL, read.PublicURL, read.OpenBlob = o.Assets.URL, o.Addresses.Public, o.Assets.OpenBlob
	places := outline.New(st)
	var site *reader.Service
	place := ""
	if o.Site.Served {
		if site, err = reader.New(reader.Options{
			Store: st, Outline: places, Pages: read, Search: o.Search, PublicURL: o.Addresses.Public, SiteURL: o.Site.URL, Cache: o.Site.Cache, FileURL: o.Assets.URL, Term: o.Assets.Term,
		}); err != nil {
			return nil, err
		}
		place = site.Location().Path
	}
	verifier := authserver.NewVerifier(c.Auth, st.Accounts.Grants, st.Sites.Suggestions, e.Now)
	people, err := authserver.New(authserver.Options{
		Env: e.auth(), IDs: ids, Log: e.Log, Accounts: st.Accounts, Tokens: c.Tokens, Verify: verifier, Suggestions: st.Sites.Suggestions, Refusals: c.Refusals,
		Issuer: o.Addresses.Auth, Resource: o.Addresses.Public, Style: style, Site: place, Studio: studioPath, Passwords: o.Passwords, Provider: o.Provider, Outbox: o.Outbox, Mails: st.Mails, ForgetPerson: store.ForgetPerson, Address: httpapi.Address, Trace: httpapi.Trace,
	})
	if err != nil {
		return nil, err
	}
	quotas := quota.New(quota.Options{Now: e.Now, Source: st.Quotas(), Log: e.Log})
	var answered func(string, int, time.Duration, int64)
	if o.Metrics != nil {
		observe(context.WithoutCancel(ctx), e.Now, o.Metrics, st, quotas, read)
		answered = o.Metrics.Request
	}
	served := people.Handlers()
	if o.NoSignIn {
		maps.DeleteFunc(served, func(path string, _ map[string]http.Handler) bool { // 401 responses name the description of the API
			return !strings.HasPrefix(path, authserver.ResourcePath)
		})
	}
	if o.Studio && !o.NoSignIn {
		start := ""
		if site != nil {
			start = strings.TrimRight(site.Start(), "/")
		}
		program, err := studio.New(studio.Options{Root: pathOf(o.Addresses.Auth), API: o.Addresses.Public + "/" + o.Versions[0], Site: start, Style: reader.Style(), Product: o.Product, Random: e.Random})
		if err != nil {
			return nil, err
		}
		static[studio.Path], static[studio.Path+"/*"] = program.Serve, program.Serve
	}
	api := httpapi.Options{Static: static, Served: served, SearchAlone: o.SearchAlone}
	api.Pages.Outline, api.Pages.Language, api.Search.Language, api.Exports.Language = places, st.Sites.Language, st.Sites.Language, st.Sites.Language
	api.Pages.Service, api.Assets.Service, api.Assets.MaxUpload = read, o.Assets, o.MaxUpload
	api.Search.Service, api.Exports.Service, api.Webhooks.Service = o.Search, o.Exports, o.Webhooks
	api.Settings.Sites = st.Sites
	api.Imports.Service = o.Imports
	api.Proposals.Service, api.Proposals.Pages = Proposals(st, read), read
	api.Events.Feed = st.Log
	api.Admin.Keys, api.Admin.Store, api.Admin.Server, api.Admin.Search, api.Admin.Product = c.Keys, st, people, o.Search, o.Product
	if site != nil {
		api.Site.Service, api.Site.Assets, api.Site.Sites, api.Site.Visitor, api.Site.Limit, api.Site.Studio = site, o.Assets, st.Sites, people.Visitor, o.Site.Limit, studioPath
		api.Site.Anybody = func(ctx context.Context) (bool, error) {
			if o.Provider != nil { // people who sign in there are added
				return true, nil
			}
			return st.Accounts.Users.Any(ctx)
		}
		api.Site.Public = func(ctx context.Context) (bool, error) {
			if o.Site.Public || !o.Site.Demo {
				return o.Site.Public, nil
			}
			somebody, err := st.Accounts.Users.Any(ctx)
			return !somebody, err
		}
	}
	api.Auth, api.Idempotency, api.IDs, api.Quotas, api.CursorKey = verifier, st.DB, ids, quotas, cursorKey
	api.Random, api.Now, api.Log, api.Trace, api.Observe, api.Serving = e.Random, e.Now, e.Log, e.Trace, answered, ctx
	api.PublicURL, api.SearchURL, api.Versions = o.Addresses.Public, o.Addresses.Search, o.Versions
	api.Regions, api.RegionURLs = o.Regions, o.RegionURLs
	api.RateLimit, api.MaxBody, api.Memory = o.RateLimit, o.MaxBody, o.Memory
	api.CORSOrigins, api.TrustedProxies = o.CORSOrigins, o.TrustedProxies
	if o.Studio && !strings.HasPrefix(o.Addresses.Public+"/", people.Origin()+"/") && !slices.Contains(o.CORSOrigins, "*") {
		api.CORSOrigins = append(slices.Clone(o.CORSOrigins), people.Origin()) // Studio sends requests from there
	}
	return httpapi.New(api)
}
