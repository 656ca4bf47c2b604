package client_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

func TestSiteRequests(t *testing.T) {
	title := octavo.Object(octavo.Member{Name: "title", Value: octavo.String("<b>")})
	for _, test := range []struct {
		name string
		call func(*client.Client) (client.Site, error)
		want string // method, address, If-Match, body
	}{
		{"get", func(c *client.Client) (client.Site, error) { return c.Site(t.Context()) }, "GET /v1/site  "},
		{"patch", func(c *client.Client) (client.Site, error) {
			return c.PatchSite(t.Context(), title, client.IfMatch(`"site.1"`))
		}, `PATCH /v1/site "site.1" {"title":"<b>"}`},
		{"set a redirect", func(c *client.Client) (client.Site, error) {
			return client.Site{}, c.SetRedirect(t.Context(), octavo.Redirect{From: "/a*", To: "/b*"})
		}, `POST /v1/redirects  {"from":"/a*","to":"/b*"}`},
		{"remove a redirect", func(c *client.Client) (client.Site, error) {
			return client.Site{}, c.DeleteRedirect(t.Context(), "/a&b*")
		}, "DELETE /v1/redirects?from=%2Fa%26b%2A  "},
	} {
		t.Run(test.name, func(t *testing.T) {
			var have string
			c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				have = fmt.Sprint(r.Method, " ", r.RequestURI, " ", r.Header.Get("If-Match"), " ", string(body))
				w.Header().Set("ETag", `"site.2"`)
				fmt.Fprint(w, `{"title":"T","robots":"noindex"}`)
			})
			site, err := test.call(c)
			if err != nil || have != test.want {
				t.Errorf("have %s, %v\nwant %s", have, err, test.want)
			}
			if site.ETag != "" && (site.ETag != `"site.2"` || site.Title != "T" || site.Robots != octavo.RobotsNoIndex) {
				t.Errorf("have the settings %+v", site)
			}
		})
	}
}
