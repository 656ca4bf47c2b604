package config

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// A variable that is nearly one of ours is told of, whoever's command it is
// for; one of somebody else's is not.
func TestMistyped(t *testing.T) {
	t.Parallel()
	var o struct {
		Options
		Token string `env:"OCTAVO_TOKEN"`
	}
	parser, err := kong.New(&o, append(Kong(), kong.NoDefaultHelp())...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ entry, want string }{
		{"OCTAVO_DATABSE_URL=postgres://me:hush@db/octavo", "did you mean OCTAVO_DATABASE_URL?"},
		{"OCTAVO_DATABASEURL=x", "did you mean OCTAVO_DATABASE_URL?"},
		{"OCTAVO_DATBAASE_URL=x", "did you mean OCTAVO_DATABASE_URL?"},
		{"OCTAVO_SECRET_KEY_FILES=x", "did you mean OCTAVO_SECRET_KEY_FILE?"},
		{"OCTAVO_TRUSTED_PROXY=x", "did you mean OCTAVO_TRUSTED_PROXIES?"},
		{"OCTAVO_ADR=x", "did you mean OCTAVO_ADDR?"},
		{"OCTAVO_TOKNE=x", "did you mean OCTAVO_TOKEN?"},
		{"OCTAVO_OIDC_AUDIENCE_FILE=x", "not from a file"},
		{"OCTAVO_DATABSE_URL=", ""}, // empty is unset
		{"OCTAVO_DATABASE_URL=x", ""},
		{"OCTAVO_DATABASE_URL_FILE=x", ""},
		{"OCTAVO_TOKEN=x", ""},
		{"DATABASE_URL=x", ""},
		{"OCTAVO_=x", ""},
		// What the documentation has people set for curl, and Kubernetes by itself.
		{"OCTAVO_URL=x", ""},
		{"OCTAVO_KEY=x", ""},
		{"OCTAVO_ADMIN=x", ""},
		{"OCTAVO_CLIENT_SECRET=x", ""},
		{"OCTAVO_PORT=tcp://10.0.0.1:80", ""},
		{"OCTAVO_PORT_80_TCP_ADDR=10.0.0.1", ""},
		{"OCTAVO_SERVICE_HOST=10.0.0.1", ""},
		{"OCTAVO_SEARCH_PORT=tcp://10.0.0.1:80", ""},
		{"OCTAVO_AUTH_SERVICE_PORT=80", ""},
	} {
		have, err := Mistyped(parser.Model, []string{"PATH=/bin", c.entry})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(have, "\n")
		if c.want == "" && text != "" || !strings.Contains(text, c.want) || strings.Contains(text, "hush") {
			t.Errorf("%s: have %q, want %q", c.entry, text, c.want)
		}
	}
	have, err := Mistyped(parser.Model, []string{"OCTAVO_ROLE=a", "OCTAVO_DAAT=b"})
	if want := []string{"OCTAVO_DAAT has no effect: did you mean OCTAVO_DATA?", "OCTAVO_ROLE has no effect: did you mean OCTAVO_ROLES?"}; err != nil || !slices.Equal(have, want) {
		t.Errorf("two variables: have %q, %v, want %q", have, err, want)
	}
}
