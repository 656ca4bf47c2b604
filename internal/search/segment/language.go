package segment

import "strings"

// languageMark begins what stands among the tags for the language of a document, in
// small letters. Alone it stands for any language.
const languageMark = "\x00"

// languages are a language and those that it is a kind of, as they stand among tags:
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

// In returns the documents in a language or a kind of it; "" names all that have one.
func (s *Segment) In(language string) []uint32 { return s.tags[languageMark+strings.ToLower(language)] }
