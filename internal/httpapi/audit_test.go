package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestExportAudit: as JSON lines the log comes whole, in order, in
// more slices than one, and the filters hold all the way.
func TestExportAudit(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	const n = 1203
	for i := range n {
		action := octavo.KeyCreated
		if i%3 == 0 {
			action = octavo.KeyRevoked
		}
		err := s.Store.Accounts.Audit.Record(t.Context(), octavo.AuditEntry{
			Action: action, Subject: fmt.Sprint(i), Actor: octavo.Actor{ID: "cli", Name: "a\nb"}, Detail: map[string]any{"n": i},
		}, 0)
		if err != nil {
			t.Fatal(err)
		}
	}
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
	for query, want := range map[string]struct {
		count int
		first string
	}{
		"":                                       {n, "0"},
		"?sort=-createdAt":                       {n, "1202"},
		"?action=key.revoked&limit=1":            {401, "0"},
		"?actor=someone":                         {0, ""},
		"?actor=cli&since=2000-01-01T00:00:00Z":  {n, "0"},
		"?actor=cli&since=2400-01-01T00:00:00Z":  {0, ""},
		"?action=key.created&sort=-createdAt":    {802, "1202"},
		"?action=key.created&sort=createdAt&x=y": {802, "1"},
	} {
		resp, text := send(t, s, http.MethodGet, "/v1/audit"+query, "", "Authorization", bearer, "Accept", "application/jsonl")
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/jsonl" {
			t.Fatalf("%s: have %d %v", query, resp.StatusCode, resp.Header)
		}
		count, first := 0, ""
		for line := range strings.Lines(text) {
			var entry struct {
				Subject   string
				CreatedAt time.Time
				Actor     octavo.Actor
				Detail    map[string]int
			}
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				t.Fatalf("%s: line %d: %v: %s", query, count+1, err, line)
			}
			if fmt.Sprint(entry.Detail["n"]) != entry.Subject || entry.Actor.Name != "a\nb" || entry.CreatedAt.IsZero() {
				t.Errorf("%s: have the line %s", query, line)
			}
			if count++; count == 1 {
				first = entry.Subject
			}
		}
		if count != want.count || first != want.first {
			t.Errorf("%s: have %d lines, the first about %q; want %d, %q", query, count, first, want.count, want.first)
		}
	}
}
