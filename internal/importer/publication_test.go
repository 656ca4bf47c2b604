package importer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// instant is a time as notes and trees tell it; "" for none.
func instant(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339)
}

func TestDraftsByFrontMatter(t *testing.T) {
	for _, c := range []struct {
		front, want string // want: published, draft, or draft and the key that is named
	}{
		{"title: x", "published"},
		{"draft: false", "published"},
		{"draft: no", "published"},
		{"draft: 0", "published"},
		{"draft:", "published"},
		{"draft: true", "draft draft"},
		{"draft: 'True'", "draft draft"},
		{"draft: yes", "draft draft"},
		{"draft: 1", "draft draft"},
		{"draft: maybe", "draft draft"},
		{"draft: [a]", "draft draft"},
		{"draft: 2", "draft draft"},
		{"DRAFT: On", "draft DRAFT"},
		{"is_draft: true", "draft is_draft"},
		{"draft: false\nDraft: true", "draft Draft"},
		{"published: no", "draft published"},
		{"published: off", "draft published"},
		{"published: 'false'", "draft published"},
		{"published: 0", "draft published"},
		{"published: soon", "draft published"},
		{"published: yes", "published"},
		{"published: 2020-01-01", "published"},
		{"publish: false", "draft publish"},
		{"dg-publish: false", "draft dg-publish"},
		{"unlisted: true", "draft unlisted"},
		{"hidden: yes", "draft hidden"},
		{"headless: true", "draft headless"},
		{"render: false", "draft render"},
		{"permalink: false", "draft permalink"},
		{"outputs: []", "draft outputs"},
		{"outputs: [html]", "published"},
		{"build:\n  render: never", "draft build.render"},
		{"_build:\n  render: false", "draft _build.render"},
		{"build:\n  list: never\n  render: always", "draft build.list"},
		{"build:\n  list: local\n  publishResources: false", "published"},
		{"build: 1234", "published"},
		{"visible: false", "draft visible"},
		{"private: true", "draft private"},
		{"password: x", "draft password"},
		{"status: Draft", "draft status"},
		{"status: [new, in review]", "draft status"},
		{"status: deprecated", "published"},
		{"visibility: members", "draft visibility"},
		{"visibility: public", "published"},
		{"expiryDate: 2026-03-01", "draft expiryDate"},
		{"expiryDate: never", "published"},
		{"expires: tomorrow", "draft expires"},
		{"date: 2026-03-01", "published"},
		{"date: Summer 2025", "published"},
		{"date: Summer 2026", "draft date"},
		{"date: last-modified", "published"},
		{"date: '{{ .Date }}'", "draft date"},
		{"date: 12 mars 2021", "published"},
		{"date:\n  created: 2020-01-01\n  updated: 2099-01-01", "published"},
		{"date:\n  updated: 2099-01-01", "draft date"},
		{"date: 1700000000", "published"},
		{"publishDate: whenever", "draft publishDate"},
		{"lastmod: 2099-01-01", "published"},
		{"date: 2099-01-01\npublishDate: 2020-01-01", "published"}, // as Hugo
		{"date: [2099-01-01]", "draft date"},
		{"params:\n  draft: true", "draft params.draft"},
		{"meta:\n  - name: draft\n    content: x", "published"},
		{"do_not_publish: true", "draft do_not_publish"},
		{"unpublished: yes", "draft unpublished"},
		{"permalink: 'false'", "draft permalink"},
		{"groups: [staff]", "draft groups"},
		{"groups: []", "published"},
		{"scheduled: true", "draft scheduled"},
		{"available_from: whenever", "draft available_from"},
		{"status: Draft (do not publish)", "draft status"},
		{"status: Work in progress", "draft status"},
		{"status: {name: draft}", "draft status"},
		{"visibility: [team]", "draft visibility"},
		{"stage: draft", "draft stage"},
		{"stage: beta", "published"},
		{"workflow: To be reviewed", "draft workflow"},
		{"publication_status: unpublished", "draft publication_status"},
		{"eleventyExcludeFromCollections: true", "draft eleventyExcludeFromCollections"},
		{"eleventyComputed:\n  permalink: false", "draft eleventyComputed.permalink"},
		{"expiry: 2020-01-01", "draft expiry"},
		{"expired: yes", "draft expired"},
		{"release_date: TBD", "draft release_date"},
		{"release_date: 2020-01-01", "published"},
		{"access: restricted", "draft access"},
	} {
		m := newMemory()
		e := mustRun(t, folder("a.md", "---\n"+c.front+"\n---\n"), m, Options{Status: octavo.Published})[0]
		p, notes := m.bySource("a.md"), notesOf(e)
		status, key, held := strings.Cut(c.want, " ")
		told := strings.Contains(notes, "kept as a draft: "+key+" ")
		if string(p.Status) != status || told != held || p.PublishAt != nil {
			t.Errorf("%q: have %s, publishAt %s, notes %q; want %s", c.front, p.Status, instant(p.PublishAt), notes, c.want)
		}
	}
}

