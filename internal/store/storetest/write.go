package storetest

import (
	"context"
	"errors"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

func writeEach(e *env) {
	taken := e.create(page("taken"))
	var errs []error
	err := e.write(func(tx *store.Tx) error {
		errs = nil
		for _, slug := range []string{"a", "taken", "b"} {
			errs = append(errs, tx.Each(func(tx *store.Tx) error {
				if _, err := tx.UpdatePage(taken.ID, store.PageChange{Content: ref("for " + slug)}, nil); err != nil {
					return err
				}
				_, err := tx.CreatePage(page(slug))
				return err
			}))
		}
		return nil
	})
	e.noError(err, "write")
	e.equal("errors of a and b", []error{errs[0], errs[2]}, []error{nil, nil})
	e.wantError(errs[1], octavo.SlugTaken, "/slug")
	for _, slug := range []string{"a", "b"} {
		_, _, err := e.st.PageBySlug(e.ctx, everyone, slug)
		e.noError(err, "read "+slug)
	}
	p := e.get(everyone, taken.ID)
	e.equal("content", p.Content, "for b")
	e.equal("version", p.Version, int64(3))
}

func writeAtomic(e *env) {
	stop := errors.New("stop")
	err := e.write(func(tx *store.Tx) error {
		if _, err := tx.CreatePage(page("a")); err != nil {
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
	e.noError(e.write(func(tx *store.Tx) error {
		p, err := tx.CreatePage(page("a"))
		if err != nil {
			return err
		}
		seen, err = tx.Page(p.ID)
		return err
	}), "read what the transaction wrote")
	e.samePage(seen)
}

func writePanic(e *env) {
	err := e.write(func(tx *store.Tx) error {
		if _, err := tx.CreatePage(page("a")); err != nil {
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
	err := e.st.Write(before, store.Cause{}, func(*store.Tx) error {
		e.Error("a write was started whose context had ended")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		e.Errorf("have error %v, want %v", err, context.Canceled)
	}
	during, cancel := context.WithCancel(e.ctx)
	err = e.st.Write(during, store.Cause{}, func(tx *store.Tx) error {
		cancel()
		_, err := tx.CreatePage(page("a"))
		return err
	})
	e.noError(err, "write whose context ended on the way")
	_, _, err = e.st.PageBySlug(e.ctx, everyone, "a")
	e.noError(err, "read what it wrote")
	_, err = e.st.Page(before, everyone, "page_x")
	if !errors.Is(err, context.Canceled) {
		e.Errorf("have error %v, want %v", err, context.Canceled)
	}
}
