package line

import "strings"

// Ahead finds marks in the rest of a source. It keeps what it found, so that all searches
// together take linear time.
type Ahead map[string]int

// Has reports whether mark occurs in the source from an offset on, which never decreases. "/x" may
// be "/ x".
func (a *Ahead) Has(source string, from int, mark string) bool {
	if name, closing := strings.CutPrefix(mark, "/"); closing && !strings.HasPrefix(name, " ") && a.Has(source, from, "/ "+name) {
		return true
	}
	at, known := (*a)[mark]
	if !known || at >= 0 && at < from {
		if at = strings.Index(source[from:], mark); at >= 0 {
			at += from
		}
		if *a == nil {
			*a = Ahead{}
		}
		(*a)[mark] = at
	}
	return at >= 0
}
