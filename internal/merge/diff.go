package merge

// A change replaces lines of one text by lines of another.
type change struct {
	from, to       int // in the first text
	newFrom, newTo int // in the second
}

// Effort bounds what several merges take together, such as those of one proposal. What
// comes when it is spent is compared coarsely. The zero value is a new one.
type Effort struct{ spent int }

// diff returns what makes b of a, in order, and whether the comparison was cut short. No
// two changes touch. Lines are numbers, equal for equal lines.
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

// shared returns the lines that the other text has too, and their places. All others
// have changed.
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

// differ looks for the lines that two texts do not share, by Myers' algorithm in
// linear space ("An O(ND) Difference Algorithm and Its Variations", 1986).
type differ struct {
	a, b           []int
	placeA, placeB []int  // of these lines, in the whole texts
	gone, come     []bool // lines of the whole texts that the other has not
	room           []int
	patience       int
	steps          int
	coarse         bool // whether patience has ended
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

// The search for the middle of a way goes through so many differences that maxSteps
// bounds all searches of a text, about. Beyond that it takes the way that has come
// furthest: the longer two texts are that share little, the coarser they are compared.
const (
	maxSteps    = 20_000_000
	maxEffort   = 10 * maxSteps
	minPatience = 16
)

// middle returns a point on a shortest way from (i, k) to (j, l), about in its middle.
// It goes from both ends until the ways meet.
func (d *differ) middle(i, j, k, l int) (x, y int) {
	// Ways are kept by their diagonal x-y: forward those from the beginning, backward
	// those from the end.
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

// widen makes room for one more difference: the ways may lie on one diagonal more on
// each side, within the texts. none is what a way has that does not exist.
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

// furthest returns the end of the way forward that has come furthest.
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

// slide moves each run of changed lines down as far as it goes, or back up to where
// the other text has changed lines too: of "a b a" the second "a b" or "b a" may be
// what was added. Runs that meet become one.
func slide(lines []int, changed, other []bool) {
	r := run{lines: lines, changed: changed, opposite: runs(other)}
	for r.next() {
		r.place()
	}
}

// runs reports for each line that both texts have, in order, whether changed lines
// stand before it, and last whether some stand at the end.
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
	kept       int // how many lines before it both texts have
}

// next goes on to the next run behind this one.
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

// place moves the run to where it belongs.
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

// changes lists the runs of changed lines.
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
