package authserver_test

import (
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// BenchmarkReadsBesideLogins reads a page from 16 connections, alone and while
// 50 people a second sign in with the right password at its full cost. Reads
// are to keep half their number and three times their p99.
func BenchmarkReadsBesideLogins(b *testing.B) {
	s := octavotest.Start(b, octavotest.Options{Passwords: authserver.DefaultCost()})
	hash, err := authserver.HashPassword(rand.Reader, authserver.DefaultCost(), password)
	if err != nil {
		b.Fatal(err)
	}
	ann := addUser(b, s, "ann@example.com", octavo.RoleReader)
	if err := s.Store.Accounts.Users.SetPassword(b.Context(), sqldb.Cause{}, ann.ID, hash, ""); err != nil {
		b.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 256}
	b.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	page := makePage(b, s, client)
	reader := "Bearer " + s.Token(b, auth.Grant{Scopes: octavo.ScopeRead})
	form, cookie := loginForm(b, s)
	for b.Loop() {
		alone, aloneWorst := read(b, client, page, reader)
		var in, busy atomic.Int64
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			var group sync.WaitGroup
			defer group.Wait()
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-stop:
					return
				case <-tick.C:
				}
				group.Go(func() {
					switch status := exchange(b, client, "POST", s.URL+"/login", form, "Cookie", cookie); status {
					case http.StatusSeeOther:
						in.Add(1)
					case http.StatusTooManyRequests:
						busy.Add(1)
					default:
						b.Errorf("a sign-in is answered %d", status)
					}
				})
			}
		}()
		beside, besideWorst := read(b, client, page, reader)
		close(stop)
		<-stopped
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(alone, "reads/s-alone")
		b.ReportMetric(beside/alone, "reads-kept")
		b.ReportMetric(float64(aloneWorst.Microseconds()), "p99-µs-alone")
		b.ReportMetric(float64(besideWorst)/float64(aloneWorst), "p99-times")
		b.ReportMetric(float64(in.Load()), "signed-in")
		b.ReportMetric(float64(busy.Load()), "turned-away")
	}
}

// read reads for three seconds, and returns how many reads a second there were
// and the time within which 99 of 100 were answered.
func read(b *testing.B, client *http.Client, page, authorization string) (perSecond float64, p99 time.Duration) {
	const long, readers = 3 * time.Second, 16
	took := make([][]time.Duration, readers)
	begin := time.Now()
	var group sync.WaitGroup
	for i := range took {
		group.Go(func() {
			for time.Since(begin) < long {
				start := time.Now()
				if status := exchange(b, client, "GET", page, "", "Authorization", authorization); status != http.StatusOK {
					b.Errorf("a read is answered %d", status)
					return
				}
				took[i] = append(took[i], time.Since(start))
			}
		})
	}
	group.Wait()
	all := slices.Sorted(slices.Values(slices.Concat(took...)))
	return float64(len(all)) / time.Since(begin).Seconds(), all[len(all)*99/100]
}

// exchange sends a request, reads the answer and returns its status.
func exchange(b *testing.B, client *http.Client, method, address, form, name, value string) int {
	req, err := http.NewRequestWithContext(b.Context(), method, address, strings.NewReader(form))
	if err != nil {
		b.Error(err)
		return 0
	}
	req.Header.Set(name, value)
	if form != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := client.Do(req)
	if err != nil {
		b.Error(err)
		return 0
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode
}

// makePage creates a page and returns its address.
func makePage(b *testing.B, s *octavotest.Server, client *http.Client) string {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), "POST", s.URL+"/v1/pages", strings.NewReader(`{"title": "A", "slug": "a", "content": "x", "status": "published"}`))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.Token(b, auth.Grant{Scopes: octavo.ScopeWrite}))
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // its header is read
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.Header.Get("Location")
}

// loginForm returns a filled-in sign-in form and its cookie.
func loginForm(b *testing.B, s *octavotest.Server) (form, cookie string) {
	b.Helper()
	page := newBrowser(b, s).get("/login")
	token := hiddenPattern.FindStringSubmatch(page.body)[2]
	name, _, _ := strings.Cut(page.Header.Get("Set-Cookie"), ";")
	return url.Values{"token": {token}, "email": {"ann@example.com"}, "password": {password}}.Encode(), name
}
