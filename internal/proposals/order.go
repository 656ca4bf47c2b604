package proposals

import "github.com/octavo-docs/octavo"

// inOrder returns the order in which steps are written. Some wait for others: for the
// slug of a deleted page, for a parent that is created or moved, for a child that is
// moved away. In a cycle, the first one continues, and writing it is refused. Proposers
// control the dependencies, so its time depends only on the number of steps.
func inOrder(steps []step) []int {
	deleted, placed, below := map[string]int{}, map[octavo.ID]int{}, map[octavo.ID][]int{}
	for i, st := range steps {
		if st.page != nil {
			below[st.page.ParentID] = append(below[st.page.ParentID], i)
			if st.change.Op == octavo.ChangeDelete {
				deleted[st.page.Slug] = i
			}
		}
		if st.change.Op != octavo.ChangeUpdate || st.update.ParentID != nil {
			placed[st.key()] = i
		}
	}
	waits, behind := make([]int, len(steps)), make([][]int, len(steps))
	var ready, order, moves []int
	for i, st := range steps {
		if st.update.ParentID != nil {
			moves = append(moves, i)
		}
	}
	for i, st := range steps {
		var before []int
		if other, ok := deleted[st.slug]; ok && st.slug != "" {
			before = append(before, other)
		}
		if other, ok := placed[parentOf(st)]; ok && parentOf(st) != "" {
			before = append(before, other)
		}
		if st.change.Op == octavo.ChangeRestore && st.page != nil {
			if other, ok := placed[st.page.ParentID]; ok && steps[other].change.Op == octavo.ChangeRestore {
				before = append(before, other)
			}
		}
		if st.change.Op == octavo.ChangeDelete {
			before = append(before, below[st.change.PageID]...)
			if st.change.Children != "" { // from anywhere below it
				before = append(before, moves...)
			}
		}
		for _, other := range before {
			if other != i {
				waits[i]++
				behind[other] = append(behind[other], i)
			}
		}
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	done := make([]bool, len(steps))
	for first := 0; len(order) < len(steps); {
		if len(ready) == 0 { // a cycle
			for done[first] {
				first++
			}
			ready = append(ready, first)
		}
		next := ready[0]
		ready, order, done[next] = ready[1:], append(order, next), true
		for _, i := range behind[next] {
			if waits[i]--; waits[i] == 0 && !done[i] {
				ready = append(ready, i)
			}
		}
	}
	return order
}
