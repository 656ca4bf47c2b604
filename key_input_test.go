package octavo_test

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

func TestDecodeKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		strict bool
		want   string // paths of the faults
	}{
		{`{"name": "a"}`, false, ""},
		{`{"name": "a", "kind": "search", "scopes": ["pages:read", "pages:propose", "admin"], "publishedOnly": true, "filter": {"tags": ["x"]}, "rateLimit": 1, "expiresAt": null}`, true, ""},
		{`{"name": "a", "rateLimit": 1e3, "expiresAt": "2030-01-01T00:00:00Z"}`, true, ""},
		{`{}`, false, "/name"},
		{`[]`, false, ""},
		{`{"name": 1, "kind": 2, "scopes": "admin", "publishedOnly": "no", "filter": [], "rateLimit": "1", "expiresAt": 5}`, false, "/name /kind /scopes /publishedOnly /filter /rateLimit /expiresAt"},
		{`{"name": "a", "scopes": []}`, false, "/scopes"},
		{`{"name": "a", "scopes": ["pages:read", "pages:read", "root", "pages:read admin", "", 1]}`, false, "/scopes/5 /scopes/1 /scopes/2 /scopes/3 /scopes/4"},
		{`{"name": "a", "filter": {"tags": ["x", 2]}}`, false, "/filter/tags/1"},
		{`{"name": "a", "filter": {"x": 1}, "y": 2}`, false, ""},
		{`{"name": "a", "filter": {"x": 1}, "y": 2}`, true, "/filter/x /y"},
		{`{"name": "a", "rateLimit": 0, "expiresAt": "tomorrow"}`, false, "/rateLimit /expiresAt"},
		{`{"name": "a", "rateLimit": 1.5}`, false, "/rateLimit"},
		{`{"name": "a", "rateLimit": 1000000001}`, false, "/rateLimit"},
	} {
		paths := faultPaths(t, c.text, func(v octavo.Value) error { _, err := octavo.DecodeKeyCreate(v, c.strict); return err })
		if have := strings.Join(paths, " "); have != c.want {
			t.Errorf("%s strict=%v: have faults at %q, want %q", c.text, c.strict, have, c.want)
		}
	}
	for text, want := range map[string]string{
		`{}`: "", `{"gracePeriod": 0, "expiresAt": null}`: "", `{"gracePeriod": 86400}`: "",
		`{"gracePeriod": -1}`: "/gracePeriod", `{"gracePeriod": "1d", "expiresAt": true}`: "/gracePeriod /expiresAt", `{"x": 1}`: "/x",
	} {
		paths := faultPaths(t, text, func(v octavo.Value) error { _, err := octavo.DecodeKeyRotate(v, true); return err })
		if have := strings.Join(paths, " "); have != want {
			t.Errorf("%s: have faults at %q, want %q", text, have, want)
		}
	}
}
