package config

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
)

// minSecretKey is the minimum length of a secret key. The key must be random: it is not
// stretched like a password.
const minSecretKey = 32

// minKeepChanges is longer than any follower of the change log is away during a restart.
const minKeepChanges = time.Hour

// minMemory is what an almost idle server needs, and as much again for requests.
const minMemory Size = 64 << 20

// maxUpload is the largest file in a bucket: 10,000 parts of 5 MiB.
const maxUpload Size = 48 << 30

// Check checks the options together. It reports all violations, with option names and
// remedies.
func (s *Storage) Check() error {
	all := faults{s.DatabaseURL.check(), s.BlobURL.check()}
	all.add(s.Data == "", "--data must name a folder")
	n := utf8.RuneCountInString(string(s.SecretKey))
	all.add(n > 0 && n < minSecretKey, "--secret-key has %d characters and needs at least %d: make one with `openssl rand -base64 32`", n, minSecretKey)
	return errors.Join(all...)
}

// Check checks the options together, like Storage.Check.
func (o *Options) Check() error {
	all := faults{o.Storage.Check(), o.Outside.check(o.issuer()), o.SignIn.check(o.issuer()), o.Mail.check()}
	add := all.add
	add(o.Addr == "", "--addr must be an address to listen on, such as 127.0.0.1:8080")
	add(o.Addr != "" && o.Addr == o.OpsAddr && !o.Addr.anyPort(), "--addr and --ops-addr are both %s: give --ops-addr another port", o.Addr)
	add(len(o.Versions) == 0, "--versions must name at least one version: v1 or v2")
	add(repeats(o.Versions), "--versions names a version twice")
	add(repeats(o.Regions), "--regions names a region twice")
	add(len(o.Regions) == 0, "--regions must name at least one region: us, eu or apac")
	add(repeats(o.Roles), "--process-roles names a role twice")
	add(len(o.Roles) == 0, "--process-roles must name at least one role: api, search, worker, auth or site")
	site := o.Site != SiteOff && slices.Contains(o.Roles, RoleSite)
	add(site && !slices.Contains(o.Roles, RoleSearch), "--process-roles has site without search, which the site needs: add search")
	add(site && o.Site == SiteMembers && o.AuthURL != "" && !o.AuthURL.sameOrigin(o.PublicURL),
		"--site members needs the sign-in on the same origin, but --auth-url and --public-url differ: give --site public or --site off")
	if site && o.SiteURL != "" {
		o.checkSiteURL(add)
	}
	add(o.SiteLimit < 0, "--site-rate-limit is %d: give the requests allowed in 60 seconds, or 0 for no limit", o.SiteLimit)
	add(o.SiteCache > o.MaxMemory/4, "--site-cache is %s: give at most a quarter of --max-memory", o.SiteCache)
	for _, field := range sortedKeys(o.Weights) {
		err := oneOf(field, weighed()...)
		add(err != nil, "--search-weights: %w", err)
		add(!o.Weights[field].valid(), "--search-weights gives %s the weight %q: give a number above 0, up to 100", field, o.Weights[field])
	}
	for _, region := range sortedKeys(o.RegionURLs) {
		err := oneOf(region, "us", "eu", "apac")
		add(err != nil, "--region-urls: %w", err)
		add(slices.Contains(o.Regions, Region(region)), "--region-urls redirects %s to another server, but --regions serves it here: remove it from one of them", region)
		add(o.RegionURLs[region] == "", "--region-urls gives no address for %s: write %s=https://…", region, region)
	}
	add(o.RateLimit < 0, "--rate-limit is %d: give the requests allowed in 60 seconds, or 0 for no limit", o.RateLimit)
	add(o.MaxMemory < minMemory || o.MaxMemory/2 < o.PageCache, "--max-memory is %s: give at least %s, and twice --page-cache", o.MaxMemory, minMemory)
	add(o.Passes < octavo.MinPasses || o.Passes > octavo.MaxPasses, "--password-passes is %d: give a number from %d to %d", o.Passes, octavo.MinPasses, octavo.MaxPasses)
	add(o.Changes.Duration < minKeepChanges, "--change-retention is %s: give at least %s", o.Changes, minKeepChanges)
	add(o.AssetLife != 0 && (o.AssetLife < time.Minute || o.AssetLife > 365*24*time.Hour), "--asset-url-lifetime is %s: give a time from 1m to 8760h, or 0s for addresses that never expire", o.AssetLife)
	add(o.MaxBody == 0, "--max-body is 0: give the largest accepted body, such as 2MiB")
	add(o.MaxBody > o.MaxMemory/2, "--max-body is %s: give at most half of --max-memory, which is for requests", o.MaxBody)
	add(o.MaxUpload == 0, "--max-upload is 0: give the largest accepted file, such as 50MiB")
	add(o.MaxUpload > maxUpload, "--max-upload is %s: give at most %s", o.MaxUpload, maxUpload)
	add(o.MaxImport == 0 || o.MaxImport > maxUpload, "--max-import is %s: give the largest accepted zip, such as 1GiB, up to %s", o.MaxImport, maxUpload)
	add(o.Drain < 0 || o.Drain > time.Hour, "--drain is %s: give a time from 0s to 1h", o.Drain)
	add(o.Shutdown < 0 || o.Shutdown > time.Hour, "--shutdown-timeout is %s: give a time from 0s to 1h", o.Shutdown)
	return errors.Join(all...)
}

func (o *Options) checkSiteURL(add func(bool, string, ...any)) {
	site, public := o.SiteURL.parts(), o.PublicURL.parts()
	if o.SiteURL.host() != o.PublicURL.host() {
		add(o.Site == SiteMembers, "--site-url is on another host than --public-url, and members are not signed in there: give --site public, or a path below --public-url")
		add(site.Path != "", "--site-url is %s, which is not below --public-url: on its own host the site is at the root, so give no path", o.SiteURL)
		return
	}
	plain := regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`).MatchString(site.EscapedPath())
	add(site.Scheme != public.Scheme || !plain || !strings.HasPrefix(site.Path, public.Path+"/"),
		"--site-url is %s: give it a plain path below --public-url, as in %s/handbook", o.SiteURL, o.PublicURL)
}

// faults are the violated rules.
type faults []error

func (f *faults) add(broken bool, format string, args ...any) {
	if broken {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

// issuer is the configured issuer of the server's tokens.
func (o *Options) issuer() URL { return cmp.Or(o.AuthURL, o.PublicURL) }

func repeats[T cmp.Ordered](list []T) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(list)))) < len(list)
}

// anyPort reports whether the system chooses the port.
func (a Address) anyPort() bool { return strings.HasSuffix(string(a), ":0") }