func TestDraftsByText(t *testing.T) {
	for _, text := range []string{
		"---yaml\ntitle: x\ndraft: true\n---\ntext", "---toml\ndraft = true\n---\ntext", "---json\n{\"draft\": true}\n---\ntext", "---\rdraft: true\r---\rtext",
		"----\ndraft: true\n----\ntext", "---\ndraft:true\n---\ntext", "<!-- licence -->\n---\ndraft: true\n---\ntext", "---\u00a0\ndraft: true\n---\ntext",
		"Title: B\nStatus: draft\n\ntext", "Title: B\r\nStatus: hidden\r\n\r\ntext", "draft: true\n\n# X\n", "published: no\n\n# X\n",
		".. title: B\n.. status: draft\n\ntext", "<!--\n.. title: B\n.. status: private\n-->\n\ntext",
		".. title: B\n.. date: 2099-01-01 10:00 UTC\n\ntext", "Title: B\nDate: 2099-01-01\n\ntext", "--- # x\ndraft: true\n---\ntext",
		"---js\nmodule.exports = {title: 'B'}\n---\ntext", "---coffee\ntitle: B\n---\n", "\n---\ndate: 2099-01-01\n---\n",
		" ---\r\nexpiryDate: 2020-01-01\r\n---\r\ntext", "\n+++\ndraft = true\n+++\n", "\n{\"draft\": true}\n\ntext",
	} {
		m := newMemory()
		mustRun(t, folder("a.md", text), m, Options{Status: octavo.Published})
		if m.bySource("a.md").Status != octavo.Draft {
			t.Errorf("%q is public", text)
		}
	}
	for _, text := range []string{
		"Note: something", "Internal: how it works\nPassword: see there\nExpires: never", "Draft: the second one, by Ann", "Title: B\nStatus: published\n\ntext",
		"See the status: draft.", "# X\n\nStatus: draft", "<!--\nstatus: draft\n-->", ".. title: B\n.. status: published\n", "Hidden: no", "\n---\ndate: 2020-01-01\n---\n", "Date: 2020-01-01", "Date: some day in 2099",
	} {
		m := newMemory()
		mustRun(t, folder("a.md", text), m, Options{Status: octavo.Published})
		if m.bySource("a.md").Status != octavo.Published {
			t.Errorf("%q is kept as a draft", text)
		}
	}
	m := newMemory()
	mustRun(t, folder("a.md", "\n\n---\ndraft: true\n---\ntext", "b.md", "\n---\ntitle: x\n---\n", "c.md", "\n---\n\ntext\n\n---\n"), m, Options{Status: octavo.Published})
	mustRun(t, folder("d.mdx", "export const metadata = { title: 'x', \"draft\": true }\n\ntext", "e.mdx", "export const meta = {\n  published: false,\n}\n\ntext", "f.mdx", "export const x = 1\n\nSay draft: true, {draft: true}\n"), m, Options{Status: octavo.Published})
	for file, want := range map[string]octavo.PageStatus{"a.md": octavo.Draft, "b.md": octavo.Published, "c.md": octavo.Published, "d.mdx": octavo.Draft, "e.mdx": octavo.Draft, "f.mdx": octavo.Published} {
		if have := m.bySource(file).Status; have != want {
			t.Errorf("%s: have %s, want %s", file, have, want)
		}
	}
}

