package reference

// Index finds pages by what links say, as the store does: by identifier, by the
// path of the file, by slug.
type Index[T comparable] struct {
	IDs, Paths, Slugs map[string]T // paths as PathKey has them
	slug              func(Target) string
}

// NewIndex returns an Index without pages.
func NewIndex[T comparable]() Index[T] {
	return Index[T]{map[string]T{}, map[string]T{}, map[string]T{}, Slugs()}
}

// Find returns the page that is the first of targets to exist.
func (x Index[T]) Find(targets []Target) (page T, found bool) {
	var none T
	for _, t := range targets {
		if t.PageID != "" {
			page = x.IDs[t.PageID]
		} else if page = x.Paths[t.Path]; page == none {
			page = x.Slugs[x.slug(t)]
		}
		if page != none {
			return page, true
		}
	}
	return none, false
}
