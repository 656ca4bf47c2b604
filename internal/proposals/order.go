package proposals

import (
	"slices"

	"github.com/octavo-docs/octavo"
)

// inOrder returns in which order steps are written. Some have to wait for others: for the
// slug of a page that is deleted, for a parent that is made or moved, for a child that is
// moved away. Where they wait for each other, the first goes on; writing it is refused.
func inOrder(steps []step) []int {
	left := make([]int, len(steps))
	for i := range left {
		left[i] = i
	}
	var order []int
	for len(left) > 0 {
		waiting := slices.DeleteFunc(slices.Clone(left), func(i int) bool {
			return !slices.ContainsFunc(left, func(other int) bool { return other != i && steps[i].waits(steps[other]) })
		})
		if len(waiting) == len(left) {
			order, waiting = append(order, left[0]), left[1:]
		} else {
			for _, i := range left {
				if !slices.Contains(waiting, i) {
					order = append(order, i)
				}
			}
		}
		left = waiting
	}
	return order
}

// waits reports whether a step has to wait for another one.
func (st step) waits(other step) bool {
	return st.slug != "" && other.change.Op == octavo.ChangeDelete && other.page != nil && other.page.Slug == st.slug ||
		parentOf(st) != "" && parentOf(st) == other.key() && (other.change.Op != octavo.ChangeUpdate || other.update.ParentID != nil) ||
		st.change.Op == octavo.ChangeDelete && other.page != nil && other.page.ParentID == st.change.PageID
}
