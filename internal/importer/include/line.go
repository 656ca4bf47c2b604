package include

import (
	"html"
	"strings"
)

// LinesBefore counts the lines before a link in the first of several texts that has its
// address as it was parsed, plain or with entities; 0 if none has it.
func LinesBefore(texts []string, parsed, plain string) int {
	for _, content := range texts {
		for _, href := range []string{parsed, plain, html.EscapeString(plain)} {
			for _, before := range []string{"(", "<", `"`, "'", ": ", ""} {
				if before, _, found := strings.Cut(content, before+href); found {
					return strings.Count(before, "\n")
				}
			}
		}
	}
	return 0
}
