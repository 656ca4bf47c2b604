package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/api/apitest"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// The document lists 406 for exactly those operations that refuse an unsupported Accept
// header.
func TestDocumentedNotAcceptable(t *testing.T) {
	t.Parallel()
	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]any
		}
	}
	if err := yaml.Unmarshal(api.Document(), &document); err != nil {
		t.Fatal(err)
	}
	operations, err := apitest.Operations()
	if err != nil {
		t.Fatal(err)
	}
	s := octavotest.Start(t, octavotest.Options{Search: true})
	token := s.Token(t, auth.Grant{Scopes: octavo.ScopeRead | octavo.ScopeWrite | octavo.ScopeAdmin})
	key := s.Key(t, auth.KeyRequest{Kind: octavo.KeySearch})
	for _, op := range operations {
		target := "/v1" + op.Path
		if op.Search {
			target = "/search/us" + target
		}
		kind := octavo.PrefixPage
		for resource, prefix := range map[string]octavo.Prefix{
			"/assets": octavo.PrefixAsset, "/exports": octavo.PrefixExport, "/events": octavo.PrefixEvent,
			"/webhooks": octavo.PrefixWebhook, "/api-keys": octavo.PrefixKey, "/proposals": octavo.PrefixProposal,
		} {
			if strings.HasPrefix(op.Path, resource) {
				kind = prefix
			}
		}
		const id = "_01h455vb4pex5vsknk084sn02q"
		target = strings.NewReplacer("{slug}", "x", "{number}", "1", "{proposalId}", string(octavo.PrefixProposal)+id, "{changeId}", string(octavo.PrefixChange)+id, "{deliveryId}", string(octavo.PrefixDelivery)+id,
			"{pageId}", string(kind)+id, "{assetId}", string(kind)+id, "{exportId}", string(kind)+id, "{id}", string(kind)+id).Replace(target)
		fields := []string{"Accept", "application/x-none", "Authorization", "Bearer " + token}
		if op.Search {
			fields = fields[:2] // the key in the query is enough, and all that counts
		}
		body := ""
		switch {
		case op.ID == "createAsset":
			fields = append(fields, "Content-Type", "multipart/form-data; boundary=b")
		case op.Method != http.MethodGet:
			body, fields = `{}`, append(fields, "Content-Type", "application/json")
		}
		resp, text := send(t, s, op.Method, target+"?q=x&api_key="+key, body, fields...)
		_, want := document.Paths[op.Path][strings.ToLower(op.Method)].Responses["406"]
		if have := resp.StatusCode == http.StatusNotAcceptable; have != want {
			t.Errorf("%s: have %d %s, the document has 406: %v", op.ID, resp.StatusCode, text, want)
		}
	}
}