func TestUnlistedPages(t *testing.T) {
	for front, key := range map[string]string{
		"nav_exclude: true": "nav_exclude", "sidebar:\n  hidden: true": "sidebar.hidden", "search:\n  exclude: yes": "search.exclude",
		"sitemap: false": "sitemap", "noindex: true": "", "robots: noindex": "", "seo:\n  noindex: true": "", "sitemap: true": "", "sidebar:\n  hidden: false": "", "search: true": "",
	} {
		m := newMemory()
		e := mustRun(t, folder("a.md", "---\n"+front+"\n---\n"), m, Options{Status: octavo.Published})[0]
		if have := notesOf(e); m.bySource("a.md").Status != octavo.Published || !strings.HasPrefix(have, key) || (have == "") != (key == "") {
			t.Errorf("%q: have %s, %s", front, m.bySource("a.md").Status, have)
		}
	}
}

// notesOf joins the notes of a file.
func notesOf(e Entry) string {
	var list []string
	for _, n := range e.Notes {
		list = append(list, n.Message)
	}
	return strings.Join(list, "; ")
}

func TestScheduleFutureDates(t *testing.T) {
	for _, c := range []struct{ name, front, status, publish, unpublish string }{
		{"a.md", "publishDate: 2099-01-01T08:00:00+02:00", "draft", "2099-01-01T06:00:00Z", ""},
		{"a.md", "pubDate: Jan 2, 2099", "draft", "2099-01-02T00:00:00Z", ""},
		{"a.md", "pubDate: 2099/1/2 09:30", "draft", "2099-01-02T09:30:00Z", ""},
		{"a.md", "Publish_Date: 2026-03-01 15:00:00 +0200", "draft", "2026-03-01T13:00:00Z", ""},
		{"a.md", "date: 3/4/2099", "draft", "2099-04-03T00:00:00Z", ""}, // the later reading
		{"a.md", "release_date: 2099-01-01", "draft", "2099-01-01T00:00:00Z", ""},
		{"a.md", "expiration: 2099-01-01", "published", "", "2099-01-01T00:00:00Z"},
		{"a.md", "date: 2099-01-01", "draft", "2099-01-01T00:00:00Z", ""},
		{"a.md", "published: 2099-01-01", "draft", "2099-01-01T00:00:00Z", ""},
		{"_posts/2099-05-06-news.md", "title: x", "draft", "2099-05-06T00:00:00Z", ""},
		{"2020-05-06-news.md", "title: x", "published", "", ""},
		{"2099-5-6-news.md", "title: x", "draft", "2099-05-06T00:00:00Z", ""},
		{"2099-05-06_news.md", "title: x", "draft", "2099-05-06T00:00:00Z", ""},
		{"a.md", "date: 4070908800.5", "draft", "2099-01-01T00:00:00Z", ""},
		{"2099-05-06-news.md", "date: 2020-05-06", "published", "", ""},
		{"a.md", "expiryDate: 2099-01-01", "published", "", "2099-01-01T00:00:00Z"},
		{"a.md", "publishDate: 2098-01-01\nunpublish_date: 2099-01-01", "draft", "2098-01-01T00:00:00Z", "2099-01-01T00:00:00Z"},
		{"a.md", "publishDate: 2099-01-01\nexpiryDate: 2098-01-01", "draft", "", ""},
		{"a.md", "publishDate: 2099-01-01\ndraft: true", "draft", "", ""},
	} {
		m := newMemory()
		for range 2 {
			mustRun(t, folder(c.name, "---\n"+c.front+"\n---\n"), m, Options{Status: octavo.Published})
			p := m.bySource(c.name)
			if string(p.Status) != c.status || instant(p.PublishAt) != c.publish || instant(p.UnpublishAt) != c.unpublish {
				t.Errorf("%s, %q: have %s from %s until %s\nwant %s from %s until %s", c.name, c.front,
					p.Status, instant(p.PublishAt), instant(p.UnpublishAt), c.status, c.publish, c.unpublish)
			}
		}
	}
}

