package pagestore

// SetFew makes n pages the most that are looked at one by one.
func SetFew(p *Pages, n int) { p.few = n }

// SetMost makes so many bytes the most that is added to pages.
func SetMost(p *Pages, bytes int) { p.most = bytes }
