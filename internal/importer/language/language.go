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

// Languages after which folders are named: those common in translations. Codes of two
// letters that are also common folder names are not sufficient evidence.
const (
	clearCodes = " af ar az bg bn bo ca ckb cy da de dv el en es et eu fa fi fil fr ga gl gu he hi hu hy iw ja ka kk km kn ko ku ky " +
		"lt lv mn mr ne nl nn pl pt ro ru sd sq sr sv sw ta te tg th tk tr ug ur uz yi yo zh zu "
	otherCodes = " am as be bs cs hr id is it lo mk ml ms my nb no pa ps si sk sl so tl uk vi "
)

// translations are the folders in which generators keep language folders.
const translations = " i18n l10n locale locales translations translated_docs "

// languageTag matches the name of a language folder: a code with an optional script and
// region.
var languageTag = regexp.MustCompile(`^([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|[0-9]{3}))?$`)

// languageOf returns the BCP 47 tag for a folder name, and whether the name is
// unambiguous.
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

// OfFiles returns the BCP 47 language tags of the files in language folders.
func OfFiles(files iter.Seq[string]) map[string]string {
	t := tree{files: map[string]bool{}, below: map[string][]string{}, inside: map[string][]string{}}
	for file := range files {
		t.add(file)
	}
	spoken := map[string]string{}
	t.find(".", spoken)
	return spoken
}

// tree is the folders that contain pages.
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

// find adds the files in language folders below dir. Everything in such a folder has its
// language.
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

// languages returns which subfolders of dir are language folders. In a folder for
// translations all candidates are. Elsewhere several candidates of different languages
// are, if one is unambiguous and no sibling has an equally short name that is not a
// language, such as us or js, unless one is English. A single candidate is if its name
// has a region, as in pt-br, or if half of its pages, at least three for an ambiguous
// name, exist at the same path in dir.
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
