package sitestore

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Redirects returns at most limit redirects after the one from after, by
// path, and whether more follow.
func (s *Sites) Redirects(ctx context.Context, after string, limit int) (list []octavo.Redirect, more bool, err error) {
	return sqldb.CollectUpTo(ctx, s.db.Read(), "list redirects", limit, scanRedirect, `SELECT source, target FROM redirects WHERE source > $1 ORDER BY source LIMIT $2`,
		sqldb.Plain(after), limit+1)
}

func scanRedirect(row sqldb.Scanner) (r octavo.Redirect, err error) {
	err = row.Scan(&r.From, &r.To)
	return r, err
}

// SetRedirect adds a redirect, or replaces the one from the same path, and
// reports whether it is new. It is a Conflict if a published page has that
// path, or if there are [octavo.MaxRedirects].
func (s *Sites) SetRedirect(ctx context.Context, cause sqldb.Cause, r octavo.Redirect) (added bool, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := countRedirects(tx)
		if err != nil {
			return err
		}
		added, err = setRedirect(tx, r, n)
		return err
	})
	return added, err
}

// SetRedirects is SetRedirect of several in one transaction. It returns why each was
// refused that was; the others are stored.
func (s *Sites) SetRedirects(ctx context.Context, cause sqldb.Cause, list []octavo.Redirect) (refused []error, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		refused = make([]error, len(list))
		n, err := countRedirects(tx)
		for i, r := range list {
			if err != nil {
				break
			}
			var added bool
			if added, err = setRedirect(tx, r, n); added {
				n++
			}
			if octavo.IsType(err, octavo.Conflict) {
				refused[i], err = err, nil
			}
		}
		return err
	})
	return refused, err
}

func countRedirects(tx *sqldb.Tx) (n int, err error) {
	_, err = tx.Row([]any{&n}, `SELECT count(*) FROM redirects`)
	return n, octavo.Wrapf(err, "count the redirects")
}

// setRedirect sets a redirect where there are n.
func setRedirect(tx *sqldb.Tx, r octavo.Redirect, n int) (added bool, err error) {
	var id octavo.ID
	slug := strings.TrimPrefix(r.From, "/")
	live, err := tx.Row([]any{&id}, `SELECT p.id FROM slugs s JOIN pages p ON p.id = s.page_id
		WHERE s.slug IN ($1, $2) AND s.state = 'current' AND `+sqldb.Visible(octavo.Audience{PublishedOnly: true}, "p"), slug, strings.TrimSuffix(slug, ".md"))
	if err != nil {
		return false, fmt.Errorf("look for a page at %s: %w", r.From, err)
	}
	if live {
		return false, octavo.Errorf(octavo.Conflict, "The published page %s has the path %s.", id, r.From)
	}
	replaced, err := tx.Exec(`UPDATE redirects SET target = $2 WHERE source = $1`, r.From, r.To)
	if added = err == nil && replaced == 0; added {
		if n >= octavo.MaxRedirects {
			return false, octavo.Errorf(octavo.Conflict, "There are %d redirects, which is the limit: remove some first.", n)
		}
		_, err = tx.Exec(`INSERT INTO redirects (source, target) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET target = excluded.target`, r.From, r.To)
	}
	if err != nil {
		return false, fmt.Errorf("store the redirect from %s: %w", r.From, err)
	}
	tx.TouchSite()
	return added, tx.Audit(octavo.AuditEntry{Action: octavo.RedirectSet, Subject: r.From, Detail: map[string]any{"to": sqldb.Indexed(r.To)}})
}

// DeleteRedirect removes the redirect from a path, or returns NotFound.
func (s *Sites) DeleteRedirect(ctx context.Context, cause sqldb.Cause, from string) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := tx.Exec(`DELETE FROM redirects WHERE source = $1`, sqldb.Plain(from))
		if err != nil {
			return fmt.Errorf("remove the redirect from %s: %w", from, err)
		}
		if n == 0 {
			return octavo.Errorf(octavo.NotFound, "There is no redirect from that path.")
		}
		tx.TouchSite()
		return tx.Audit(octavo.AuditEntry{Action: octavo.RedirectRemoved, Subject: from})
	})
}

// Lead returns the redirect target of a path, with the rest for *. The longest matching
// from counts, and an exact path before a prefix; /old/* matches /old too. A path that
// is not valid text, or that contains dot segments, leads nowhere.
func (s *Sites) Lead(ctx context.Context, path string) (to string, found bool, err error) {
	if len(path) > octavo.MaxRedirectFrom || !utf8.ValidString(path) || strings.ContainsRune(path, 0) || climbs(path) {
		return "", false, nil
	}
	var a sqldb.Args
	froms := []string{path}
	for i := range path {
		froms = append(froms, path[:i]+"*")
	}
	froms = append(froms, path+"*", path+"/*")
	list, err := sqldb.Collect(ctx, s.db.Read(), scanRedirect, `SELECT source, target FROM redirects WHERE source IN `+sqldb.List(&a, froms), a...)
	if err != nil {
		return "", false, fmt.Errorf("look for redirects: %w", err)
	}
	best := -1
	for _, r := range list {
		beginning, many := strings.CutSuffix(r.From, "*")
		fits := len(beginning)
		if !many {
			fits = math.MaxInt
		}
		if fits > best {
			best, found = fits, true
			to = r.To
			if target, ok := strings.CutSuffix(to, "*"); ok && many {
				to = filled(target, path[min(len(beginning), len(path)):])
			}
		}
	}
	return to, found, nil
}

func climbs(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// filled appends the rest of a path to a target. A path stays a path:
// browsers read two leading slashes as another host.
func filled(target, rest string) string {
	to := target + (&url.URL{Path: rest}).EscapedPath()
	if strings.HasPrefix(target, "/") {
		to = "/" + strings.TrimLeft(to, "/")
	}
	return to
}
