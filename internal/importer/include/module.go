package include

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/markdown"
)

// BeginsModule reports whether a line of MDX imports or exports.
func BeginsModule(line string) bool {
	return strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "export ")
}

// Imports reports whether a statement imports a file, named as by [markdown.References].
func Imports(statement, file string) bool {
	_, from, _ := strings.Cut(statement, " from ")
	from = strings.Trim(from, " ;\r\n")
	return len(from) > 1 && markdown.Names(file, from[1:len(from)-1])
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
