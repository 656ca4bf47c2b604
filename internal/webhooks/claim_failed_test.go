package webhooks_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo/internal/octavotest"
)

// failCommits has every commit of a claim fail, and counts them where nothing is
// undone.
const failCommits = `CREATE SEQUENCE failed;
	CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('failed'); RAISE EXCEPTION 'no commit'; END $$;
	CREATE CONSTRAINT TRIGGER fail AFTER UPDATE ON deliveries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.lease <> 0) EXECUTE FUNCTION fail()`

// failClaims makes claims fail when they are committed, and returns once one has;
// mend ends it.
func (r *rig) failClaims(url string, begin func()) (mend func()) {
	r.Helper()
	link, err := pgx.Connect(r.Context(), url)
	r.noError(err, "connect")
	execute := func(query string) {
		r.Helper()
		_, err := link.Exec(r.Context(), query)
		r.noError(err, query)
	}
	execute(failCommits)
	begin()
	eventually(r, func() (failed bool) {
		r.noError(link.QueryRow(r.Context(), `SELECT is_called FROM failed`).Scan(&failed), "look for a failure")
		return failed
	}, func() any { return "no claim that failed" })
	return func() {
		r.Helper()
		execute(`DROP TRIGGER fail ON deliveries`)
		r.noError(link.Close(r.Context()), "close the connection")
	}
}

// TestUndoneClaim: deliveries whose claim could not be committed are
// claimed again soon, as if they had not been.
func TestUndoneClaim(t *testing.T) {
	t.Parallel()
	url := octavotest.Postgres(t)
	r := newRig(t, octavotest.Options{PostgresURL: url})
	v := newReceiver(t, nil)
	r.endpoint(v.URL)
	mend := r.failClaims(url, func() {
		r.run(r.hooks)
		r.publish()
	})
	mend()
	v.wait(r, 1)
}
