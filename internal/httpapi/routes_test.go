package httpapi

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/api"
)

// notBuiltYet lists the operations of the document that answer 501. It is
// empty when every capability stands.
func notBuiltYet() []string {
	return []string{}
}

// described is what table and document must agree on.
type described struct {
	name, method, path, security, scope string
	search                              bool
}

// TestRoutesAndDocumentAgree holds the route table against the document, both
// ways: the same operations, with the same credentials and scopes.
func TestRoutesAndDocumentAgree(t *testing.T) {
	operations, err := api.Operations()
	if err != nil {
		t.Fatal(err)
	}
	var want, have []described
	for _, op := range operations {
		security := slices.Clone(op.Security)
		for i, s := range security { // an OAuth 2 token is a bearer token
			if s == "OAuth2" {
				security[i] = "BearerAuth"
			}
		}
		slices.Sort(security)
		want = append(want, described{op.ID, op.Method, op.Path, strings.Join(slices.Compact(security), " "), op.Scope, op.Search})
	}
	for _, rt := range (&API{}).routes() {
		have = append(have, described{rt.name, rt.method, rt.pattern, schemeNames(rt.accept), rt.scope.String(), rt.server == onSearch})
	}
	for _, d := range have {
		if !slices.Contains(want, d) {
			t.Errorf("the table has %+v, the document has not", d)
		}
	}
	for _, d := range want {
		if !slices.Contains(have, d) {
			t.Errorf("the document has %+v, the table has not", d)
		}
	}
}

func schemeNames(s scheme) string {
	var names []string
	for bit, name := range map[scheme]string{bearer: "BearerAuth", header: "ApiKeyAuth", query: "QueryApiKeyAuth"} {
		if s&bit != 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestNotBuiltYet calls every operation without input: those that are not
// built answer 501 whatever they get, the others never do.
func TestNotBuiltYet(t *testing.T) {
	var have []string
	for _, rt := range (&API{}).routes() {
		if notBuilt(rt) {
			have = append(have, rt.name)
		}
	}
	slices.Sort(have)
	if want := notBuiltYet(); !slices.Equal(have, want) {
		t.Errorf("operations that answer 501\nhave %v\nwant %v", have, want)
	}
}

// notBuilt reports whether the operation refuses a request that no operation
// could answer, as not built.
func notBuilt(rt route) (refused bool) {
	defer func() { _ = recover() }() // a built operation misses its parts
	_, err := rt.handle(nil)
	var e *octavo.Error
	return errors.As(err, &e) && e.Type == octavo.NotImplemented
}
