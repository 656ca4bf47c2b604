package highlight

import "github.com/dlclark/regexp2/v2/syntax"

// firsts is the set of ASCII characters with which a match of an expression may begin. Any
// other character may.
type firsts [2]uint64

// may reports whether a match may begin with c.
func (f *firsts) may(c rune) bool {
	return c < 0 || c >= 128 || f[c/64]&(1<<(c%64)) != 0
}

// firstsOf returns the set for an expression, as known to regexp2, or all characters.
func firstsOf(pattern string) (f firsts) {
	anything := firsts{^uint64(0), ^uint64(0)}
	tree, err := syntax.Parse(pattern, syntax.ParseOptions{})
	if err != nil {
		return anything
	}
	code, err := syntax.Write(tree)
	if err != nil || code.FcPrefix == nil {
		return anything
	}
	for c := range rune(128) {
		if code.FcPrefix.PrefixSet.CharIn(c) {
			f[c/64] |= 1 << (c % 64)
		}
	}
	return f
}
