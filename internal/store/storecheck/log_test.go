package storecheck_test

import (
	"testing"

	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

// removeAll makes two pages, and removes what the change log says of them as if
// for its age. It returns where the log ends.
func removeAll(t *testing.T, st database) int64 {
	t.Helper()
	for _, slug := range []string{"a", "b"} {
		st.create(t, slug)
	}
	last, err := st.Log.Last(t.Context()) // all have one then
	if err != nil {
		t.Fatal(err)
	}
	st.execute(t, "UPDATE change_retention SET removed = 2, cutoff = (SELECT MAX(time) FROM changes)")
	st.execute(t, "DELETE FROM changes")
	return last
}

// wantSound fails when Check finds anything.
func wantSound(t *testing.T, st database, when string) {
	t.Helper()
	if findings, err := storecheck.Check(t.Context(), st.DB); err != nil || len(findings) > 0 {
		t.Errorf("%s: have %v, %v; want nothing", when, findings, err)
	}
}

// If the log is empty, the remedy for change_retention has to record that all was removed.
// Otherwise every page would lack its change, and readers of the feed would not notice.
func TestRetentionOfAnEmptyLog(t *testing.T) {
	t.Parallel()
	const rule = "what is remembered of the change log is one row"
	onDatabases(t, func(t *testing.T, st database) {
		last := removeAll(t, st)
		wantSound(t, st, "all was removed for its age")
		tables := []string{"change_retention"}
		if st.DB.Shared() {
			tables = append(tables, "change_position")
			if err := st.Log.MoveFollower(t.Context(), "at the end", last); err != nil {
				t.Fatal(err)
			}
		}
		for _, table := range tables {
			st.execute(t, "DELETE FROM "+table)
		}
		mendAll(t, st, rule)
		wantSound(t, st, "mended")
		if removed, err := st.Log.First(t.Context()); err != nil || removed != last {
			t.Errorf("have %d, %v removed, want %d", removed, err, last)
		}
	})
}

// TestTruncatedLog: positions that were given out already are given out
// again, and no follower is handed what has them.
func TestTruncatedLog(t *testing.T) {
	t.Parallel()
	const rule = "the change log ends with or after its newest change, and after the changes removed from it"
	onDatabases(t, func(t *testing.T, st database) {
		last := removeAll(t, st)
		if err := st.Log.MoveFollower(t.Context(), "at the end", last); err != nil {
			t.Fatal(err)
		}
		if st.DB.Shared() {
			st.execute(t, "UPDATE change_position SET last = 1")
			wantFindings(t, st, rule, [2]string{"it ends at 1, and was at 2 before", "octavo migrate --restored"})
			mendAll(t, st, rule)
		} else {
			st.execute(t, "DELETE FROM sqlite_sequence")
			wantFindings(t, st, rule, [2]string{"it ends at 0, and was at 2 before", "octavo migrate --restored"})
		}
		if err := st.Restored(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantSound(t, st, "mended")
		st.create(t, "c")
		if log, err := st.Log.Changes(t.Context(), last, 10); err != nil || len(log) != 1 {
			t.Errorf("behind %d: have %v, %v; want the new change", last, log, err)
		}
		wantSound(t, st, "mended, and written to")
	})
}
