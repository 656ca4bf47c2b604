package filename

import "path"

// minPrefixed is the number of links from which a common prefix is no accident.
const minPrefixed = 5

// Prefix returns the address at which links expect the pages, "" for the root: one to
// three names without which most of the links lead to a page. A site has such a prefix
// if its pages are published by another repository. pages are addresses without a
// leading slash.
func Prefix(pages map[string]bool, links []string) string {
	best, direct, counts := "", 0, map[string]int{}
	for _, link := range links {
		parts := AddressParts(link)
		if pages[path.Join(parts...)] {
			direct++
			continue
		}
		for n := 1; n < min(len(parts), 4); n++ {
			if pages[path.Join(parts[n:]...)] {
				prefix := path.Join(parts[:n]...)
				counts[prefix]++
				if counts[prefix] > counts[best] {
					best = prefix
				}
				break
			}
		}
	}
	if counts[best] < max(minPrefixed, direct) {
		return ""
	}
	return "/" + best
}
