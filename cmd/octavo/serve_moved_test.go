package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestAServerWhoseFilesAreElsewhere: nobody says that a database was restored
// while a server works on it, and a server whose files were moved while it was cut
// off ends rather than put more where nobody finds them.
func TestAServerWhoseFilesAreElsewhere(t *testing.T) {
	t.Parallel()
	url, data := testenv.Postgres(t), filepath.Join(t.TempDir(), "d")
	s := startServer(t, data, "--database-url", url)
	said := &strings.Builder{}
	restored := func() int {
		said.Reset()
		return Run(t.Context(), []string{"migrate", "--restored", "--database-url", url}, strings.NewReader(""), io.Discard, said)
	}
	if code := restored(); code != exitFailed || !strings.Contains(said.String(), "stop all of its servers first") {
		t.Errorf("migrate --restored beside a server: have %d, %q; want %d and why", code, said, exitFailed)
	}
	execute(t, url, `UPDATE settings SET value = 'mark the bucket s3://docs' WHERE name = 'files.place'`)
	execute(t, url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()`)
	select {
	case code := <-s.ended:
		if code != exitFailed || !strings.Contains(s.said.String(), "has its files in the bucket s3://docs") {
			t.Errorf("have %d, %q; want %d and where the files are", code, s.said, exitFailed)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server goes on")
	}
	if code := restored(); code != exitDone {
		t.Errorf("migrate --restored without a server: have %d, %q", code, said)
	}
}

func execute(t *testing.T, url, statement string) {
	t.Helper()
	link, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // nothing is lost with it
	if _, err := link.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}
