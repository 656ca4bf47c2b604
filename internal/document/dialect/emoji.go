package dialect

import (
	"cmp"
	_ "embed"
	"strings"
)

// emoji are the names between colons of those that documentation has, by the
// short names that GitHub and others share.
var emoji = emojiNames(emojiText)

//go:embed emoji.txt
var emojiText string

// Emoji returns what a name between colons stands for, itself where there is no such.
func Emoji(name string) string { return cmp.Or(emoji[strings.Trim(name, ":")], name) }

// emojiNames reads names and what they stand for.
func emojiNames(list string) map[string]string {
	words := strings.Fields(list)
	names := make(map[string]string, len(words)/2)
	for i := 0; i+1 < len(words); i += 2 {
		names[words[i]] = words[i+1]
	}
	return names
}
