package pagestore

import (
	"fmt"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// The states of a slug. A former slug leads to its page until another page
// takes it. A released one belonged to a deleted page and leads nowhere. It
// returns with the page if nobody has taken it (decision 8).
const (
	slugCurrent  = "current"
	slugFormer   = "former"
	slugReleased = "released"
)

// claimSlug makes slug the current one of the page. The table's primary key
// decides, so one of two concurrent claims wins.
func claimSlug(tx *sqldb.Tx, id octavo.ID, slug string) error {
	n, err := takeSlug(tx, id, slug, slugCurrent)
	if err != nil {
		return err
	}
	if n == 0 {
		return errSlugTaken("/slug", slug)
	}
	return nil
}

func takeSlug(tx *sqldb.Tx, id octavo.ID, slug, state string) (int64, error) {
	n, err := tx.Exec(`INSERT INTO slugs (slug, page_id, state) VALUES ($1, $2, $3)
		ON CONFLICT (slug) DO UPDATE SET page_id = excluded.page_id, state = excluded.state
		WHERE slugs.state <> 'current'`, slug, id, state)
	if err != nil {
		return 0, fmt.Errorf("take slug %s for page %s: %w", slug, id, err)
	}
	return n, nil
}

func errSlugTaken(path, slug string) error {
	e := octavo.Errorf(octavo.SlugTaken, "Another page uses the slug %q.", slug)
	e.Fields = []octavo.FieldError{{Path: path, Message: "is used by another page"}}
	return e
}

// addFormerSlugs makes further slugs lead to the page, and reports whether
// one of them did not before.
func addFormerSlugs(tx *sqldb.Tx, page *pageRow, slugs []string) (added bool, err error) {
	for i, slug := range slugs {
		if slug == page.Slug {
			continue
		}
		var one int
		has, err := tx.Row([]any{&one}, `SELECT 1 FROM slugs WHERE slug = $1 AND page_id = $2 AND state = 'former'`, slug, page.ID)
		if err != nil {
			return false, fmt.Errorf("look up slug %s: %w", slug, err)
		}
		if has {
			continue
		}
		n, err := takeSlug(tx, page.ID, slug, slugFormer)
		if err != nil {
			return false, err
		}
		if n == 0 {
			return false, errSlugTaken("/formerSlugs/"+strconv.Itoa(i), slug)
		}
		added = true
	}
	return added, nil
}

// changeSlug gives the page another slug; the old one becomes a former slug.
func changeSlug(tx *sqldb.Tx, id octavo.ID, from, to string) error {
	if err := claimSlug(tx, id, to); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE slugs SET state = 'former' WHERE slug = $1 AND page_id = $2`, from, id); err != nil {
		return fmt.Errorf("keep slug %s for page %s: %w", from, id, err)
	}
	return nil
}

// releaseSlugs frees all slugs of a page that is being deleted.
func releaseSlugs(tx *sqldb.Tx, id octavo.ID) error {
	if _, err := tx.Exec(`UPDATE slugs SET state = 'released' WHERE page_id = $1`, id); err != nil {
		return fmt.Errorf("release the slugs of page %s: %w", id, err)
	}
	return nil
}

// reclaimSlugs gives a restored page its slugs back that no other page has taken. It
// takes its own slug even if that is a former slug of another page by now.
func reclaimSlugs(tx *sqldb.Tx, id octavo.ID, slug string) error {
	if _, err := tx.Exec(`UPDATE slugs SET state = 'former' WHERE page_id = $1`, id); err != nil {
		return fmt.Errorf("take back the slugs of page %s: %w", id, err)
	}
	return claimSlug(tx, id, slug)
}
