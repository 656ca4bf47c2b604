package filename

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// FolderRank orders the files that speak for their folder; the lowest one of a
// folder does, and last one of the folder's own name. Others have no rank.
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
	rank := slices.Index(names, name)
	return rank, rank >= 0
}

// IsFolderPage reports whether a file speaks for its folder.
func IsFolderPage(file string) bool {
	_, ok := FolderRank(file)
	return ok
}

var dateInName = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}(?:[-_. ]|$)`)

// Date returns the date that the name of a file or its bundle begins with,
// as in 2024-01-31-news.md (Jekyll).
func Date(file string) (time.Time, bool) {
	base := path.Base(file)
	if IsFolderPage(file) {
		base = path.Base(path.Dir(file))
	}
	if base[0] < '0' || base[0] > '9' {
		return time.Time{}, false // as most are
	}
	at, err := time.Parse("2006-1-2", strings.TrimRight(dateInName.FindString(base), "-_. "))
	return at, err == nil
}

// media lists the extensions of files that become assets without being
// referred to.
const media = " .png .jpg .jpeg .gif .webp .avif .svg .bmp .ico .tif .tiff .mp4 .webm .mov .ogv .mp3 .ogg .oga .wav .m4a .flac " +
	".woff .woff2 .ttf .otf .pdf .zip .gz .tgz .docx .xlsx .pptx .odt .ods .odp .vtt .csv .drawio "

// IsMedia reports whether a file of that name becomes an asset without being referred to.
func IsMedia(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext != "" && strings.Contains(media, " "+ext+" ")
}
