package font

// words caches words by style, direction and text.
type words struct {
	of    [styles][2]map[string]*Word
	count int
}

func (t *words) by(style Style, rightToLeft bool) *map[string]*Word {
	if rightToLeft {
		return &t.of[style%styles][1]
	}
	return &t.of[style%styles][0]
}

func (t *words) add(w *Word) {
	texts := t.by(w.style, w.rightToLeft)
	if *texts == nil {
		*texts = map[string]*Word{}
	}
	(*texts)[w.Text] = w
	t.count++
}
