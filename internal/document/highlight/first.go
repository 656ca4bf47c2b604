package highlight

import (
	"unicode"

	"github.com/dlclark/regexp2/v2/syntax"
)

// firsts are the characters of ASCII that what an expression matches may begin
// with. Of all others it is not known.
type firsts [2]uint64

// anything is what may begin with any character.
func anything() firsts { return firsts{^uint64(0), ^uint64(0)} }

func (f *firsts) add(c rune) {
	if 0 <= c && c < 128 {
		f[c/64] |= 1 << (c % 64)
	}
}

func (f *firsts) join(other firsts) {
	f[0] |= other[0]
	f[1] |= other[1]
}

// may reports whether a text that begins with c may be matched.
func (f *firsts) may(c rune) bool {
	return c < 0 || c >= 128 || f[c/64]&(1<<(c%64)) != 0
}

// firstsOf returns what an expression may begin with. Where it cannot tell, that
// is anything.
func firstsOf(pattern string) firsts {
	tree, err := syntax.Parse(pattern, syntax.ParseOptions{})
	if err != nil {
		return anything()
	}
	f, empty := beginnings(tree.Root)
	if empty { // and so before anything
		return anything()
	}
	return f
}

// beginnings returns what a part of an expression may begin with, and whether it
// may match nothing, so that what follows begins the whole. What looks around
// and is true of a place counts as nothing: that it may also forbid a character
// is left to the match.
func beginnings(n *syntax.RegexNode) (f firsts, empty bool) {
	switch n.T {
	case syntax.NtEmpty, syntax.NtPosLook, syntax.NtNegLook, syntax.NtBol, syntax.NtEol, syntax.NtBoundary, syntax.NtNonboundary,
		syntax.NtBeginning, syntax.NtStart, syntax.NtEndZ, syntax.NtEnd, syntax.NtUpdateBumpalong:
		return f, true
	}
	if n.Options&syntax.RightToLeft != 0 { // it begins with what stands last in it
		return anything(), true
	}
	switch n.T {
	case syntax.NtOne:
		return charsOf(n, func(c rune) bool { return c == n.Ch }), false
	case syntax.NtOneloop, syntax.NtOnelazy, syntax.NtOneloopatomic:
		return charsOf(n, func(c rune) bool { return c == n.Ch }), n.M == 0
	case syntax.NtNotone:
		return charsOf(n, func(c rune) bool { return c != n.Ch }), false
	case syntax.NtNotoneloop, syntax.NtNotonelazy, syntax.NtNotoneloopatomic:
		return charsOf(n, func(c rune) bool { return c != n.Ch }), n.M == 0
	case syntax.NtSet:
		return charsOf(n, n.Set.CharIn), false
	case syntax.NtSetloop, syntax.NtSetlazy, syntax.NtSetloopatomic:
		return charsOf(n, n.Set.CharIn), n.M == 0
	case syntax.NtMulti:
		if len(n.Str) == 0 {
			return f, true
		}
		return charsOf(n, func(c rune) bool { return c == n.Str[0] }), false
	case syntax.NtCapture, syntax.NtGroup, syntax.NtAtomic, syntax.NtConcatenate:
		for _, child := range n.Children {
			first, none := beginnings(child)
			f.join(first)
			if !none {
				return f, false
			}
		}
		return f, true
	case syntax.NtAlternate:
		for _, child := range n.Children {
			first, none := beginnings(child)
			f.join(first)
			empty = empty || none
		}
		return f, empty
	case syntax.NtLoop, syntax.NtLazyloop:
		f, empty = beginnings(n.Children[0])
		return f, empty || n.M == 0
	}
	return anything(), true
}

// charsOf returns the characters of ASCII that a node takes as one character.
func charsOf(n *syntax.RegexNode, takes func(rune) bool) (f firsts) {
	for c := range rune(128) {
		if takes(c) {
			f.add(c)
		}
		if n.Options&syntax.IgnoreCase == 0 {
			continue
		}
		for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
			if takes(other) {
				f.add(c)
			}
		}
	}
	return f
}
