package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAdvice: an import that a server does not let begin says why, and what to do.
func TestAdvice(t *testing.T) {
	t.Parallel()
	tree := t.TempDir()
	if err := os.WriteFile(filepath.Join(tree, "a.md"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	const pages = "application/json\n200\n" + `{"data":[],"nextCursor":null}`
	for _, c := range []struct{ name, challenge, get, post, want string }{
		{"a wrong key", `ApiKey error_description="It is malformed."`, "application/problem+json\n401\n{}", "", "does not accept the credential. It is malformed. Give another with --token or OCTAVO_TOKEN; octavo keys create makes one\n"},
		{"a key that only reads", `Bearer error="insufficient_scope", scope="pages:write"`, pages, "application/problem+json\n403\n{}", "lacks the scope pages:write, which http"},
		{"another site", "", "text/html\n200\n<!doctype html>", "", "is not the address of an Octavo server of version "},
		{"a path of the site", "", "application/problem+json\n404\n{}", "", "in a browser but without /docs and /v1"},
		{"an older server", "", pages, "application/problem+json\n400\n" + `{"errors":[{"path":"/x","message":"is not a known member"}]}`, "If the server is older, upgrade it, or use the program of its version\n"},
		{"a server that fails", "", "text/html\n500\n", "", "has failed: read the pages that are there: GET /pages: 500 Internal Server Error. Try again later;"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := c.get
			if r.Method == http.MethodPost {
				answer = c.post
			}
			kind, rest, _ := strings.Cut(answer, "\n")
			status, body, _ := strings.Cut(rest, "\n")
			w.Header().Set("Content-Type", kind)
			w.Header().Set("WWW-Authenticate", c.challenge)
			w.WriteHeader(map[string]int{"200": 200, "400": 400, "401": 401, "403": 403, "404": 404, "500": 500}[status])
			_, _ = io.WriteString(w, body)
		}))
		have := importInto(t, server.URL, tree)
		server.Close()
		if !strings.Contains(have, c.want) {
			t.Errorf("%s: have %q, want %q", c.name, have, c.want)
		}
		if c.name == "a server that fails" {
			if have, want := importInto(t, server.URL, tree), "no Octavo server answers at "+server.URL+": dial"; !strings.Contains(have, want) {
				t.Errorf("no server: have %q, want %q", have, want)
			}
		}
	}
	if have := importInto(t, "127.0.0.1:80", tree); !strings.Contains(have, "it must begin with https:// or http://") {
		t.Errorf("no scheme: have %q", have)
	}
}

// importInto imports a tree into a server, and returns what standard error has.
func importInto(t *testing.T, address, tree string) string {
	var said strings.Builder
	if code := Run(t.Context(), []string{"import", "--url", address, "--token", "x", tree}, strings.NewReader(""), io.Discard, &said); code == exitDone {
		t.Errorf("%s: the import has succeeded", address)
	}
	return said.String()
}
