package imports_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// run imports a tree and returns what became of its files, but for those unchanged.
func run(t *testing.T, target importer.Target, tree fstest.MapFS) string {
	t.Helper()
	report, err := importer.Run(t.Context(), tree, target, importer.Options{Status: octavo.Published, Set: "docs", Now: time.Now(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, e := range report {
		if e.Action != importer.Unchanged {
			fmt.Fprintf(&said, "%s %s\n", e.Action, e.Path)
		}
		for _, n := range e.Notes {
			if n.Here+n.File == "" {
				continue
			}
			fmt.Fprintf(&said, "%d %s %q %q\n", n.Line, n.Message, n.Here, n.File)
		}
	}
	return said.String()
}

// TestSecondImport imports a tree that was changed into a server whose pages were too,
// by the ways that there are.
func TestSecondImport(t *testing.T) {
	t.Parallel()
	for _, db := range []string{"sqlite", "postgres"} {
		for _, way := range []string{"directly", "over HTTP"} {
			t.Run(db+"/"+way, func(t *testing.T) {
				t.Parallel()
				var o octavotest.Options
				if db == "postgres" {
					o.PostgresURL = octavotest.Postgres(t)
				}
				s := octavotest.Start(t, o)
				api, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavotest.Scopes(t, "pages:write")})))
				if err != nil {
					t.Fatal(err)
				}
				target := importer.Server(api)
				if way == "directly" {
					target = imports.NewTarget(s.Store, pages.New(s.Store.DB, s.Store.Pages, s.Store.Assets, 0), nil)
				}
				secondImport(t, api, target)
			})
		}
	}
}

