package config

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestOldNamesOfOptions: people's scripts go on, and read how the option is called
// now.
func TestOldNamesOfOptions(t *testing.T) {
	file := write(t, "roles: [worker]\nkeep-changes: 2d\n")
	for _, c := range []struct {
		args             []string
		variables        map[string]string
		roles, retention string
		want             string // on standard error
	}{
		{args: []string{"--process-roles=api", "--change-retention=3d"}, roles: `"api"`, retention: `"3d"`},
		{
			args: []string{"--roles", "api", "--keep-changes=3d"}, roles: `"api"`, retention: `"3d"`,
			want: "octavo: --keep-changes is now called --change-retention; the old name still works\n" +
				"octavo: --roles is now called --process-roles; the old name still works\n",
		},
		{
			variables: map[string]string{"OCTAVO_ROLES": "worker"}, roles: `"worker"`, retention: `"30d"`,
			want: "octavo: OCTAVO_ROLES is now called OCTAVO_PROCESS_ROLES; the old name still works\n",
		},
		{
			variables: map[string]string{"OCTAVO_ROLES": "worker", "OCTAVO_PROCESS_ROLES": "auth"}, roles: `"auth"`, retention: `"30d"`,
			want: "octavo: OCTAVO_ROLES is now called OCTAVO_PROCESS_ROLES; the old name still works\n",
		},
		{
			args: []string{"--config", file}, roles: `"worker"`, retention: `"2d"`,
			want: "octavo: keep-changes is now called change-retention; the old name still works\n" +
				"octavo: roles is now called process-roles; the old name still works\n",
		},
	} {
		for name, value := range c.variables {
			t.Setenv(name, value)
		}
		var o Options
		var stderr strings.Builder
		parser, err := kong.New(&o, append(Kong(), kong.NoDefaultHelp(), kong.Writers(&stderr, &stderr))...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(c.args); err != nil {
			t.Fatalf("%q: %v", c.args, err)
		}
		for name := range c.variables {
			t.Setenv(name, "")
		}
		roles, retention := shown(t, o, "process-roles"), shown(t, o, "change-retention")
		if roles != c.roles || retention != c.retention || stderr.String() != c.want {
			t.Errorf("%q %v: have %s, %s and %q\nwant %s, %s and %q", c.args, c.variables, roles, retention, &stderr, c.roles, c.retention, c.want)
		}
	}
}
