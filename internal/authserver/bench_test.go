package authserver_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// refreshing is how many clients refresh at once.
const refreshing = 64

// BenchmarkRefresh rotates refresh tokens over HTTP on SQLite, each client its
// own family, and checks that against what no server of such tokens does
// without: net/http, an ES256 signature for each, and a disk that has the new
// token before the answer goes out.
func BenchmarkRefresh(b *testing.B) {
	s := octavotest.Start(b, octavotest.Options{})
	addClient(b, s, "cli_server", false, callback)
	user := addUser(b, s, "ann@example.com", octavo.RoleEditor)
	transport := &http.Transport{MaxIdleConnsPerHost: 2 * refreshing}
	b.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	families := make([]string, refreshing)
	for i := range families {
		families[i] = startFamily(b, s, user.ID, i)
	}
	answer := refreshOnce(b, client, s.URL, &families[0])
	bound := boundOfRefresh(b, answer)
	var refreshes, bounds float64
	for b.Loop() {
		refreshes += perSecond(func(i int) bool { return refreshOnce(b, client, s.URL, &families[i]) != "" })
		bounds += perSecond(func(i int) bool { return refreshOnce(b, client, bound, new(families[i])) != "" })
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(refreshes/float64(b.N), "refreshes/s")
	b.ReportMetric(bounds/float64(b.N), "bound/s")
	b.ReportMetric(refreshes/bounds, "of-bound")
}

// perSecond lets every client work for two seconds, and returns how often a
// second they did so together.
func perSecond(do func(client int) bool) float64 {
	const long = 2 * time.Second
	var done atomic.Int64
	begin := time.Now()
	var group sync.WaitGroup
	for i := range refreshing {
		group.Go(func() {
			for time.Since(begin) < long && do(i) {
				done.Add(1)
			}
		})
	}
	group.Wait()
	return float64(done.Load()) / time.Since(begin).Seconds()
}

// startFamily makes a grant and returns its first refresh token.
func startFamily(b *testing.B, s *octavotest.Server, user octavo.ID, i int) string {
	b.Helper()
	family, own := fmt.Sprintf("%043d", i), fmt.Sprintf("%043d", 0)
	g := accounts.Grant{
		ID: octavo.ID("grt_" + family), User: accounts.User{User: octavo.User{ID: user}}, ClientID: "cli_server",
		Scope: "pages:write offline_access", RedirectURI: callback,
		Code: sha256.Sum256([]byte(family)), ExpiresAt: time.Now().Add(time.Hour),
	}
	next := accounts.Next{Family: sha256.Sum256([]byte(family)), Token: sha256.Sum256([]byte(own)), ExpiresAt: time.Now().Add(time.Hour)}
	if err := s.Store.Accounts.Grants.Add(b.Context(), sqldb.Cause{}, g); err != nil {
		b.Fatal(err)
	}
	if _, err := s.Store.Accounts.Grants.RedeemCode(b.Context(), sqldb.Cause{}, g.Code, next, func(accounts.Grant) error { return nil }); err != nil {
		b.Fatal(err)
	}
	return "ort_" + family + own
}

// refreshOnce uses a refresh token, puts the next one in its place, and returns
// the answer; "" when it failed.
func refreshOnce(b *testing.B, client *http.Client, server string, token *string) string {
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {*token}, "client_id": {"cli_server"}, "client_secret": {secretText}}
	req, err := http.NewRequestWithContext(b.Context(), "POST", server+"/oauth/token", strings.NewReader(form.Encode()))
	if err != nil {
		b.Error(err)
		return ""
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := client.Do(req)
	if err != nil {
		b.Error(err)
		return ""
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	var answer struct {
		Refresh string `json:"refresh_token"`
	}
	if err != nil || json.Unmarshal(text, &answer) != nil || answer.Refresh == "" {
		b.Errorf("have %d, %q, %v", resp.StatusCode, text, err)
		return ""
	}
	*token = answer.Refresh
	return string(text)
}

// boundOfRefresh serves answer after one signature and one synced write, which concurrent
// requests share. It returns its address.
func boundOfRefresh(b *testing.B, answer string) string {
	b.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	log, err := os.CreateTemp(b.TempDir(), "log")
	if err != nil {
		b.Fatal(err)
	}
	const record = 4096 // a page of a database
	queue := make(chan chan error, refreshing)
	var group sync.WaitGroup
	group.Go(func() {
		for first := range queue {
			waiting := []chan error{first}
			for len(queue) > 0 {
				waiting = append(waiting, <-queue)
			}
			_, err := log.Write(make([]byte, len(waiting)*record))
			if err == nil {
				err = log.Sync()
			}
			for _, w := range waiting {
				w <- err
			}
		}
	})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			b.Error(err)
		}
		written := make(chan error, 1)
		queue <- written
		if err := <-written; err != nil {
			b.Error(err)
		}
		sum := sha256.Sum256([]byte(r.PostForm.Get("refresh_token")))
		if _, err := ecdsa.SignASN1(rand.Reader, key, sum[:]); err != nil {
			b.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	}))
	b.Cleanup(func() {
		srv.Close()
		close(queue)
		group.Wait()
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	return srv.URL
}
