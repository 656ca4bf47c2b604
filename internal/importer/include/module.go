package include

import "strings"

// BeginsModule reports whether a line of MDX imports or exports.
func BeginsModule(line string) bool {
	return strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "export ")
}

// HoldsInModule reports whether an export makes the page a draft, as in
// export const metadata = { draft: true }.
func HoldsInModule(line string) bool {
	line = strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(line)
	for _, member := range []string{"draft:true", "hidden:true", "unlisted:true", "published:false"} {
		if before, _, found := strings.Cut(line, member); found && (before == "" || strings.ContainsAny(before[len(before)-1:], "{,")) {
			return true
		}
	}
	return false
}
