// Package language finds the languages of files by their folders. It does not read the
// files.
package language

import (
	"iter"
	"path"
	"regexp"
	"strings"

	"github.com/octavo-docs/octavo"
)

// The languages that folders are named after: those into which documentation is
// translated. Codes of two letters have other meanings too, and those of them that are
// names of folders in documentation are not enough by themselves.
const (
	clearCodes = " af ar az bg bn bo ca ckb cy da de dv el en es et eu fa fi fil fr ga gl gu he hi hu hy iw ja ka kk km kn ko ku ky " +
		"lt lv mn mr ne nl nn pl pt ro ru sd sq sr sv sw ta te tg th tk tr ug ur uz yi yo zh zu "
	otherCodes = " am as be bs cs hr id is it lo mk ml ms my nb no pa ps si sk sl so tl uk vi "
)

// translations are folders that generators keep the folders of languages in.
const translations = " i18n l10n locale locales translations translated_docs "

// languageTag matches the name of a folder of a language: its code, and a script or
// a region.
var languageTag = regexp.MustCompile(`^([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|[0-9]{3}))?$`)

// languageOf returns the language that a folder may be named after, as a tag of
// BCP 47, and whether its name is likely to mean nothing else.
func languageOf(folder string) (tag string, likely bool) {
	m := languageTag.FindStringSubmatch(folder)
	if m == nil {
		return "", false
	}
	tag = strings.ToLower(m[1])
	likely = strings.Contains(clearCodes, " "+tag+" ")
	if !likely && !strings.Contains(otherCodes, " "+tag+" ") {
		return "", false
	}
	if m[2] != "" {
		tag += "-" + strings.ToUpper(m[2][:1]) + strings.ToLower(m[2][1:])
	}
	if m[3] != "" {
		tag += "-" + strings.ToUpper(m[3])
	}
	return tag, likely
}

// OfFiles returns the languages of the files in folders of a language, as tags of BCP 47.
func OfFiles(files iter.Seq[string]) map[string]string {
	t := tree{files: map[string]bool{}, below: map[string][]string{}, inside: map[string][]string{}}
	for file := range files {
		t.add(file)
	}
	spoken := map[string]string{}
	t.find(".", spoken)
	return spoken
}

// tree is the folders that hold pages.
type tree struct {
	files  map[string]bool
	below  map[string][]string // folder → all pages below it
	inside map[string][]string // folder → folders in it
}

func (t *tree) add(file string) {
	t.files[file] = true
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if dir != "." && t.below[dir] == nil {
			t.inside[path.Dir(dir)] = append(t.inside[path.Dir(dir)], dir)
		}
		t.below[dir] = append(t.below[dir], file)
		if dir == "." {
			return
		}
	}
}

// find adds the files below a folder that are in folders of a language. What is in one
// of these is in that language, whatever its name.
func (t *tree) find(dir string, spoken map[string]string) {
	languages := t.languages(dir)
	for _, folder := range t.inside[dir] {
		if tag := languages[folder]; tag == "" {
			t.find(folder, spoken)
		} else {
			for _, file := range t.below[folder] {
				spoken[file] = tag
			}
		}
	}
}

// languages returns which of the folders in one are of a language. All whose names may
// be are where that folder is for translations, or where they are of several languages,
// one of their names means nothing else, and beside them is none that is as short and
// of no language, such as us or js, unless there is one of English. Any other is if its
// name says more than a language, as pt-br does, or where what it holds is there twice:
// half of its pages stand above it at the same path, and three of them where its name
// may mean something else.
func (t *tree) languages(dir string) map[string]string {
	found, kinds := map[string]string{}, map[string]bool{}
	sure, foreign, english := false, false, false
	for _, folder := range t.inside[dir] {
		name := path.Base(folder)
		tag, likely := languageOf(name)
		if tag == "" {
			foreign = foreign || len(name) == 2
			continue
		}
		found[folder] = tag
		kinds[tag] = true
		sure, english = sure || likely, english || octavo.InLanguage(tag, "en")
	}
	inTranslations := strings.Contains(translations, " "+strings.ToLower(path.Base(dir))+" ")
	if inTranslations || sure && len(kinds) > 1 && (!foreign || english) {
		return found
	}
	for folder, tag := range found {
		twice := 0
		for _, file := range t.below[folder] {
			if t.files[path.Join(dir, strings.TrimPrefix(file, folder+"/"))] {
				twice++
			}
		}
		_, likely := languageOf(path.Base(folder))
		if whole := likely && strings.Contains(tag, "-"); !whole && (2*twice < len(t.below[folder]) || !likely && twice < 3) {
			delete(found, folder)
		}
	}
	return found
}
