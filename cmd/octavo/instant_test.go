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
	data, key := filepath.Join(t.TempDir(), "d"), ""
	form := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	file := filepath.Join(t.TempDir(), "b.tar")
	for _, c := range []struct{ args, member string }{
		{"keys create --name n --scopes pages:read --expires 1h", "expiresAt"},
		{"keys list", "createdAt"},
		{"keys rotate KEY --grace 1h", "rotatedAt"},
		{"tokens issue --scopes pages:read", "expiresAt"},
		{"clients add --name n --redirect-uri https://a.example/cb", "createdAt"},
		{"clients list", "createdAt"},
		{"users add --name n --password-stdin n@example.com", "createdAt"},
		{"users list", "createdAt"},
		{"backup " + file, "createdAt"},
		{"restore " + file, "createdAt"},
	} {
		out, said, folder := &strings.Builder{}, &strings.Builder{}, data
		if strings.HasPrefix(c.args, "restore ") {
			folder = filepath.Join(t.TempDir(), "d")
		}
		args := append(strings.Fields(strings.ReplaceAll(c.args, "KEY", key)), "--json", "--data", folder)
		if code := Run(t.Context(), args, strings.NewReader("correct horse battery"), out, said); code != exitDone {
			t.Errorf("%s: have %d, %q", c.args, code, said)
			continue
		}
		var told map[string]any
		if err := json.NewDecoder(strings.NewReader(out.String())).Decode(&told); err != nil { // the first of a list
			t.Errorf("%s: %v in %q", c.args, err, out)
		}
		if _, found := told[c.member]; !found {
			t.Errorf("%s: have no %s in %s", c.args, c.member, out)
		}
		for name, value := range told { // all members that are times have names of this form
			if text, _ := value.(string); strings.HasSuffix(name, "At") && !form.MatchString(text) {
				t.Errorf("%s: have %s %q, want three digits of a second", c.args, name, text)
			}
		}
		if id, ok := told["id"].(string); ok && strings.HasPrefix(c.args, "keys create") {
			key = id
		}
	}
}
