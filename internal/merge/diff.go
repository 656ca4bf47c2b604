package merge

type change struct {
	from, to       int // in the first text
	newFrom, newTo int // in the second
}

// Effort limits the work of several merges, such as those of one proposal. Beyond it texts
// are compared coarsely. The zero value is ready to use.
type Effort struct{ spent int }

// diff returns the changes from a to b, in order, and whether the comparison was cut
// short. Changes never touch. Equal lines have equal numbers.
func (e *Effort) diff(a, b []int) (list []change, coarse bool) {
	d := differ{gone: make([]bool, len(a)), come: make([]bool, len(b))}
	d.a, d.placeA = shared(a, b, d.gone)
	d.b, d.placeB = shared(b, a, d.come)
	n := len(d.a) + len(d.b)
	d.room, d.patience = make([]int, 2*(n+3)), max(minPatience, min(maxSteps, maxEffort-e.spent)/max(n, 1))
	d.compare(0, len(d.a), 0, len(d.b))
	e.spent += d.steps
	slide(a, d.gone, d.come)
	slide(b, d.come, d.gone)
	return changes(d.gone, d.come), d.coarse
}

// shared returns the lines that also occur in the other text, and their positions. It
// marks all others as changed.
func shared(lines, other []int, changed []bool) (both, places []int) {
	has := map[int]bool{}
	for _, line := range other {
		has[line] = true
	}
	for i, line := range lines {
		if changed[i] = !has[line]; !changed[i] {
			both, places = append(both, line), append(places, i)
		}
	}
	return both, places
}

// differ compares two texts by Myers' algorithm in linear space ("An O(ND) Difference
// Algorithm and Its Variations", 1986).
type differ struct {
	a, b           []int
	placeA, placeB []int  // positions of the lines in the whole texts
	gone, come     []bool // lines of the whole texts that only one text has
	room           []int
	patience       int
	steps          int
	coarse         bool // whether maxSteps was reached
}

// compare compares a[i:j] with b[k:l].
func (d *differ) compare(i, j, k, l int) {
	for i < j && k < l && d.a[i] == d.b[k] {
		i, k = i+1, k+1
	}
	for i < j && k < l && d.a[j-1] == d.b[l-1] {
		j, l = j-1, l-1
	}
	switch {
	case i == j:
		for ; k < l; k++ {
			d.come[d.placeB[k]] = true
		}
	case k == l:
		for ; i < j; i++ {
			d.gone[d.placeA[i]] = true
		}
	default:
		x, y := d.middle(i, j, k, l)
		d.compare(i, x, k, y)
		d.compare(x, j, y, l)
	}
}

// maxSteps limits the search for middles, approximately, over a whole text. Beyond it the
// search takes the path that has got furthest: long texts with little in common are
// compared coarsely.
const (
	maxSteps    = 20_000_000
	maxEffort   = 10 * maxSteps
	minPatience = 16
)

// middle returns a point near the middle of a shortest path from (i, k) to (j, l). It
// searches from both ends until the paths meet.
func (d *differ) middle(i, j, k, l int) (x, y int) {
	// Paths are stored by diagonal x-y: forward those from the start, backward those from the
	// end.
	low, high := i-l, j-k
	half := len(d.room) / 2
	forward, backward := d.room[:half], d.room[half:]
	at := func(diagonal int) int { return diagonal - low + 1 }
	first, last := i-k, j-l
	odd := (first-last)%2 != 0
	forward[at(first)], backward[at(last)] = i, j
	fmin, fmax, bmin, bmax := first, first, last, last
	for cost := 1; ; cost++ {
		d.steps += fmax - fmin + bmax - bmin
		fmin, fmax = widen(forward, at, fmin, fmax, low, high, -1)
		for diagonal := fmax; diagonal >= fmin; diagonal -= 2 {
			x := forward[at(diagonal)+1]
			if left := forward[at(diagonal)-1]; left >= x {
				x = left + 1
			}
			y := x - diagonal
			for x < j && y < l && d.a[x] == d.b[y] {
				x, y = x+1, y+1
			}
			forward[at(diagonal)] = x
			if odd && bmin <= diagonal && diagonal <= bmax && backward[at(diagonal)] <= x {
				return x, y
			}
		}
		bmin, bmax = widen(backward, at, bmin, bmax, low, high, j+l+2)
		for diagonal := bmax; diagonal >= bmin; diagonal -= 2 {
			x := backward[at(diagonal)-1]
			if right := backward[at(diagonal)+1]; x >= right {
				x = right - 1
			}
			y := x - diagonal
			for x > i && y > k && d.a[x-1] == d.b[y-1] {
				x, y = x-1, y-1
			}
			backward[at(diagonal)] = x
			if !odd && fmin <= diagonal && diagonal <= fmax && x <= forward[at(diagonal)] {
				return x, y
			}
		}
		if cost == d.patience {
			d.coarse = true
			return furthest(forward, at, fmin, fmax, j, l)
		}
	}
}

