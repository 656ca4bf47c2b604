package highlight

import "github.com/dlclark/regexp2/v2/syntax"

// firsts are the characters of ASCII that what an expression matches may begin
// with. Of all others it is not known.
type firsts [2]uint64

// may reports whether a text that begins with c may be matched.
func (f *firsts) may(c rune) bool {
	return c < 0 || c >= 128 || f[c/64]&(1<<(c%64)) != 0
}

// firstsOf returns what an expression may begin with, as regexp2 knows it. Where
// it does not, that is anything.
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
