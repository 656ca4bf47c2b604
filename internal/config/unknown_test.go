package config

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"
)

func TestUnknown(t *testing.T) {
	t.Parallel()
	var o struct {
		Options
		Token string `env:"OCTAVO_TOKEN"`
	}
	parser, err := kong.New(&o, append(Kong(), kong.NoDefaultHelp())...)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"OCTAVO_DATABSE_URL", "OCTAVO_OIDC_AUDIENCE_FILE", "OCTAVO_TOKNE"}
	have, err := Unknown(parser.Model, []string{
		"PATH=/bin", "DATABASE_URL=x",
		"OCTAVO_TOKNE=x", "OCTAVO_DATABSE_URL=postgres://me:hush@db/octavo", "OCTAVO_OIDC_AUDIENCE_FILE=x", // no secret, so not from a file
		"OCTAVO_DATABSE=", // empty is unset
		"OCTAVO_DATABASE_URL=x", "OCTAVO_DATABASE_URL_FILE=x", "OCTAVO_TOKEN=x",
		"OCTAVO_URL=x", "OCTAVO_KEY=x", "OCTAVO_ADMIN=x", "OCTAVO_PROPOSER=x",
		"OCTAVO_PORT=tcp://10.0.0.1:80", "OCTAVO_PORT_80_TCP_ADDR=10.0.0.1", "OCTAVO_SERVICE_HOST=10.0.0.1",
		"OCTAVO_SEARCH_PORT=tcp://10.0.0.1:80", "OCTAVO_AUTH_SERVICE_PORT=80", "OCTAVO_AUTH_SERVICE_PORT_HTTP=80",
	})
	if err != nil || !slices.Equal(have, want) {
		t.Errorf("have %q, %v, want %q", have, err, want)
	}
}
