package reference

// Index finds pages like the store does: by identifier, file path or slug.
type Index[T comparable] struct {
	IDs, Paths, Slugs map[string]T // paths by PathKey
	slug              func(Target) string
}

func NewIndex[T comparable]() Index[T] {
	return Index[T]{map[string]T{}, map[string]T{}, map[string]T{}, Slugs()}
}

// Find returns the first target that exists.
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
