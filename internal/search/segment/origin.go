package segment

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"sort"
)

// Origin is what a document was made from beside its page, such as another
// page that links to it. When that changes, the document may be out of date.
// State differs between different states of it.
type Origin struct {
	Key   string
	State uint32
}

// origin is a document and one of its origins, by a hash of the key: if two
// share one, a document is read again needlessly.
type origin struct {
	key        uint64
	doc, state uint32
}

func originKey(key string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // it never fails
	return h.Sum64()
}

// addOrigins adds the origins of a document.
func (s *Segment) addOrigins(doc uint32, origins []Origin) {
	for _, o := range origins {
		s.origins = append(s.origins, origin{originKey(o.Key), doc, o.State})
	}
}

// sortOrigins puts the origins in order.
func (s *Segment) sortOrigins() {
	slices.SortFunc(s.origins, func(a, b origin) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.doc, b.doc), cmp.Compare(a.state, b.state))
	})
	s.origins = fit(s.origins)
}

// MadeFrom calls visit with the documents that were made from key, and its
// state at that time.
func (s *Segment) MadeFrom(key string, visit func(doc, state uint32)) {
	hash := originKey(key)
	for i := sort.Search(len(s.origins), func(i int) bool { return s.origins[i].key >= hash }); i < len(s.origins) && s.origins[i].key == hash; i++ {
		visit(s.origins[i].doc, s.origins[i].state)
	}
}

func (s *Segment) appendOrigins(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s.origins)))
	for _, o := range s.origins {
		dst = binary.LittleEndian.AppendUint64(dst, o.key)
		dst = binary.LittleEndian.AppendUint32(dst, o.doc)
		dst = binary.LittleEndian.AppendUint32(dst, o.state)
	}
	return dst
}

func (s *Segment) decodeOrigins(r *reader) {
	const size = 16
	s.origins = make([]origin, r.count(size))
	raw := r.bytes(size * uint64(len(s.origins)))
	if r.bad {
		s.origins = nil
		return
	}
	n := binary.LittleEndian
	for i := range s.origins {
		b := raw[size*i:]
		s.origins[i] = origin{n.Uint64(b), n.Uint32(b[8:]), n.Uint32(b[12:])}
		r.bad = r.bad || int(s.origins[i].doc) >= len(s.docs) || i > 0 && s.origins[i].key < s.origins[i-1].key
	}
}
