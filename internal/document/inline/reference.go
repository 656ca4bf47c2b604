package inline

// minRoom is how many bytes of destinations the uses of references may bring in
// at the least; a longer document may double its length. Past that they are
// text, so that a long destination used often cannot fill the memory.
const minRoom = 100_000

// Target is where a link leads, as written, escapes and all. At is where the
// destination stands in the text, -1 where a definition has it.
type Target struct {
	Destination, Title string
	At                 int
}

// Definition is a link reference definition, and where it stands in a paragraph.
type Definition struct {
	Label         string // folded
	Start, Behind int
	Target        Target // At is the place of the destination without brackets
}

// References are the link reference definitions of a document. They are made by
// NewReferences.
type References struct {
	targets map[string]Target // by folded label
	room    int               // bytes that uses may still bring in

	Found func(Definition) // is told of each definition, unless it is nil
}

// NewReferences returns the references of a document of size bytes, none yet.
func NewReferences(size int) *References {
	return &References{room: max(minRoom, size)}
}

// Define takes the definitions from the start of a paragraph, whose lines have
// no indentation, and returns what follows them (CommonMark section 4.7).
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
			inner := to + (width-len(destination))/2 // behind the bracket, if it has any
			r.Found(Definition{FoldLabel(label), start, start + end, Target{destination, title, start + inner}})
		}
		s = s[end:]
	}
	return s
}

// add keeps the first definition of a label.
func (r *References) add(label string, to Target) {
	if r.targets == nil {
		r.targets = map[string]Target{}
	}
	if _, defined := r.targets[label]; !defined && label != "" {
		r.targets[label] = to
	}
}

// Defined reports whether a label leads somewhere.
func (r *References) Defined(label string) bool {
	_, found := r.targets[FoldLabel(label)]
	return found
}

// use returns where a label leads.
func (r *References) use(label string) (to Target, found bool) {
	if r == nil || len(r.targets) == 0 {
		return to, false
	}
	if to, found = r.targets[FoldLabel(label)]; found {
		r.room -= len(to.Destination) + len(to.Title)
	}
	return to, found && r.room >= 0
}

// definitionTitle returns the title after a definition and where its line
// ends.
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

// lineEnd returns the place after the end of the line if only blanks precede
// it.
func lineEnd(s string, at int) (int, bool) {
	at += Blanks(s[at:])
	if at == len(s) {
		return at, true
	}
	return at + 1, s[at] == '\n'
}
