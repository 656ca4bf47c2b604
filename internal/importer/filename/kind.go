package filename

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// FolderRank ranks the files that may represent their folder: the lowest one does. A file
// with the name of the folder ranks last. Other files have no rank.
func FolderRank(file string) (int, bool) {
	names := []string{"_index", "index", "readme"}
	if strings.Contains("/"+file, "/app/") && path.Ext(file) == ".mdx" { // of Next.js
		names = append(names, "page")
	}
	if dir := strings.ToLower(path.Base(path.Dir(file))); dir != "." {
		_, plain, _ := SplitNumber(dir)
		names = append(names, dir, plain)
	}
	name := strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	if _, plain, _ := SplitNumber(name); plain == "index" && name != plain { // 0.index, of Nuxt Content
		return len(names), true
	}
	rank := slices.Index(names, name)
	return rank, rank >= 0
}

// IsFolderPage reports whether a file may represent its folder.
func IsFolderPage(file string) bool {
	_, ok := FolderRank(file)
	return ok
}

var dateInName = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}(?:[-_. ]|$)`)

// Date returns the date at the start of the name of a file or its bundle, as in
// 2024-01-31-news.md (Jekyll).
func Date(file string) (time.Time, bool) {
	base := path.Base(file)
	if IsFolderPage(file) {
		base = path.Base(path.Dir(file))
	}
	if base[0] < '0' || base[0] > '9' {
		return time.Time{}, false // the common case
	}
	at, err := time.Parse("2006-1-2", strings.TrimRight(dateInName.FindString(base), "-_. "))
	return at, err == nil
}

// media lists the extensions of files that become assets without a reference.
const media = " .png .jpg .jpeg .gif .webp .avif .svg .bmp .ico .tif .tiff .mp4 .webm .mov .ogv .mp3 .ogg .oga .wav .m4a .flac " +
	".woff .woff2 .ttf .otf .pdf .zip .gz .tgz .docx .xlsx .pptx .odt .ods .odp .vtt .csv .drawio "

// IsMedia reports whether a file with that name becomes an asset without a reference.
func IsMedia(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext != "" && strings.Contains(media, " "+ext+" ")
}

var (
	bundle  = regexp.MustCompile(`(?i)^index(\.[a-z]{2,3}(-[a-z]{2,4})?)?\.(md|markdown|html)$`)
	section = regexp.MustCompile(`(?i)^_index(\.[a-z]{2,3}(-[a-z]{2,4})?)?\.(md|mdx|markdown|html)$`) // the language may be pt-br
)

// IsBundle reports whether a base name is that of a page of Hugo that owns its folder.
func IsBundle(base string) bool { return bundle.MatchString(base) }

// IsSection reports whether a base name is that of the page of a section of Hugo or Zola.
func IsSection(base string) bool { return section.MatchString(base) }
