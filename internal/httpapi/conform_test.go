package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/conform"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// credentials makes everything that the scripts send.
func credentials(t *testing.T, s *octavotest.Server) map[string]conform.Credential {
	t.Helper()
	token := func(scopes string, published bool) conform.Credential {
		subject := fmt.Sprint("tester of ", scopes, published)
		return conform.Credential{Secret: s.Token(t, auth.Grant{Subject: subject, Scopes: octavotest.Scopes(t, scopes), PublishedOnly: published})}
	}
	key := func(r auth.KeyRequest) conform.Credential {
		return conform.Credential{Scheme: conform.APIKey, Secret: s.Key(t, r)}
	}
	search := key(auth.KeyRequest{Kind: octavo.KeySearch})
	search.Scheme = conform.QueryKey
	return map[string]conform.Credential{
		"reader": token("pages:read", false), "writer": token("pages:write", false), "admin": token("admin", false),
		"proposer": token("pages:propose", false), "published-proposer": token("pages:propose", true),
		"published":  token("pages:read", true),
		"expired":    {Secret: s.ExpiredToken(t, auth.Grant{Scopes: octavo.ScopeRead})},
		"reader-key": key(auth.KeyRequest{Scopes: octavo.ScopeRead}), "writer-key": key(auth.KeyRequest{Scopes: octavo.ScopeWrite}),
		"published-key": key(auth.KeyRequest{Scopes: octavo.ScopeRead, PublishedOnly: true}),
		"search-key":    search,
	}
}

// Scripts that need a server of their own: with a quota of five requests, and
// without its first events.
func spent(name string) bool   { return name == "26-rate-limit-spent.txt" }
func removed(name string) bool { return name == "39-events-gone.txt" }

// usual are those that every server can be held to.
func usual(name string) bool { return !spent(name) && !removed(name) }

// runScripts runs contract scripts with everything that they may need.
func runScripts(t *testing.T, s *octavotest.Server, o conform.Options) conform.Report {
	t.Helper()
	o.Scripts, o.Document, o.BaseURL, o.RequireAll, o.Closed = api.Scripts(), api.Document(), s.URL, true, true
	if o.Credentials == nil {
		o.Credentials = credentials(t, s)
	}
	report, err := conform.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestContractScripts runs every script in process and over HTTP, on SQLite
// and on PostgreSQL.
func TestContractScripts(t *testing.T) {
	for _, db := range []string{"sqlite", "postgres"} {
		for _, way := range []string{"inprocess", "http"} {
			t.Run(db+"/"+way, func(t *testing.T) {
				t.Parallel()
				o := octavotest.Options{RateLimit: 1_000_000, Schedule: true, Search: true, Export: true}
				if db == "postgres" {
					o.PostgresURL = octavotest.Postgres(t)
				}
				s := octavotest.Start(t, o)
				var transport http.RoundTripper
				if way == "inprocess" {
					transport = octavotest.InProcess(s.Handler)
				}
				if report := runScripts(t, s, conform.Options{Select: usual, Transport: transport, Unique: "t"}); report.Failed() {
					t.Error(report)
				}
			})
		}
	}
}

// TestContractScriptsOfAssetsInABucket runs those that are about files with
// the files in a bucket.
func TestContractScriptsOfAssetsInABucket(t *testing.T) {
	t.Parallel()
	bucket, err := blob.OpenS3(t.Context(), testenv.S3(t))
	if err != nil {
		t.Fatal(err)
	}
	s := octavotest.Start(t, octavotest.Options{RateLimit: 1_000_000, Blobs: bucket})
	report := runScripts(t, s, conform.Options{Select: func(name string) bool { return strings.HasPrefix(name, "33") }, Unique: "t"})
	if report.Failed() {
		t.Error(report)
	}
}

func TestContractScriptOfASpentQuota(t *testing.T) {
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			o := octavotest.Options{RateLimit: 5}
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			report := runScripts(t, octavotest.Start(t, o), conform.Options{
				Select: spent, Unique: "t", Parameters: map[string]string{"quota-of-five": "yes"},
			})
			if report.Failed() {
				t.Error(report)
			}
		})
	}
}

func TestContractScriptOfRemovedEvents(t *testing.T) {
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			var moved atomic.Int64
			o := octavotest.Options{Now: func() time.Time { return time.Now().Add(time.Duration(moved.Load())) }}
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			s := octavotest.Start(t, o)
			publish(t, s, "removed", "")
			moved.Store(int64(changelog.DefaultKeepChanges + time.Hour))
			publish(t, s, "kept", "")
			if _, err := s.Store.Sweep(t.Context(), octavo.Actor{}); err != nil {
				t.Fatal(err)
			}
			report := runScripts(t, s, conform.Options{Select: removed, Unique: "t", Parameters: map[string]string{"events-removed": "yes"}})
			if report.Failed() {
				t.Error(report)
			}
		})
	}
}

// TestScriptsCatchFaults proves the worth of the scripts: each fault that is
// put between them and a sound server must make some script fail, and what puts
// it there none.
func TestScriptsCatchFaults(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{RateLimit: 1_000_000, Search: true, Export: true})
	c := credentials(t, s)
	run := func(t *testing.T, f fault, unique string) conform.Report {
		return runScripts(t, s, conform.Options{
			Select:    func(name string) bool { return strings.HasPrefix(name, f.script) && usual(name) },
			Transport: octavotest.InProcess(f.wrap(s.Handler)), Unique: unique, Credentials: c,
		})
	}
	sound := map[string]bool{}
	for i, f := range faults(c) {
		if !sound[f.script] { // else the script would fail without any fault
			sound[f.script] = true
			none := fault{script: f.script, wrap: onAnswer(func(*http.Request, *httptest.ResponseRecorder) {})}
			if report := run(t, none, fmt.Sprintf("n%d", i)); report.Failed() {
				t.Errorf("without a fault: %v", report)
			}
		}
		t.Run(f.name, func(t *testing.T) {
			if !run(t, f, fmt.Sprintf("f%d", i)).Failed() {
				t.Errorf("script %s does not notice it", f.script)
			}
		})
	}
}
