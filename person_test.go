package octavo

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestUserCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ email, name, role, want string }{
		{" Ann@Example.COM ", "Ann", "reader", ""},
		{"ann@example.com", "Ann", "contributor", ""},
		{"a@b", "Ä", "admin", ""},
		{"", "A", "editor", "/email"},
		{"ann", "A", "editor", "/email"},
		{"@b", "A", "editor", "/email"},
		{"a@", "A", "editor", "/email"},
		{"a@b@c", "A", "editor", "/email"},
		{"a\r\nb@c", "A", "editor", "/email"},
		{strings.Repeat("a", 250) + "@b.cd", "A", "editor", "/email"},
		{"a@b", "", "editor", "/name"},
		{"a@b", "a\nb", "editor", "/name"},
		{"a@b", strings.Repeat("ä", 121), "editor", "/name"},
		{"a@b", "A", "owner", "/role"},
	} {
		u := User{Email: c.email, Name: c.name, Role: Role(c.role)}
		have := ""
		if err := u.Check(); err != nil {
			have = err.Error()
		}
		if !strings.Contains(have, c.want) || (have == "") != (c.want == "") {
			t.Errorf("Check of %q, %q, %q: have %q, want %q", c.email, c.name, c.role, have, c.want)
		}
	}
	u := User{Email: " Ann@Example.COM ", Name: "Ann", Role: RoleReader}
	if err := u.Check(); err != nil || u.Email != "ann@example.com" {
		t.Errorf("Check leaves the address as %q (%v), want ann@example.com", u.Email, err)
	}
}

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ password, want string }{
		{"twelve chars", ""},
		{"ääääääääääää", ""},
		{"eleven char", "at least"},
		{strings.Repeat("a", 256), ""},
		{strings.Repeat("a", 257), "at most"},
	} {
		if have := CheckPassword(c.password); !strings.Contains(have, c.want) || (have == "") != (c.want == "") {
			t.Errorf("CheckPassword(%q): have %q, want %q", c.password, have, c.want)
		}
	}
}

func TestUserJSON(t *testing.T) {
	t.Parallel()
	u := User{ID: "usr_a", Email: "a@b", Name: "A", Role: RoleEditor, CreatedAt: time.UnixMilli(1).UTC()}
	want := `{"id":"usr_a","email":"a@b","name":"A","role":"editor","disabled":false,"createdAt":"1970-01-01T00:00:00.001Z"}`
	if have, err := json.Marshal(u); err != nil || string(have) != want {
		t.Errorf("have %s, %v\nwant %s", have, err, want)
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	for role, want := range map[Role]string{
		RoleReader: "pages:read", RoleContributor: "pages:read pages:propose", RoleEditor: "pages:read pages:propose pages:write",
		RoleAdmin: "pages:read pages:propose pages:write admin", "owner": "",
	} {
		if have := role.Scopes().String(); have != want {
			t.Errorf("the scopes of %q: have %q, want %q", role, have, want)
		}
	}
}
