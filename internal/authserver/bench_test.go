package authserver_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store"
)

// BenchmarkRefresh rotates refresh tokens over HTTP on SQLite, each client its
// own family.
func BenchmarkRefresh(b *testing.B) {
	s := octavotest.Start(b, octavotest.Options{})
	user := addUser(b, s, "ann@example.com", octavo.RoleEditor)
	addClient(b, s, "cli_server", false, callback)
	transport := &http.Transport{MaxIdleConnsPerHost: 256}
	b.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	var families atomic.Int64
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		family, own := fmt.Sprintf("%043d", families.Add(1)), fmt.Sprintf("%043d", 0)
		g := store.Grant{
			ID: octavo.ID("grt_" + family), User: user, ClientID: "cli_server", Scope: "pages:write offline_access", RedirectURI: callback,
			Code: sha256.Sum256([]byte(family)), ExpiresAt: time.Now().Add(time.Hour),
		}
		next := store.Next{Family: sha256.Sum256([]byte(family)), Token: sha256.Sum256([]byte(own)), ExpiresAt: time.Now().Add(time.Hour)}
		err := s.Store.AddGrant(b.Context(), store.Cause{}, g)
		if err == nil {
			_, err = s.Store.RedeemCode(b.Context(), store.Cause{}, g.Code, next, func(store.Grant) error { return nil })
		}
		if err != nil {
			b.Error(err)
			return
		}
		token := "ort_" + family + own
		for pb.Next() {
			form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}, "client_id": {"cli_server"}, "client_secret": {secretText}}
			resp, err := client.PostForm(s.URL+"/oauth/token", form)
			if err != nil {
				b.Error(err)
				return
			}
			var answer struct {
				Refresh string `json:"refresh_token"`
			}
			err = json.NewDecoder(resp.Body).Decode(&answer)
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if err != nil || answer.Refresh == "" {
				b.Errorf("have %d, %v", resp.StatusCode, err)
				return
			}
			token = answer.Refresh
		}
	})
}
