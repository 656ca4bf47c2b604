package filename

import (
	"strings"
	"testing"
	"time"
)

func TestPermalink(t *testing.T) {
	t.Parallel()
	day := time.Date(2024, 3, 5, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		pattern, file, slug string
		date                time.Time
		want                string
	}{
		{"/:year/:month/:day/:slug/", "posts/a/b", "", day, "/2024/03/05/the-title"},
		{"/:sections/:slugorcontentbasename", "posts/a/b", "own", day, "/posts/a/own"},
		{":section/:filename/:yearday", "posts/a/index", "", day, "/posts/a/065"},
		{"/:slugorfilename/:title", "posts/b", "", time.Time{}, "/b/the-title"},
		{"/:year/:title", "posts/b", "", time.Time{}, ""},
		{"/:none/:title", "posts/b", "", day, ""},
		{"", "posts/b", "", day, ""},
	} {
		if have := Permalink(c.pattern, strings.Split(c.file, "/"), "the-title", c.slug, c.date); have != c.want {
			t.Errorf("%s of %s: have %q, want %q", c.pattern, c.file, have, c.want)
		}
	}
}
