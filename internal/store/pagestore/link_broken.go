package pagestore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Links reads the links of all pages.
type Links struct{ db *sqldb.DB }

// NewLinks returns the links of the pages of a database.
func NewLinks(db *sqldb.DB) *Links { return &Links{db} }

type linkKey struct {
	page octavo.ID
	link int
}

const brokenBatch = 200

// Broken returns at most limit links on pages that the audience sees that lead nowhere
// for it, ordered by page, and whether more follow. next continues after the last one.
// One query for each link would take seconds for 10,000 pages. So it reads the names of
// all pages, and resolves links in memory.
func (s *Links) Broken(ctx context.Context, aud octavo.Audience, after sqldb.Cursor, limit int) (links []octavo.BrokenLink, next sqldb.Cursor, more bool, err error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, next, false, fmt.Errorf("list broken links: %w", err)
	}
	defer end()
	behind := linkKey{after.ID, -1}
	if after.Key != "" {
		if behind.link, err = strconv.Atoi(after.Key); err != nil {
			return nil, next, false, fmt.Errorf("list broken links: continue behind %q: %w", after.Key, err)
		}
	}
	names, err := s.readNames(ctx, aud)
	for more = true; err == nil && more && len(links) <= limit; {
		var found []linkKey
		if found, err = s.leadNowhere(ctx, names, behind); err != nil || len(found) == 0 {
			break
		}
		more, behind = len(found) == brokenBatch, found[len(found)-1]
		err = s.addBroken(ctx, aud, found, func(key linkKey, link octavo.BrokenLink) {
			if links = append(links, link); len(links) <= limit {
				next = sqldb.Cursor{Key: strconv.Itoa(key.link), ID: key.page}
			}
		})
	}
	if err != nil {
		return nil, next, false, fmt.Errorf("list broken links: %w", err)
	}
	links, more = sqldb.Cut(links, limit)
	return links, next, more, nil
}

// names are the texts by which links can refer to pages.
type names struct {
	pages map[octavo.ID]named
	paths map[string][]octavo.ID // by time of creation
	slugs map[string]octavo.ID
}

type named struct {
	set  string // of the import
	seen bool   // by the audience
}

func (s *Links) readNames(ctx context.Context, aud octavo.Audience) (*names, error) {
	n := &names{pages: map[octavo.ID]named{}, paths: map[string][]octavo.ID{}}
	err := s.db.Read().Query(ctx, func(row sqldb.Scanner) error {
		var id octavo.ID
		var keys [2]string // by path and by name
		var p named
		err := row.Scan(&id, &keys[0], &keys[1], &p.set, &p.seen)
		n.pages[id] = p
		for _, key := range keys {
			if key != "" {
				n.paths[key] = append(n.paths[key], id)
			}
		}
		return err
	}, `SELECT p.id, p.path_key, p.name_key, p.import_set, `+sqldb.Visible(aud, "p")+` FROM pages p WHERE p.deleted_at IS NULL ORDER BY p.id`)
	if err != nil {
		return nil, err
	}
	err = s.db.Read().Query(ctx, func(row sqldb.Scanner) error {
		var label string
		var id octavo.ID
		err := row.Scan(&label, &id)
		n.paths[label] = append(n.paths[label], id)
		return err
	}, `SELECT label, page_id FROM page_labels ORDER BY label, page_id`)
	if err != nil {
		return nil, err
	}
	n.slugs, err = sqldb.Pairs[string, octavo.ID](ctx, s.db.Read(), `SELECT slug, page_id FROM slugs WHERE state <> 'released'`)
	return n, err
}

// find is leadsTo in memory: the page of a link's candidate, or "".
func (n *names) find(from octavo.ID, c Target) octavo.ID {
	if _, exists := n.pages[c.Page]; exists {
		return c.Page
	}
	if rivals := n.paths[c.Path]; c.Path != "" && len(rivals) > 0 {
		set := n.pages[from].set
		same := slices.IndexFunc(rivals, func(id octavo.ID) bool { return n.pages[id].set == set })
		return rivals[max(same, 0)]
	}
	return n.slugs[c.Slug]
}

// leadNowhere returns the first links after one that lead to no visible
// page, on visible pages.
func (s *Links) leadNowhere(ctx context.Context, n *names, behind linkKey) (found []linkKey, err error) {
	at, settled := linkKey{}, true
	add := func() bool {
		if !settled {
			found = append(found, at)
		}
		return len(found) < brokenBatch
	}
	err = s.db.Read().Query(ctx, func(row sqldb.Scanner) error {
		var key linkKey
		var c Target
		if err := cmp.Or(row.Scan(&key.page, &key.link, &c.Page, &c.Path, &c.Slug), ctx.Err()); err != nil {
			return err
		}
		if key != at {
			if !add() {
				return sqldb.ErrEnough
			}
			at, settled = key, !n.pages[key.page].seen
		}
		if to := n.find(key.page, c); !settled && to != "" {
			if settled = n.pages[to].seen; !settled { // a hidden page still prevents later candidates
				found, settled = append(found, at), true
			}
		}
		return nil
	}, `SELECT l.page_id, l.link, l.target_id, l.target_path, l.target_slug FROM page_links l
		WHERE (l.page_id, l.link) > ($1, $2) ORDER BY l.page_id, l.link, l.rank`, sqldb.Plain(string(behind.page)), behind.link)
	if errors.Is(err, sqldb.ErrEnough) {
		return found, nil
	}
	add()
	return found, err
}

// addBroken calls add for those links that lead to no file either, with
// their text. Links of a page to one address count once.
func (s *Links) addBroken(ctx context.Context, aud octavo.Audience, found []linkKey, add func(linkKey, octavo.BrokenLink)) error {
	var ids []octavo.ID
	for _, key := range found {
		if len(ids) == 0 || ids[len(ids)-1] != key.page {
			ids = append(ids, key.page)
		}
	}
	type text struct {
		link  octavo.BrokenLink
		links []octavo.Link
	}
	pages, files := map[octavo.ID]text{}, map[[2]string]bool{}
	var a sqldb.Args
	err := s.db.Read().Query(ctx, func(row sqldb.Scanner) error {
		var p text
		var links string
		if err := row.Scan(&p.link.PageID, &p.link.Title, &p.link.Slug, &links); err != nil {
			return err
		}
		err := json.Unmarshal([]byte(links), &p.links)
		pages[p.link.PageID] = p
		return err
	}, `SELECT p.id, p.title, p.slug, p.links FROM pages p WHERE p.id IN `+sqldb.List(&a, ids)+` AND `+sqldb.Visible(aud, "p"), a...)
	if err != nil {
		return err
	}
	a = nil
	err = s.db.Read().Query(ctx, func(row sqldb.Scanner) error {
		var use [2]string
		err := row.Scan(&use[0], &use[1])
		files[use] = true
		return err
	}, `SELECT u.page_id, u.href FROM page_assets u JOIN asset_targets t ON t.target = u.target WHERE u.page_id IN `+sqldb.List(&a, ids), a...)
	for _, key := range found {
		p := pages[key.page]
		if key.link >= len(p.links) { // it was changed meanwhile
			continue
		}
		link := p.link
		link.Href = p.links[key.link].Href
		first := slices.IndexFunc(p.links, func(l octavo.Link) bool { return l.Href == link.Href })
		if first == key.link && !files[[2]string{string(key.page), sqldb.Indexed(link.Href)}] {
			add(key, link)
		}
	}
	return err
}
