package segment

import "testing"

func TestNews(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, slug string
		tags        []string
		want        bool
	}{
		{"Version 3 is out", "blog-2022-07-01-v3", nil, true},
		{"Faster builds", "blog-faster-builds", nil, true},
		{"Blog setup", "blog-setup", nil, false},
		{"Blog", "blog", nil, false},
		{"Dark mode", "posts-2024-02-29-dark-mode", nil, true},
		{"Order 2024-15-02", "order-2024-15-02", nil, false},
		{"Changelog", "changelog", nil, true},
		{"Change log", "changes", nil, true},
		{"The change log", "concepts-change-log", nil, false},
		{"Release notes 2.4", "notes", nil, true},
		{"What’s new in spring", "spring", nil, true},
		{"Breaking changes", "breaking-changes", nil, true},
		{"Announcing plugins", "plugins", nil, true},
		{"1.2.3", "one", nil, true},
		{"v2.0 for everybody", "two", nil, true},
		{"v2", "two", nil, true},
		{"v2 API", "api", nil, false},
		{"Release 1.2.3", "r", nil, true},
		{"Walrus 4.0 is out!", "w", nil, true},
		{"Walrus 4.0", "w", nil, false},
		{"Upgrade from 3.2 to 3.3", "u", nil, true},
		{"Upgrading", "upgrading", nil, false},
		{"Releases", "releases", nil, false},
		{"Make a release", "make-a-release", nil, false},
		{"404 errors", "errors", nil, false},
		{"Spring", "spring", []string{"guide", "release-notes"}, true},
		{"", "", nil, false},
		{"...", "-", []string{""}, false},
	} {
		if have := news(c.title, c.slug, c.tags); have != c.want {
			t.Errorf("news(%q, %q, %v): have %v, want %v", c.title, c.slug, c.tags, have, c.want)
		}
	}
}
