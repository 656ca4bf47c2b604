package search

// MadeFrom returns the documents that have key among their origins, by id,
// with the state of the origin that they were made from.
func (i *Index) MadeFrom(key string) map[string]uint32 {
	found := make(map[string]uint32)
	for _, p := range i.view.Load().parts {
		p.MadeFrom(key, func(doc, state uint32) {
			if !p.Dead.Has(doc) {
				found[p.Doc(doc).ID] = state
			}
		})
	}
	return found
}
