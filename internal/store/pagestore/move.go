package pagestore

import (
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// positionStep is the gap between positions, so that pages can be moved
// between others without changing those.
const positionStep = 1024

const minPosition, maxPosition = -1 << 31, 1<<31 - 1

// Move moves a page in the tree. A move to the present place changes
// nothing. If no number is left between its new neighbours, its siblings are
// renumbered, each with a new version.
func (s *Pages) Move(tx *sqldb.Tx, id octavo.ID, to octavo.PageMove, match sqldb.IfMatch) (octavo.Page, error) {
	if err := lockTree(tx); err != nil {
		return octavo.Page{}, err
	}
	old, err := load(tx, id)
	if err != nil {
		return octavo.Page{}, err
	}
	if err := check(match, &old.Page); err != nil {
		return octavo.Page{}, err
	}
	page := *old
	if set(&page.ParentID, to.ParentID); page.ParentID != old.ParentID {
		if err := checkParent(tx, id, page.ParentID); err != nil {
			return octavo.Page{}, err
		}
	}
	others, err := siblings(tx, page.ParentID)
	if err != nil {
		return octavo.Page{}, err
	}
	was := slices.IndexFunc(others, func(p Stub) bool { return p.ID == id })
	if was >= 0 {
		others = slices.Delete(others, was, was+1)
	}
	place, err := placeAmong(others, to)
	if err != nil || place == was {
		return old.Page, err
	}
	list := make([]*int64, len(others))
	for i, p := range others {
		list[i] = p.Position
	}
	first, numbers := numberAnew(slices.Insert(list, place, nil), place)
	for i, n := range numbers {
		switch at := first + i; {
		case at < place:
			_, err = s.Update(tx, others[at].ID, Change{Position: &octavo.OptInt{Value: &n}}, nil)
		case at > place:
			_, err = s.Update(tx, others[at-1].ID, Change{Position: &octavo.OptInt{Value: &n}}, nil)
		default:
			page.Position = &n
			err = s.save(tx, old, &page)
		}
		if err != nil {
			return octavo.Page{}, err
		}
	}
	return page.Page, nil
}

// siblings returns the pages below a parent, in order; "" is the root.
func siblings(tx *sqldb.Tx, parent octavo.ID) ([]Stub, error) {
	var a sqldb.Args
	which := "p.parent_id IS NULL"
	if parent != "" {
		which = "p.parent_id = " + a.Add(parent)
	}
	list, err := sqldb.Collect(tx.Context(), tx.Conn(), func(row sqldb.Scanner) (p Stub, err error) {
		err = row.Scan(&p.ID, &p.Position)
		return p, err
	}, `SELECT p.id, p.position FROM pages p WHERE `+which+` AND p.deleted_at IS NULL`, a...)
	if err != nil {
		return nil, fmt.Errorf("read the pages below %q: %w", parent, err)
	}
	slices.SortFunc(list, CompareSiblings)
	return list, nil
}

// placeAmong returns the index of a moved page among its new siblings.
func placeAmong(others []Stub, to octavo.PageMove) (int, error) {
	find := func(member string, id octavo.ID) (int, error) {
		i := slices.IndexFunc(others, func(p Stub) bool { return p.ID == id })
		if i < 0 {
			return 0, octavo.Invalid("/"+member, "must be another page below the same parent; %q is none", id)
		}
		return i, nil
	}
	switch {
	case to.Before != "":
		return find("before", to.Before)
	case to.After != "":
		i, err := find("after", to.After)
		return i + 1, err
	}
	return len(others), nil
}

// numberAnew chooses positions for a page that moves to an index among siblings, which
// may have none. If no number is left there, it renumbers all siblings that have one or
// come before it. The first number is for the sibling at first.
func numberAnew(list []*int64, place int) (first int, numbers []int64) {
	below, above := place > 0, place+1 < len(list) && list[place+1] != nil
	switch {
	case below && list[place-1] == nil: // the last ones are ordered by creation
	case below && above:
		if low, high := *list[place-1], *list[place+1]; high-low > 1 {
			return place, []int64{low + (high-low)/2}
		}
	case below && *list[place-1]+positionStep <= maxPosition:
		return place, []int64{*list[place-1] + positionStep}
	case above && *list[place+1]-positionStep >= minPosition:
		return place, []int64{*list[place+1] - positionStep}
	}
	for i, position := range list {
		if i <= place || position != nil {
			numbers = append(numbers, positionStep*int64(i+1))
		}
	}
	return 0, numbers
}
