package config

import (
	"strings"
	"testing"
)

// TestSiteURL: the site may have a host of its own if everybody reads it, or a path on
// that of the server.
func TestSiteURL(t *testing.T) {
	for _, tt := range []struct{ public, site, mode, want string }{
		{"https://a.example", "https://docs.example", "public", ""},
		{"https://a.example", "https://docs.example", "members", "members are not signed in there"},
		{"https://a.example", "https://docs.example/x", "public", "give no path"},
		{"https://a.example", "https://a.example/x/y", "members", ""},
		{"https://a.example/x", "https://a.example/y", "members", "give it a plain path below --public-url"},
		{"https://a.example", "https://a.example", "public", "give it a plain path below --public-url"},
		{"https://a.example", "http://a.example/y", "public", "give it a plain path below --public-url"},
		{"https://a.example", "https://A.example:443/x", "members", ""},
		{"https://a.example", "https://a.example/a/../v1", "public", "give it a plain path below --public-url"},
		{"https://a.example", "https://a.example/a//b", "public", "give it a plain path below --public-url"},
		{"https://a.example", "https://a.example/*", "public", "give it a plain path below --public-url"},
		{"https://a.example", "https://a.example/a%20b", "public", "give it a plain path below --public-url"},
	} {
		_, err := parse(t, "--public-url="+tt.public, "--site-url="+tt.site, "--site="+tt.mode)
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: have %v", tt, err)
		}
	}
}