func TestDraftNotScheduled(t *testing.T) {
	m := newMemory()
	tree := folder("a.md", "---\npublishDate: 2099-01-01\n---\n")
	mustRun(t, tree, m, Options{})
	mustRun(t, tree, m, Options{Status: octavo.Published})
	if p := m.bySource("a.md"); p.Status != octavo.Draft || p.PublishAt != nil {
		t.Errorf("have %s, publishAt %s; want a draft without", p.Status, instant(p.PublishAt))
	}
}

func TestScheduleFollowsTheFile(t *testing.T) {
	m := newMemory()
	run := func(front string) *octavo.Page {
		mustRun(t, folder("a.md", "---\ntitle: x\n"+front+"---\n"), m, Options{Status: octavo.Published})
		return m.bySource("a.md")
	}
	for _, c := range []struct{ front, status, publish string }{
		{"", "published", ""},
		{"publishDate: 2099-01-01\n", "draft", "2099-01-01T00:00:00Z"},
		{"publishDate: 2098-01-01\n", "draft", "2098-01-01T00:00:00Z"},
		{"draft: true\n", "draft", ""},
		{"publishDate: 2098-01-01\n", "draft", "2098-01-01T00:00:00Z"},
		{"publishDate: 2020-01-01\n", "published", ""},
	} {
		if p := run(c.front); string(p.Status) != c.status || instant(p.PublishAt) != c.publish {
			t.Errorf("%q: have %s from %s, want %s from %s", c.front, p.Status, instant(p.PublishAt), c.status, c.publish)
		}
	}
	run("publishDate: 2099-01-01\n").PublishAt = nil // by other means
	if p := run("publishDate: 2099-01-01\n"); p.PublishAt != nil {
		t.Errorf("have publishAt %s, want what was set since", instant(p.PublishAt))
	}
}

func TestFoldersOfDrafts(t *testing.T) {
	for name, held := range map[string]bool{
		"_drafts/a.md": true, "x/_Drafts/y/a.md": true, "drafts/a.md": true, "02-WIP/a.md": true, "_private/a.md": true, "a.draft.md": true,
		"private/a.md": false, "_posts/a.md": false, "draftsman/a.md": false, "drafts.md": false,
	} {
		m := newMemory()
		var report strings.Builder
		if err := mustRun(t, folder(name, "x"), m, Options{Status: octavo.Published}).Write(&report); err != nil {
			t.Fatal(err)
		}
		if have := m.bySource(name).Status == octavo.Draft; have != held || strings.Contains(report.String(), "kept as a draft") != held {
			t.Errorf("%s: have kept as a draft %v and %s; want %v", name, have, &report, held)
		}
	}
	m := newMemory()
	mustRun(t, folder("drafts/a.md", "---\ndraft: false\n---\n", "_drafts/a.md", "---\ndraft: false\n---\n"), m, Options{Status: octavo.Published})
	if have := []octavo.PageStatus{m.bySource("drafts/a.md").Status, m.bySource("_drafts/a.md").Status}; !slices.Equal(have, []octavo.PageStatus{octavo.Published, octavo.Draft}) {
		t.Errorf("with draft: false: have %v", have)
	}
}
