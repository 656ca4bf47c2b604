package pagestore

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// treeBound limits walks through a tree that is deeper than allowed.
const treeBound = 2 * octavo.MaxDepth

// lockTree must come before reads of the tree for a change.
func lockTree(tx *sqldb.Tx) error {
	if err := tx.Lock(sqldb.TreeLock); err != nil {
		return fmt.Errorf("lock the page tree: %w", err)
	}
	return nil
}

// checkParent ensures that the page id, which may be new, can be under
// parent with everything below it (decision 11).
func checkParent(tx *sqldb.Tx, id, parent octavo.ID) error {
	if parent == "" {
		return nil
	}
	if err := lockTree(tx); err != nil {
		return err
	}
	up, err := ancestors(tx, parent)
	if err != nil {
		return err
	}
	if len(up) == 0 {
		return octavo.Invalid("/parentId", "must be the identifier of an existing page; there is no page %q", parent)
	}
	for _, ancestor := range up {
		if ancestor == id {
			e := octavo.Errorf(octavo.Conflict, "Page %s cannot be moved under %s, which is the page itself or below it.", id, parent)
			e.Fields = []octavo.FieldError{{Path: "/parentId", Message: "must not be the page itself, nor below it"}}
			return e
		}
	}
	height, err := height(tx, id)
	if err != nil {
		return err
	}
	if depth := len(up) + height; depth > octavo.MaxDepth {
		return octavo.Invalid("/parentId", "must leave the tree at most %d pages deep; it would be %d", octavo.MaxDepth, depth)
	}
	return nil
}

// ancestors returns the page and all pages above it; none if it does not exist.
func ancestors(tx *sqldb.Tx, id octavo.ID) ([]octavo.ID, error) {
	up, err := sqldb.Collect(tx.Context(), tx.Conn(), sqldb.Column[octavo.ID], `WITH RECURSIVE up (id, parent_id, depth) AS (
			SELECT p.id, p.parent_id, 1 FROM pages p WHERE p.id = $1 AND p.deleted_at IS NULL
			UNION ALL
			SELECT p.id, p.parent_id, up.depth + 1 FROM pages p JOIN up ON p.id = up.parent_id WHERE up.depth < $2
		) SELECT id FROM up`, sqldb.Plain(string(id)), treeBound)
	if err != nil {
		return nil, fmt.Errorf("read the ancestors of page %s: %w", id, err)
	}
	return up, nil
}

const descendants = `WITH RECURSIVE down (id, depth) AS (
		SELECT p.id, 1 FROM pages p WHERE p.id = $1
		UNION ALL
		SELECT p.id, down.depth + 1 FROM pages p JOIN down ON p.parent_id = down.id
		WHERE p.deleted_at IS NULL AND down.depth < $2
	) `

// height counts the levels from the page to its deepest descendant; 1 for a
// page without children or one that does not exist yet.
func height(tx *sqldb.Tx, id octavo.ID) (int, error) {
	var height int
	_, err := tx.Row([]any{&height}, descendants+`SELECT COALESCE(MAX(depth), 1) FROM down`, id, treeBound)
	if err != nil {
		return 0, fmt.Errorf("measure the branch of page %s: %w", id, err)
	}
	return height, nil
}

// below returns the descendants of the page, deepest first.
func below(tx *sqldb.Tx, id octavo.ID) ([]octavo.ID, error) {
	ids, err := sqldb.Collect(tx.Context(), tx.Conn(), sqldb.Column[octavo.ID],
		descendants+`SELECT id FROM down WHERE depth > 1 ORDER BY depth DESC, id`, id, treeBound)
	if err != nil {
		return nil, fmt.Errorf("read the branch of page %s: %w", id, err)
	}
	return ids, nil
}

// children returns the ids of the children of the page in creation order.
func children(tx *sqldb.Tx, id octavo.ID) ([]octavo.ID, error) {
	ids, err := sqldb.Collect(tx.Context(), tx.Conn(), sqldb.Column[octavo.ID],
		`SELECT p.id FROM pages p WHERE p.parent_id = $1 AND p.deleted_at IS NULL ORDER BY p.id`, id)
	if err != nil {
		return nil, fmt.Errorf("read the children of page %s: %w", id, err)
	}
	return ids, nil
}
