package authserver_test

import (
	"testing"
	"time"
)

// TestTokensOutliveAFailure: while the keys that sign cannot be read nobody gets
// tokens, and nobody loses the code or the refresh token that they have.
func TestTokensOutliveAFailure(t *testing.T) {
	for name, use := range map[string]func(w *world) func() reply{
		"code": func(w *world) func() reply {
			code := w.code()
			return func() reply { return w.redeem(code) }
		},
		"refresh token": func(w *world) func() reply {
			token := w.redeem(w.code()).Refresh
			return func() reply { return w.refresh(token) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ask := use(w)
			const unreadable = "signing/unreadable"
			if err := w.Store.Accounts.Secrets.Add(t.Context(), "signing/", unreadable, []byte{9}); err != nil {
				t.Fatal(err)
			}
			w.now = w.now.Add(2 * time.Second) // the keys are read anew
			ask().refused(t, "while a key cannot be read", 500, "server_error")
			if err := w.Store.Accounts.Secrets.Delete(t.Context(), unreadable); err != nil {
				t.Fatal(err)
			}
			if r := ask(); r.StatusCode != 200 {
				t.Errorf("once it can: have %d %s, want tokens", r.StatusCode, r.body)
			}
		})
	}
}
