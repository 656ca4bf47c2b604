package font

import "hash/maphash"

// words are words that are remembered, by text, style and direction: a table of
// twice as many places at least, in which a word stands at the first free place
// from that which its hash says. A map, which has the text beside each word once
// more, takes four times the room.
type words struct {
	places []*Word // a power of two
	count  int
	seed   maphash.Seed
}

// fewest is how many places there are at least.
const fewest = 64

// place mixes style and direction into the hash of a text.
func (t *words) place(hash uint64, style Style, rightToLeft bool) int {
	hash ^= uint64(style) << 1
	if rightToLeft {
		hash ^= 1
	}
	return int(hash & uint64(len(t.places)-1))
}

// find returns the word of a text, nil if there is none.
func find[T string | []byte](t *words, text T, style Style, rightToLeft bool) *Word {
	if t.count == 0 {
		return nil
	}
	at := t.place(maphash.Bytes(t.seed, []byte(text)), style, rightToLeft)
	for ; t.places[at] != nil; at = (at + 1) & (len(t.places) - 1) {
		if w := t.places[at]; w.Text == string(text) && w.style == style && w.rightToLeft == rightToLeft {
			return w
		}
	}
	return nil
}

// add adds a word that is not there.
func (t *words) add(w *Word) {
	if 2*t.count >= len(t.places) {
		t.grow()
	}
	t.count++
	t.put(w)
}

func (t *words) put(w *Word) {
	at := t.place(maphash.String(t.seed, w.Text), w.style, w.rightToLeft)
	for t.places[at] != nil {
		at = (at + 1) & (len(t.places) - 1)
	}
	t.places[at] = w
}

// grow doubles the places.
func (t *words) grow() {
	if t.places == nil {
		t.seed = maphash.MakeSeed()
	}
	all := t.places
	t.places = make([]*Word, max(2*len(all), fewest))
	for _, w := range all {
		if w != nil {
			t.put(w)
		}
	}
}