// widen adds one diagonal on each side, within the texts. none marks a missing path.
func widen(ways []int, at func(int) int, from, to, low, high, none int) (int, int) {
	if from > low {
		from--
		ways[at(from)-1] = none
	} else {
		from++
	}
	if to < high {
		to++
		ways[at(to)+1] = none
	} else {
		to--
	}
	return from, to
}

// furthest returns the end of the forward path that has got furthest.
func furthest(forward []int, at func(int) int, from, to, j, l int) (x, y int) {
	best := -1
	for diagonal := from; diagonal <= to; diagonal += 2 {
		to := min(forward[at(diagonal)], j, l+diagonal)
		if sum := 2*to - diagonal; sum > best {
			best, x, y = sum, to, to-diagonal
		}
	}
	return x, y
}

// slide moves each run of changed lines down as far as possible, or back up to changed
// lines of the other text: in "a b a" either "a b" or "b a" may be the addition. Runs that
// meet are joined.
func slide(lines []int, changed, other []bool) {
	r := run{lines: lines, changed: changed, opposite: runs(other)}
	for r.next() {
		r.place()
	}
}

// runs reports for each unchanged line whether changed lines precede it, and finally
// whether there are some at the end.
func runs(changed []bool) []bool {
	there := []bool{false}
	for _, c := range changed {
		if c {
			there[len(there)-1] = true
		} else {
			there = append(there, false)
		}
	}
	return there
}

// run is a run of changed lines in one text.
type run struct {
	lines      []int
	changed    []bool
	opposite   []bool
	start, end int
	kept       int // number of unchanged lines before it
}

// next moves to the next run.
func (r *run) next() bool {
	for r.start = r.end; r.start < len(r.lines) && !r.changed[r.start]; r.start++ {
		r.kept++
	}
	for r.end = r.start; r.end < len(r.lines) && r.changed[r.end]; r.end++ {
	}
	return r.start < len(r.lines)
}

func (r *run) up() bool {
	if r.start == 0 || r.lines[r.start-1] != r.lines[r.end-1] {
		return false
	}
	r.start, r.end, r.kept = r.start-1, r.end-1, r.kept-1
	r.changed[r.start], r.changed[r.end] = true, false
	for r.start > 0 && r.changed[r.start-1] {
		r.start--
	}
	return true
}

func (r *run) down() bool {
	if r.end == len(r.lines) || r.lines[r.start] != r.lines[r.end] {
		return false
	}
	r.changed[r.start], r.changed[r.end] = false, true
	r.start, r.end, r.kept = r.start+1, r.end+1, r.kept+1
	for r.end < len(r.lines) && r.changed[r.end] {
		r.end++
	}
	return true
}

// place moves the run to its final position.
func (r *run) place() {
	var first int
	meets := false
	for size := -1; size != r.end-r.start; {
		size = r.end - r.start
		for r.up() {
		}
		first, meets = r.end, r.opposite[r.kept]
		for r.down() {
			meets = meets || r.opposite[r.kept]
		}
	}
	if r.end != first && meets {
		for !r.opposite[r.kept] {
			r.up()
		}
	}
}

func changes(gone, come []bool) (list []change) {
	for i, k := 0, 0; i < len(gone) || k < len(come); i, k = i+1, k+1 {
		c := change{from: i, newFrom: k}
		for i < len(gone) && gone[i] {
			i++
		}
		for k < len(come) && come[k] {
			k++
		}
		if c.to, c.newTo = i, k; c.to > c.from || c.newTo > c.newFrom {
			list = append(list, c)
		}
	}
	return list
}
