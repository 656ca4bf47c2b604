package segment

import "strings"

// languageMark is the prefix of the entry for a document's language among
// the tags, in lower case. Alone it means any language.
const languageMark = "\x00"

// languages are a language and the broader ones, as entries among tags:
// pt-br is found as pt too.
func languages(language string) []string {
	if language == "" {
		return nil
	}
	language = languageMark + strings.ToLower(language)
	list := []string{languageMark, language}
	for at := strings.LastIndexByte(language, '-'); at > 0; at = strings.LastIndexByte(language[:at], '-') {
		list = append(list, language[:at])
	}
	return list
}

// In returns the documents in a language or a variant of it; "" means all
// with a language.
func (s *Segment) In(language string) []uint32 { return s.tags[languageMark+strings.ToLower(language)] }
