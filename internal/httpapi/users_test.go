package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// People come in slices, each of them once, and without their passwords.
func TestListUsers(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	for i := range 5 {
		u := octavo.User{ID: octavo.ID(fmt.Sprintf("usr_%d", i)), Email: fmt.Sprintf("%d@example.com", i), Name: "A", Role: octavo.RoleReader}
		if err := s.Store.Accounts.Users.Add(t.Context(), sqldb.Cause{}, accounts.User{User: u, Password: "$argon2id$"}); err != nil {
			t.Fatal(err)
		}
	}
	token := s.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
	seen, cursor := "", ""
	for range 3 {
		req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/users?limit=2&cursor="+cursor, nil)
		if err != nil {
			t.Fatal(err)
		}
		if cursor == "" {
			req.URL.RawQuery = "limit=2"
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Data       []map[string]any
			Pagination struct{ Cursor string }
		}
		err = json.NewDecoder(resp.Body).Decode(&page)
		if closing := resp.Body.Close(); err != nil || closing != nil || resp.StatusCode != 200 {
			t.Fatalf("have %d, %v, %v", resp.StatusCode, err, closing)
		}
		for _, u := range page.Data {
			seen += fmt.Sprint(u["id"], " ")
			if len(u) != 6 {
				t.Errorf("a person has the members %v, want six", u)
			}
		}
		cursor = page.Pagination.Cursor
	}
	if want := "usr_0 usr_1 usr_2 usr_3 usr_4 "; seen != want || cursor != "" {
		t.Errorf("have %q and then cursor %q, want %q and no more", seen, cursor, want)
	}
}
