package faulttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// A process on PostgreSQL uses the clock of the database. On a machine whose clock is
// forty days ahead it dates pages like the others and removes nothing early, also if the
// clock is set while it runs.
func TestClockOfTheDatabase(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	right := onDatabase(t, url)
	a := newAPI(t, right.serve(t).url, right.token(t))
	gone, err := a.dated(t, "gone")
	if err != nil {
		t.Fatal(err)
	}
	if res, err := a.do(t.Context(), call{method: http.MethodDelete, path: "/pages/" + string(gone.ID)}); err != nil || res.status != http.StatusNoContent {
		t.Fatalf("delete a page: %s, %v", res, err)
	}

	binary, ahead := stepped(t), newClock(t)
	ahead.set(t, 40*24*time.Hour)
	wrong := &installation{storage: right.storage, command: func(_ string, args ...string) *exec.Cmd {
		made := exec.Command(binary, args...)
		made.Env = []string{"STEPPED_CLOCK=" + ahead.path}
		return made
	}}
	s := wrong.serve(t)
	b := newAPI(t, s.url, wrong.token(t))
	for name, step := range map[string]time.Duration{"ahead": 40 * 24 * time.Hour, "behind": -40 * 24 * time.Hour, "right": 0} {
		ahead.set(t, step)
		until(t, "wait for a page that is dated as it is", func() error {
			// The clock of this program jumps with what measures how much time has
			// passed, which no machine's does, so it is wrong for up to a second.
			page, err := b.dated(t, fmt.Sprint(name, time.Now().UnixNano()))
			if err != nil {
				return err
			}
			if off := time.Since(page.CreatedAt); off.Abs() > 10*time.Second {
				return errNotYet("it is dated " + page.CreatedAt.String())
			}
			return nil
		})
	}
	s.stop(t)
	if res, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages/" + string(gone.ID) + "/restore"}); err != nil || res.status != http.StatusOK {
		t.Errorf("restore what was deleted a moment ago: %s, %v", res, err)
	}
	// What the jump dated weeks ago seems to have waited so long until the server
	// has saved that it passed over it, which it does at rest.
	until(t, "doctor finds nothing", func() error {
		if out, err := right.octavo("doctor").CombinedOutput(); err != nil {
			return errNotYet(string(out))
		}
		return nil
	})
}

// dated makes a page.
func (a *api) dated(t *testing.T, slug string) (page octavo.Page, err error) {
	t.Helper()
	res, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages", body: object{"title": "Dated", "slug": slug, "content": "x"}})
	if err == nil && res.status == http.StatusCreated {
		err = json.Unmarshal(res.body, &page)
	}
	if err != nil || res.status != http.StatusCreated {
		return page, fmt.Errorf("make a page: %s, %v", res, err)
	}
	return page, nil
}
