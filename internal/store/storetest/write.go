package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func writeEach(e *env) {
	taken := e.create(page("taken"))
	var errs []error
	err := e.write(func(tx *sqldb.Tx) error {
		errs = nil
		for _, slug := range []string{"a", "taken", "b"} {
			errs = append(errs, tx.Each(func(tx *sqldb.Tx) error {
				if _, err := e.st.Pages.Update(tx, taken.ID, pagestore.Change{Content: ref("for " + slug)}, nil); err != nil {
					return err
				}
				_, err := e.st.Pages.Create(tx, page(slug))
				return err
			}))
		}
		return nil
	})
	e.noError(err, "write")
	e.equal("errors of a and b", []error{errs[0], errs[2]}, []error{nil, nil})
	e.wantError(errs[1], octavo.SlugTaken, "/slug")
	for _, slug := range []string{"a", "b"} {
		_, _, err := e.st.Pages.BySlug(e.ctx, everyone, slug)
		e.noError(err, "read "+slug)
	}
	p := e.get(everyone, taken.ID)
	e.equal("content", p.Content, "for b")
	e.equal("version", p.Version, int64(3))
}

// writeSteps checks that of many steps those that are refused are undone, whether
// or not they had changed something, and that the others stand.
func writeSteps(e *env) {
	taken := e.create(page("taken"))
	const steps = 250
	refuses := func(i int) bool { return i%50 == 7 || i%50 == 8 }
	for _, late := range []bool{false, true} {
		name := map[bool]string{false: "early", true: "late"}[late]
		var refusals []error
		err := e.write(func(tx *sqldb.Tx) (err error) {
			refusals, err = tx.Steps(steps, func(i int) error {
				slug := fmt.Sprintf("%s-%d", name, i)
				if late && refuses(i) {
					if _, err := e.st.Pages.Create(tx, page(slug)); err != nil {
						return err
					}
				}
				if refuses(i) {
					slug = taken.Slug
				}
				_, err := e.st.Pages.Create(tx, page(slug))
				return err
			})
			return err
		})
		e.noError(err, "write steps refused "+name)
		for i := range steps {
			_, _, err := e.st.Pages.BySlug(e.ctx, everyone, fmt.Sprintf("%s-%d", name, i))
			if refuses(i) {
				e.wantError(refusals[i], octavo.SlugTaken, "/slug")
				e.wantError(err, octavo.NotFound)
				continue
			}
			e.noError(refusals[i], fmt.Sprintf("step %d", i))
			e.noError(err, fmt.Sprintf("read the page of step %d", i))
		}
	}
	stop := errors.New("stop")
	err := e.write(func(tx *sqldb.Tx) error {
		_, err := tx.Steps(3, func(i int) error {
			if i == 2 {
				return stop
			}
			_, err := e.st.Pages.Create(tx, page(fmt.Sprintf("stopped-%d", i)))
			return err
		})
		return err
	})
	if !errors.Is(err, stop) {
		e.Errorf("have error %v, want %v", err, stop)
	}
	e.wantSlug("stopped-0", "", false)
}

func writeAtomic(e *env) {
	stop := errors.New("stop")
	err := e.write(func(tx *sqldb.Tx) error {
		if _, err := e.st.Pages.Create(tx, page("a")); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) {
		e.Errorf("have error %v, want %v", err, stop)
	}
	e.wantSlug("a", "", false)
	e.equal("changes", e.kinds(0, ""), nil)

	var seen octavo.Page
	e.noError(e.write(func(tx *sqldb.Tx) error {
		p, err := e.st.Pages.Create(tx, page("a"))
		if err != nil {
			return err
		}
		seen, err = e.st.Pages.Load(tx, p.ID)
		return err
	}), "read what the transaction wrote")
	e.samePage(seen)
}

func writePanic(e *env) {
	err := e.write(func(tx *sqldb.Tx) error {
		if _, err := e.st.Pages.Create(tx, page("a")); err != nil {
			return err
		}
		panic("it broke")
	})
	if err == nil || !strings.Contains(err.Error(), "it broke") || !strings.Contains(err.Error(), "writePanic") {
		e.Errorf("have error %v, want one that tells the panic and its place", err)
	}
	e.wantSlug("a", "", false)
	e.create(page("a"))
}

func writeCancelled(e *env) {
	before, cancel := context.WithCancel(e.ctx)
	cancel()
	err := e.st.DB.Write(before, sqldb.Cause{}, func(*sqldb.Tx) error {
		e.Error("a write was started whose context had ended")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		e.Errorf("have error %v, want %v", err, context.Canceled)
	}
	during, cancel := context.WithCancel(e.ctx)
	err = e.st.DB.Write(during, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		cancel()
		_, err := e.st.Pages.Create(tx, page("a"))
		return err
	})
	e.noError(err, "write whose context ended on the way")
	_, _, err = e.st.Pages.BySlug(e.ctx, everyone, "a")
	e.noError(err, "read what it wrote")
	_, err = e.st.Pages.Get(before, everyone, "page_x")
	if !errors.Is(err, context.Canceled) {
		e.Errorf("have error %v, want %v", err, context.Canceled)
	}
}
