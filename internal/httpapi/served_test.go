package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/octavotest"
)

// What signs people in has names in the log, however it is asked for; what is
// nothing has none.
func TestOperationsOfSigningIn(t *testing.T) {
	for _, c := range []struct{ method, path, want string }{
		{http.MethodPost, "/oauth/token", "operation=/oauth/token status=400"},
		{http.MethodGet, "/oauth/token?x=y", "operation=/oauth/token status=405"},
		{http.MethodGet, "/login?next=x", "operation=/login status=200"},
		{http.MethodGet, "/oauth/other", "operation=none status=404"},
	} {
		log := &octavotest.Log{}
		s := octavotest.Start(t, octavotest.Options{Log: log})
		send(t, s, c.method, c.path, "")
		if have := log.String(); !strings.Contains(have, c.want) {
			t.Errorf("%s %s: have %q, want %q", c.method, c.path, have, c.want)
		}
	}
}
