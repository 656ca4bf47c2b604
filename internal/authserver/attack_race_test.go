package authserver_test

import (
	"net/url"
	"sync"
	"testing"
)

// If a code or a refresh token is used concurrently, one use gets tokens, and then they
// are all revoked: the secret has leaked.
func TestSecretsUsedAtOnce(t *testing.T) {
	w := newWorld(t)
	for name, form := range map[string]func() url.Values{
		"code": func() url.Values {
			return url.Values{"grant_type": {"authorization_code"}, "code": {w.code()}, "redirect_uri": {callback}, "code_verifier": {w.verifier}}
		},
		"refresh token": func() url.Values {
			return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {w.redeem(w.code()).Refresh}}
		},
	} {
		pairs := []string{}
		for key, values := range form() {
			pairs = append(pairs, key, values[0])
		}
		replies := make([]reply, 8)
		var group sync.WaitGroup
		for i := range replies {
			group.Go(func() { replies[i] = w.ask("/oauth/token", pairs...) })
		}
		group.Wait()
		won := 0
		for _, r := range replies {
			if r.StatusCode != 200 {
				r.refused(t, name+", too late", 400, "invalid_grant")
				continue
			}
			won++
			if status := callAPI(t, w.Server, r.Access, "/v1/pages"); status != 401 {
				t.Errorf("%s: the access token: have %d, want 401", name, status)
			}
			w.refresh(r.Refresh).refused(t, name+": the refresh token", 400, "invalid_grant")
		}
		if won != 1 {
			t.Errorf("%s: %d got tokens, want 1", name, won)
		}
	}
}
