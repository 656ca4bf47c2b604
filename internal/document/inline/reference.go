package inline

// minBudget is the minimal limit, in bytes, for all destinations inserted by references; longer
// documents may double in length. Further references are text, so that repeated long
// destinations cannot exhaust the memory.
const minBudget = 100_000

// Target is a link target as written, unescaped. At is the offset of the destination in the
// text, -1 if it is in a definition.
type Target struct {
	Destination, Title string
	At                 int
}

// Definition is a link reference definition in a paragraph.
type Definition struct {
	Label         string // folded
	Start, Behind int
	Target        Target // At is the offset of the destination without brackets
}

// References are the link reference definitions of a document. Use NewReferences.
type References struct {
	targets map[string]Target // by folded label
	budget  int               // remaining bytes that references may insert

	Found func(Definition) // called for each definition, if not nil
}

// NewReferences returns an empty set for a document of size bytes.
func NewReferences(size int) *References {
	return &References{budget: max(minBudget, size)}
}

// Define removes definitions from the start of a paragraph without indentation, and returns the
// rest (CommonMark section 4.7).
func (r *References) Define(s string, scan *Budget) string {
	for whole := len(s); len(s) > 0 && s[0] == '['; {
		label, used := scanLabel(s)
		if used == 0 || used >= len(s) || s[used] != ':' || Spaces(label) == len(label) {
			return s
		}
		to := used + 1 + Spaces(s[used+1:])
		destination, width := scanDestination(s[to:])
		if width == 0 {
			return s
		}
		at := to + width
		end, ok := lineEnd(s, at)
		title := s[:0]
		if written, after, found := definitionTitle(s, at, scan); found {
			title, end, ok = written, after, true
		}
		if !ok {
			return s
		}
		r.add(FoldLabel(label), Target{destination, title, -1})
		if start := whole - len(s); r.Found != nil {
			inner := to + (width-len(destination))/2 // after the bracket, if any
			r.Found(Definition{FoldLabel(label), start, start + end, Target{destination, title, start + inner}})
		}
		s = s[end:]
	}
	return s
}

// add keeps the first definition of each label.
func (r *References) add(label string, to Target) {
	if r.targets == nil {
		r.targets = map[string]Target{}
	}
	if _, defined := r.targets[label]; !defined && label != "" {
		r.targets[label] = to
	}
}

// Anchors defines labels that lead to the anchors of the same name.
func (r *References) Anchors(names []string) {
	for _, name := range names {
		r.add(FoldLabel(name), Target{"#" + name, "", -1})
	}
}

func (r *References) Defined(label string) bool {
	_, found := r.targets[FoldLabel(label)]
	return found
}

// use returns the target of a label.
func (r *References) use(label string) (to Target, found bool) {
	if r == nil || len(r.targets) == 0 {
		return to, false
	}
	if to, found = r.targets[FoldLabel(label)]; found {
		r.budget -= len(to.Destination) + len(to.Title)
	}
	return to, found && r.budget >= 0
}

// definitionTitle parses the title of a definition and returns the end of its line.
func definitionTitle(s string, at int, scan *Budget) (title string, end int, found bool) {
	gap := Spaces(s[at:])
	if gap == 0 || scan.Spent() {
		return s[:0], 0, false
	}
	width := scanTitle(s[at+gap:])
	if width == 0 {
		if start := at + gap; start < len(s) && opensTitle(s[start]) {
			scan.Spend(len(s) - at)
		}
		return s[:0], 0, false
	}
	end, found = lineEnd(s, at+gap+width)
	return s[at+gap+1 : at+gap+width-1], end, found
}

func opensTitle(c byte) bool { return c == '"' || c == '\'' || c == '(' }

// lineEnd returns the offset after the line end if only blanks precede it.
func lineEnd(s string, at int) (int, bool) {
	at += Blanks(s[at:])
	if at == len(s) {
		return at, true
	}
	return at + 1, s[at] == '\n'
}
