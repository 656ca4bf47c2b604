package faulttest

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// clock is the clock of a process. It is right until it is set.
type clock struct {
	path  string
	wrong time.Duration
}

func newClock(t testing.TB) *clock {
	t.Helper()
	c := &clock{path: filepath.Join(t.TempDir(), "clock")}
	c.set(t, 0)
	return c
}

// set makes the clock wrong by an offset, also for running processes. It rewrites the file
// in place, since they have mapped it.
func (c *clock) set(t testing.TB, wrong time.Duration) {
	t.Helper()
	f, err := os.OpenFile(c.path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(wrong)), 0); err != nil {
		t.Fatal(err)
	}
	c.wrong = wrong
}

// ownClock gives the database a clock that can be set: its role finds a function
// of this test where it asks for the time.
func (c *cluster) ownClock(t testing.TB) {
	t.Helper()
	c.execute(t, `CREATE SCHEMA test;
		CREATE TABLE test.clock (ahead INTERVAL NOT NULL);
		INSERT INTO test.clock VALUES ('0');
		CREATE FUNCTION public.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE
			AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM test.clock';
		ALTER ROLE octavo SET search_path = public, pg_catalog`)
}

func (c *cluster) execute(t testing.TB, statements string) {
	t.Helper()
	connection, err := pgx.Connect(t.Context(), c.url)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close(t.Context()) //nolint:errcheck // what was done is done
	if _, err := connection.Exec(t.Context(), statements); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}

// stepped builds the program with a clock that can be set. It only replaces the place
// where the program reads its clock.
func stepped(t testing.TB) string {
	t.Helper()
	const place = "now: time.Now,"
	folder, err := filepath.Abs("../../cmd/octavo")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, err := os.ReadFile(filepath.Join(folder, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(source), place) != 1 {
		t.Fatalf("%s/main.go does not have %q once", folder, place)
	}
	changed := strings.Replace(string(source), place, "now: steppedNow,", 1)
	changed = strings.Replace(changed, "func main() {", "func main() {\n\t_ = steppedClock()", 1)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(folder, "main.go"):          writeText(t, dir, "main.go", changed),
		filepath.Join(folder, "clock_stepped.go"): writeText(t, dir, "clock.go", readText(t, "testdata/clock.go.txt")),
	}})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "octavo")
	if out, err := exec.Command("go", "build", "-overlay", writeText(t, dir, "overlay.json", string(overlay)), "-o", binary, folder).CombinedOutput(); err != nil {
		t.Fatalf("build the program with another clock: %v\n%s", err, out)
	}
	return binary
}

func readText(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeText(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
