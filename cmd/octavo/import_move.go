package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/moving"
)

// source is what is imported.
type source struct {
	fs.FS
	moved *moving.Tree // nil where it is a tree of files already
	lost  []moving.Loss
	close func() error
}

// open opens a folder, a zip or an export. Symbolic links do not lead out of it.
func (c *importCommand) open() (s source, err error) {
	info, err := os.Stat(c.Path)
	if err != nil {
		return s, fmt.Errorf("open the tree: %w", err)
	}
	if info.IsDir() {
		root, err := os.OpenRoot(c.Path)
		if err != nil {
			return s, fmt.Errorf("open the tree: %w", err)
		}
		s.FS, s.close = root.FS(), root.Close
	} else {
		file, err := os.Open(c.Path)
		if err != nil {
			return s, fmt.Errorf("open the zip: %w", err)
		}
		s.close = file.Close
		if s.FS, s.lost, err = moving.OpenZip(file, info.Size(), int64(c.MaxImport)); err != nil {
			return s, errors.Join(err, file.Close())
		}
	}
	s.moved, err = moving.Open(s.FS, c.From)
	if errors.Is(err, moving.ErrUnknown) {
		err = usageError{err}
	}
	if err != nil {
		return s, errors.Join(err, s.close())
	}
	if s.moved != nil {
		s.FS = s.moved
	}
	return s, nil
}

// system returns the system that this is an export of.
func (s source) system() string {
	if s.moved == nil {
		return ""
	}
	return s.moved.System
}

// tell adds what an export lost to the report.
func (s source) tell(r importer.Report) importer.Report {
	lost := s.lost
	if s.moved != nil {
		lost = slices.Concat(lost, s.moved.Losses())
	}
	at := map[string]int{}
	for i, e := range r {
		at[e.Path] = i
	}
	for _, l := range lost {
		name := cmp.Or(l.Path, l.From)
		i, found := at[name]
		if !found {
			i = len(r)
			at[name] = i
			r = append(r, importer.Entry{Path: name, Action: importer.Skipped})
		}
		words := l.Construct + ": " + l.Words
		if l.Path != "" {
			words = l.From + ", line " + fmt.Sprint(l.Line) + ": " + words
		}
		r[i].Notes = append(r[i].Notes, importer.Note{Line: 1, Message: words, Kind: l.Construct})
	}
	slices.SortStableFunc(r, func(a, b importer.Entry) int { return strings.Compare(a.Path, b.Path) })
	return r
}

// redirector is a target that has redirects.
type redirector interface {
	Redirects(ctx context.Context) iter.Seq2[octavo.Redirect, error]
	SetRedirect(ctx context.Context, r octavo.Redirect) error
}

// remote has the redirects of a server.
type remote struct{ api *client.Client }

func (r remote) Redirects(ctx context.Context) iter.Seq2[octavo.Redirect, error] {
	return r.api.Redirects(ctx)
}

func (r remote) SetRedirect(ctx context.Context, to octavo.Redirect) error {
	to.From = (&url.URL{Path: to.From}).EscapedPath() // the server decodes it
	return r.api.SetRedirect(ctx, to)
}

// redirectWorkers is how many redirects are written at a time, since the store commits
// together what comes together.
const redirectWorkers = 64

// redirect has the addresses in the other system lead to the pages.
func (s source) redirect(ctx context.Context, to redirector, r importer.Report) error {
	if s.moved == nil || to == nil || len(s.moved.Redirects) == 0 {
		return nil
	}
	there := map[string]string{}
	for have, err := range to.Redirects(ctx) {
		if err != nil {
			return fmt.Errorf("read the redirects: %w", err)
		}
		there[have.From] = have.To
	}
	at := map[string]*importer.Entry{}
	for i := range r {
		at[r[i].Path] = &r[i]
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(redirectWorkers)
	var mu sync.Mutex
	for _, want := range s.moved.Redirects {
		e := at[want.Path]
		if e == nil || e.Slug == "" || e.Failed || want.From == "/"+e.Slug {
			continue
		}
		v := octavo.Object(octavo.Member{Name: "from", Value: octavo.String(want.From)}, octavo.Member{Name: "to", Value: octavo.String("/" + e.Slug)})
		next, err := octavo.DecodeRedirect(v, true)
		if err == nil && there[next.From] == next.To {
			continue
		}
		group.Go(func() error {
			if err == nil {
				err = to.SetRedirect(ctx, next)
			}
			refused := new(octavo.Error)
			if errors.As(err, &refused) && refused.Type.Info().Status < 500 {
				mu.Lock()
				defer mu.Unlock()
				e.Notes = append(e.Notes, importer.Note{Line: 1, Message: fmt.Sprintf("nothing redirects from %s: %v", want.From, err)})
				err = nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("redirect from the addresses of the other system: %w", err)
	}
	return nil
}
