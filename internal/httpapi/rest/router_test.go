package rest

import (
	"net/http/httptest"
	"testing"
)

func TestRouter(t *testing.T) {
	var root router
	for _, pattern := range []string{"/", "/v1/pages", "/v1/pages/{pageId}", "/v1/pages/{pageId}/restore", "/v1/pages/by-slug/{slug}", "/v1/pages/bulk", "/search/asia/*"} {
		root.handle(pattern, func(r *Request) {
			r.id = pattern + " " + r.PathValue("pageId") + r.PathValue("slug")
		})
	}
	for _, c := range []struct{ path, want string }{
		{"/", "/ "},
		{"/v1/pages", "/v1/pages "},
		{"/v1/pages/", ""},
		{"/v1//pages", ""},
		{"/v1/pages/page_1", "/v1/pages/{pageId} page_1"},
		{"/v1/pages/a%2Fb", "/v1/pages/{pageId} a/b"},
		{"/v1/pages/page_1/restore", "/v1/pages/{pageId}/restore page_1"},
		{"/v1/pages/by-slug/restore", "/v1/pages/by-slug/{slug} restore"},
		{"/v1/pages/bulk", "/v1/pages/bulk "},
		{"/v1/pages/b%75lk", "/v1/pages/bulk "},
		{"/v1/pages/page_1/../page_2", ""},
		{"/v1", ""},
		{"/search/asia/v1/x", "/search/asia/* "},
		{"/search/us/v1/x", ""},
	} {
		r := &Request{Request: httptest.NewRequest("GET", c.path, nil)}
		if serve := root.find(r.Request); serve != nil {
			serve(r)
		}
		if r.id != c.want {
			t.Errorf("%s: have %q, want %q", c.path, r.id, c.want)
		}
	}
}
