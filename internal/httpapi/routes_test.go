package httpapi

import (
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/api/apitest"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// described is what table and document must agree on.
type described struct {
	name, method, path, security, scope string
	search                              bool
}

// TestRoutesAndDocumentAgree holds the route table against the document, both
// ways: the same operations, with the same credentials and scopes.
func TestRoutesAndDocumentAgree(t *testing.T) {
	operations, err := apitest.Operations()
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
	for _, rt := range routes(Options{}) {
		have = append(have, described{rt.Name, rt.Method, rt.Pattern, schemeNames(rt.Accept), rt.Scope.String(), rt.Server == onSearch})
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

func schemeNames(s rest.Scheme) string {
	var names []string
	for bit, name := range map[rest.Scheme]string{bearer: "BearerAuth", rest.HeaderKey: "ApiKeyAuth", query: "QueryApiKeyAuth"} {
		if s&bit != 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
