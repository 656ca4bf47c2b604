package storetest

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sitestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func siteSettings(e *env) {
	title := func(text string) octavo.Value {
		return octavo.Object(octavo.Member{Name: "title", Value: octavo.String(text)})
	}
	site, version, err := e.st.Sites.Get(e.ctx, octavo.Audience{})
	e.noError(err, "read the settings")
	e.equal("new settings", site, octavo.DefaultSite())
	at := func(want int64) sqldb.IfMatch {
		return func(id octavo.ID, have int64) bool { return id == sitestore.ID && have == want }
	}
	changed, next, err := e.st.Sites.Patch(e.ctx, sqldb.Cause{Actor: ann}, title("Docs"), at(version))
	e.noError(err, "change the settings")
	e.equal("version", next, version+1)
	e.equal("title", changed.Title, "Docs")
	_, _, err = e.st.Sites.Patch(e.ctx, sqldb.Cause{Actor: ann}, title("Lost"), at(version))
	e.wantError(err, octavo.PreconditionFailed)
	_, same, err := e.st.Sites.Patch(e.ctx, sqldb.Cause{Actor: ann}, title("Docs"), nil)
	e.noError(err, "change nothing")
	e.equal("version without a change", same, next)
	_, _, err = e.st.Sites.Patch(e.ctx, sqldb.Cause{Actor: ann}, title("two\nlines"), nil)
	e.wantError(err, octavo.InvalidRequest, "/title")

	for pointer, member := range map[string]octavo.Member{
		"/home":       {Name: "home", Value: octavo.String("page_01h455vb4pex5vsknk084sn02q")},
		"/favicon":    {Name: "favicon", Value: octavo.String("asset_01h455vb4pex5vsknk084sn02q")},
		"/logo/light": {Name: "logo", Value: octavo.Object(octavo.Member{Name: "light", Value: octavo.String("asset_01h455vb4pex5vsknk084sn02q")})},
	} {
		_, _, err = e.st.Sites.Patch(e.ctx, sqldb.Cause{Actor: ann}, octavo.Object(member), nil)
		e.wantError(err, octavo.InvalidRequest, pointer) // there is none
	}

	page := e.create(page("home"))
	home := octavo.Object(octavo.Member{Name: "home", Value: octavo.String(string(page.ID))})
	_, _, err = e.st.Sites.Patch(e.ctx, sqldb.Cause{Actor: ann}, home, nil)
	e.noError(err, "choose a home page")
	for _, c := range []struct {
		published bool
		want      bool
	}{{false, true}, {true, false}} {
		site, _, err = e.st.Sites.Get(e.ctx, octavo.Audience{PublishedOnly: c.published})
		e.noError(err, "read the settings")
		e.equal(fmt.Sprint("a draft as home page is shown, published only: ", c.published), site.Home != nil, c.want)
	}
}

func siteRedirects(e *env) {
	for i, r := range []octavo.Redirect{
		{From: "/old", To: "/new"}, {From: "/old*", To: "/else"}, {From: "/old/*", To: "/new/*"}, {From: "/old/deep/*", To: "https://docs.example/*"}, {From: "/x*", To: "/*"},
	} {
		added, err := e.st.Sites.SetRedirect(e.ctx, sqldb.Cause{Actor: ann}, r)
		e.noError(err, "add a redirect")
		e.equal(fmt.Sprint("added ", i), added, true)
	}
	for _, c := range []struct{ path, want string }{
		{"/old", "/new"}, // a whole path before a beginning
		{"/older", "/else"},
		{"/old/", "/new/"},
		{"/old/a b", "/new/a%20b"},
		{"/old/deep/a", "https://docs.example/a"},
		{"/old/deep", "https://docs.example/"}, // its beginning without the slash
		{"/x//evil.example", "/evil.example"},  // and no other host
		{"/old/é", "/new/%C3%A9"},
		{"/old/\xff", ""},
		{"/old/\x00", ""},
		{"/old/deep/../../admin", ""}, // which would leave the target
		{"/ol", ""},
		{"/new", ""},
	} {
		to, found, err := e.st.Sites.Lead(e.ctx, c.path)
		e.noError(err, "look for a redirect")
		e.equal("from "+c.path, to, c.want)
		e.equal("found from "+c.path, found, c.want != "")
	}
	added, err := e.st.Sites.SetRedirect(e.ctx, sqldb.Cause{Actor: ann}, octavo.Redirect{From: "/old", To: "/newer"})
	e.noError(err, "replace a redirect")
	e.equal("added again", added, false)
	page := e.create(published("live"))
	refused, err := e.st.Sites.SetRedirects(e.ctx, sqldb.Cause{Actor: ann}, []octavo.Redirect{{From: "/" + page.Slug, To: "/x"}, {From: "/" + page.Slug + ".md", To: "/x"}, {From: "/x/*", To: "/y/*"}})
	e.noError(err, "set several redirects")
	e.wantError(refused[0], octavo.Conflict)
	e.wantError(refused[1], octavo.Conflict)
	e.noError(refused[2], "set one of several")
	list, more, err := e.st.Sites.Redirects(e.ctx, "", 2)
	e.noError(err, "list redirects")
	e.equal("list", list, []octavo.Redirect{{From: "/old", To: "/newer"}, {From: "/old*", To: "/else"}})
	e.equal("more", more, true)
	e.noError(e.st.Sites.DeleteRedirect(e.ctx, sqldb.Cause{Actor: ann}, "/old"), "remove a redirect")
	e.wantError(e.st.Sites.DeleteRedirect(e.ctx, sqldb.Cause{Actor: ann}, "/old"), octavo.NotFound)
}
