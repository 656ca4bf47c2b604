package dialect

import (
	"cmp"
	_ "embed"
	"strings"
)

// emoji are the short names of emoji common in documentation, as used by GitHub and others.
var emoji = emojiNames(emojiText)

//go:embed emoji.txt
var emojiText string

// Emoji returns the emoji for a name between colons, or the name if unknown.
func Emoji(name string) string { return cmp.Or(emoji[strings.Trim(name, ":")], name) }

func emojiNames(list string) map[string]string {
	words := strings.Fields(list)
	names := make(map[string]string, len(words)/2)
	for i := 0; i+1 < len(words); i += 2 {
		names[words[i]] = words[i+1]
	}
	return names
}
