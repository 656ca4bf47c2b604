package font

// The operators of Type 2 charstrings that matter for finding what they call,
// as in Adobe's Technical Note 5177.
const (
	csHStem     = 1
	csVStem     = 3
	csCallSubr  = 10
	csReturn    = 11
	csEscape    = 12
	csHStemHM   = 18
	csHintMask  = 19
	csCntrMask  = 20
	csVStemHM   = 23
	csShort     = 28
	csCallGSubr = 29
)

// The limits of what a charstring may do.
const (
	maxCalls = 10 // how deep subroutines call each other
	maxStack = 513
	maxSteps = 1 << 20 // operators of one glyph
)

// dropSubrs puts a mere return in place of each subroutine that no glyph kept
// calls. A font that cannot be followed keeps all of them.
func (c *cffFont) dropSubrs(keep []bool) {
	globals := make([]bool, len(c.globals))
	locals := make([][]bool, len(c.dicts))
	for i, d := range c.dicts {
		locals[i] = make([]bool, len(d.subrs))
	}
	for id, code := range c.charstrings {
		if id >= len(keep) || !keep[id] {
			continue
		}
		d := int(c.selected[id])
		if d >= len(c.dicts) {
			return
		}
		t := tracer{globals: c.globals, locals: c.dicts[d].subrs, calledGlobals: globals, calledLocals: locals[d]}
		if !t.run(code, 0) {
			return
		}
	}
	drop(c.globals, globals)
	for i := range c.dicts {
		drop(c.dicts[i].subrs, locals[i])
	}
}

func drop(subrs [][]byte, called []bool) {
	for i := range subrs {
		if !called[i] {
			subrs[i] = []byte{csReturn}
		}
	}
}

// tracer follows the calls of a charstring. Of what it draws it knows only the
// number of stems, which tells how long masks are.
type tracer struct {
	globals, locals             [][]byte
	calledGlobals, calledLocals []bool
	stack                       []int
	stems                       int
	steps                       int
	done                        bool
}

// run follows code; it reports false when the code is broken.
func (t *tracer) run(code []byte, depth int) bool {
	for len(code) > 0 && !t.done {
		if t.steps++; t.steps > maxSteps || len(t.stack) > maxStack {
			return false
		}
		op := code[0]
		if op >= 32 || op == csShort {
			n, width := number(code)
			if width == 0 {
				return false
			}
			t.stack = append(t.stack, n)
			code = code[width:]
			continue
		}
		code = code[1:]
		switch op {
		case csCallSubr:
			if !t.call(t.locals, t.calledLocals, depth) {
				return false
			}
		case csCallGSubr:
			if !t.call(t.globals, t.calledGlobals, depth) {
				return false
			}
		case csReturn:
			return true
		case endchar:
			t.done = true
		case csHStem, csVStem, csHStemHM, csVStemHM:
			t.stems += len(t.stack) / 2
			t.stack = t.stack[:0]
		case csHintMask, csCntrMask:
			t.stems += len(t.stack) / 2 // vertical stems whose operator was left out
			t.stack = t.stack[:0]
			size := (t.stems + 7) / 8
			if size > len(code) {
				return false
			}
			code = code[size:]
		case csEscape:
			if len(code) == 0 {
				return false
			}
			code = code[1:]
			t.stack = t.stack[:0]
		default:
			t.stack = t.stack[:0]
		}
	}
	return true
}

// call follows the subroutine whose number is on the stack.
func (t *tracer) call(subrs [][]byte, called []bool, depth int) bool {
	if len(t.stack) == 0 || depth >= maxCalls {
		return false
	}
	i := t.stack[len(t.stack)-1] + bias(len(subrs))
	t.stack = t.stack[:len(t.stack)-1]
	if i < 0 || i >= len(subrs) {
		return false
	}
	called[i] = true
	return t.run(subrs[i], depth+1)
}

// bias is what the number of a subroutine is short of, by how many there are.
func bias(subrs int) int {
	switch {
	case subrs < 1240:
		return 107
	case subrs < 33900:
		return 1131
	}
	return 32768
}

// number reads a number of a charstring; width is 0 when it is cut off. Of a
// fraction it returns the whole part.
func number(b []byte) (n, width int) {
	if b[0] != 255 {
		return operand(b)
	}
	if len(b) < 5 {
		return 0, 0
	}
	return int(int16(uint16(b[1])<<8 | uint16(b[2]))), 5
}
