package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTimesOfJSON: what --json tells has times of one form, that of the API.
func TestTimesOfJSON(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "d")
	form := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	for _, c := range []struct{ args, member string }{
		{"keys create --name n --scopes pages:read --expires 1h", "expiresAt"},
		{"keys list", "createdAt"},
		{"tokens issue --scopes pages:read", "expiresAt"},
		{"clients add --name n --redirect-uri https://a.example/cb", "createdAt"},
		{"backup " + filepath.Join(t.TempDir(), "b.tar"), "createdAt"},
	} {
		out, said := &strings.Builder{}, &strings.Builder{}
		if code := Run(t.Context(), append(strings.Fields(c.args), "--json", "--data", data), strings.NewReader(""), out, said); code != exitDone {
			t.Errorf("%s: have %d, %q", c.args, code, said)
			continue
		}
		var told map[string]any
		if err := json.Unmarshal([]byte(out.String()), &told); err != nil {
			t.Errorf("%s: %v in %q", c.args, err, out)
		}
		if text, _ := told[c.member].(string); !form.MatchString(text) {
			t.Errorf("%s: have %s %q, want three digits of a second", c.args, c.member, text)
		}
	}
}
