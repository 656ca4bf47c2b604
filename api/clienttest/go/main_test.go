// Package clienttest_test checks that a Go client generated from the document
// that a server serves compiles and works. It is written as its users would
// write; what the server answers in every case is the contract scripts'
// business. scripts/test-clients generates the client and starts the server.
package clienttest_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"testing"

	"github.com/octavo-docs/octavo/api/clienttest/go/octavoapi"
)

// newClient returns the generated client for the server under test, which
// sends the token with every request.
func newClient(t *testing.T, options ...octavoapi.ClientOption) *octavoapi.ClientWithResponses {
	t.Helper()
	token := setting(t, "OCTAVO_TOKEN")
	authorize := func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	options = append(options, octavoapi.WithRequestEditorFn(authorize))
	c, err := octavoapi.NewClientWithResponses(setting(t, "OCTAVO_URL")+"/v1", options...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func setting(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set; run scripts/test-clients", name)
	}
	return value
}

// answer is what every generated response has.
type answer interface {
	StatusCode() int
	GetBody() []byte
}

// wantStatus ends the test unless a call succeeded and was answered with the
// status.
func wantStatus(t *testing.T, have answer, err error, want int) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if have.StatusCode() != want {
		t.Fatalf("have status %d, want %d; body: %s", have.StatusCode(), want, have.GetBody())
	}
}

// wantProblem ends the test unless the problem was decoded and is the one named.
func wantProblem(t *testing.T, have *octavoapi.Problem, status int, name string) {
	t.Helper()
	if have == nil {
		t.Fatalf("have no typed problem, want /problems/%s", name)
	}
	if have.Type != "/problems/"+name || have.Status != status || have.Title == "" {
		t.Fatalf("have problem %s, status %d, title %q; want /problems/%s, %d and a title",
			have.Type, have.Status, have.Title, name, status)
	}
}

func equal[T comparable](t *testing.T, what string, have, want T) {
	t.Helper()
	if have != want {
		t.Errorf("%s: have %v, want %v", what, have, want)
	}
}

// only returns the one item of a list, and ends the test unless it has one.
func only[T any](t *testing.T, what string, list *[]T) T {
	t.Helper()
	if list == nil || len(*list) != 1 {
		t.Fatalf("%s: have %v, want one", what, list)
	}
	return (*list)[0]
}

// create makes a page that is deleted when the test ends, unless the test has
// done so.
func create(t *testing.T, c *octavoapi.ClientWithResponses, page octavoapi.PageCreateRequest) *octavoapi.CreatePageResponse {
	t.Helper()
	r, err := c.CreatePageWithResponse(t.Context(), nil, page)
	wantStatus(t, r, err, http.StatusCreated)
	t.Cleanup(func() { remove(t, c, r.JSON201.Id) })
	return r
}

func remove(t *testing.T, c *octavoapi.ClientWithResponses, id octavoapi.Identifier) {
	t.Helper()
	r, err := c.DeletePageWithResponse(context.WithoutCancel(t.Context()), id, nil)
	if err == nil && r.StatusCode() != http.StatusNoContent && r.StatusCode() != http.StatusNotFound {
		err = fmt.Errorf("status %d: %s", r.StatusCode(), r.Body)
	}
	if err != nil {
		t.Errorf("delete %s: %v", id, err)
	}
}