func secondImport(t *testing.T, api *client.Client, target importer.Target) {
	t.Helper()
	const front = "---\ntags: [a] # one\nweight: 1\n---\n"
	tree := fstest.MapFS{"a.md": {Data: []byte(front + "one\n\ntwo\n\nthree\n")}, "b.md": {Data: []byte("# B\n")}, "c.md": {Data: []byte("x\n")}}
	if have, want := run(t, target, tree), "created a.md\ncreated b.md\ncreated c.md\n"; have != want {
		t.Fatalf("first: have %q, want %q", have, want)
	}
	read := func(slug string) client.Page {
		page, err := api.GetBySlug(t.Context(), slug, client.Include("frontmatterRaw", "imported"))
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	a, c := read("a"), read("c")
	for id, patch := range map[octavo.ID]octavo.PagePatch{
		a.ID: {Content: new("one\n\ntwo\n\nthree, here\n"), Title: new("Here"), ParentID: &c.ID, Position: &octavo.OptInt{Value: new(int64(3))}},
		c.ID: {Content: new("here\n")},
	} {
		if _, err := api.Patch(t.Context(), id, patch, client.IfMatch("*")); err != nil {
			t.Fatal(err)
		}
	}
	if have := run(t, target, tree); have != "" {
		t.Errorf("edited alone: have %q, want nothing", have)
	}
	tree["a.md"] = &fstest.MapFile{Data: []byte(strings.Replace(front, "one", "ONE", 1) + "one, in the file\n\ntwo\n\nthree\n")}
	tree["c.md"] = &fstest.MapFile{Data: []byte("file\n")}
	for i, want := range []string{
		"updated a.md\n1 what begins here was changed here as well, and the version here is kept \"here\\n\" \"file\\n\"\n",
		"1 what begins here was changed here as well, and the version here is kept \"here\\n\" \"file\\n\"\n",
	} {
		if have := run(t, target, tree); have != want {
			t.Errorf("import %d of the changed tree: have %q, want %q", i+1, have, want)
		}
	}
	a = read("a")
	have := fmt.Sprintf("%s %s %d %q %q", a.Title, a.ParentID, *a.Position, a.Content, a.FrontmatterRaw)
	if want := fmt.Sprintf("Here %s 3 %q %q", c.ID, "one, in the file\n\ntwo\n\nthree, here\n", strings.Replace(front, "one", "ONE", 1)); have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	if have := read("c").Content; have != "here\n" {
		t.Errorf("c: have %q", have)
	}

	// The file of c goes below that of a, whose page is below c by now.
	tree["a/index.md"] = tree["a.md"]
	tree["a/c.md"] = tree["c.md"]
	delete(tree, "a.md")
	delete(tree, "c.md")
	said := run(t, target, tree)
	if c = read("a-c"); !strings.Contains(said, "the parent was changed here as well") || c.ParentID != "" || !strings.HasPrefix(said, "updated a/c.md") {
		t.Errorf("below itself: have %q, the parent %q", said, c.ParentID)
	}
}

const databaseVariable = "OCTAVO_TEST_DATABASE"

func open(t *testing.T, database string) (target imports.Target, closeStore func() error) {
	t.Helper()
	env := app.Env{Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
	openStore := store.OpenSQLite
	if strings.Contains(database, "://") {
		openStore = store.OpenPostgres
	}
	st, err := openStore(context.WithoutCancel(t.Context()), database, app.StoreOptions(env, env.IDs(), "http://127.0.0.1"))
	if err != nil {
		t.Fatal(err)
	}
	return imports.NewTarget(st, pages.New(st.DB, st.Pages, st.Assets, 0), nil), st.Close
}

// dying is a target whose process kills itself when some of the pages are written.
type dying struct{ imports.Target }

func (d dying) Apply(ctx context.Context, operations []octavo.BulkOperation) ([]importer.Result, error) {
	if _, err := d.Target.Apply(ctx, operations[:150]); err != nil {
		return nil, err
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // it does not return
	select {}
}

// manyFiles is a tree of several transactions.
func manyFiles(text string) fstest.MapFS {
	tree := fstest.MapFS{}
	for i := range 500 {
		tree[fmt.Sprintf("p%d.md", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "# P%d\n\n%s\n\nlast\n", i, text)}
	}
	return tree
}

// An import that was killed between its transactions continues there, and overwrites no
// edits made meanwhile.
func TestKilledImport(t *testing.T) {
	if database := os.Getenv(databaseVariable); database != "" {
		target, _ := open(t, database)
		t.Fatalf("have %q, want it killed", run(t, dying{target}, manyFiles("new")))
	}
	t.Parallel()
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			database := filepath.Join(t.TempDir(), "octavo.db")
			if db == "postgres" {
				database = testenv.Postgres(t)
			}
			target, closeStore := open(t, database)
			run(t, target, manyFiles("old"))
			var edits []octavo.BulkOperation
			for page, err := range target.Pages(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				edits = append(edits, octavo.BulkOperation{Op: octavo.BulkUpdate, ID: page.ID, Patch: &octavo.PagePatch{Content: new(page.Content + "here\n")}})
			}
			if _, err := target.Apply(t.Context(), edits); err != nil {
				t.Fatal(err)
			}
			if err := closeStore(); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledImport$", "-test.count=1")
				cmd.Env = append(os.Environ(), databaseVariable+"="+database)
				out, err := cmd.CombinedOutput()
				var ended *exec.ExitError
				if !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("have %v, want it killed\n%s", err, out)
				}
			}
			target, closeStore = open(t, database)
			defer closeStore()
			if have := strings.Count(run(t, target, manyFiles("new")), "updated"); have != 200 {
				t.Errorf("have %d pages changed, want those that are left", have)
			}
			for page, err := range target.Pages(t.Context()) {
				if want := fmt.Sprintf("# %s\n\nnew\n\nlast\nhere\n", page.Title); err != nil || page.Content != want {
					t.Fatalf("have %q, %v; want %q", page.Content, err, want)
				}
			}
			if have := run(t, target, manyFiles("new")); have != "" {
				t.Errorf("once more: have %q", have)
			}
		})
	}
}
