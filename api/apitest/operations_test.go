package apitest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestOperations(t *testing.T) {
	list, err := Operations()
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, op := range list {
		text, err := json.Marshal(op)
		if err != nil {
			t.Fatal(err)
		}
		have[op.ID] = string(text)
		if len(op.Security) == 0 != (op.Scope == "") {
			t.Errorf("%s: security %v, scope %q: want both or none", op.ID, op.Security, op.Scope)
		}
		if op.Extension == strings.HasPrefix(op.ID, "demo") {
			t.Errorf("%s: extension is %v", op.ID, op.Extension)
		}
		if op.Extension && !strings.HasPrefix(op.Path, "/examples/") && op.Scope != "" && !slices.Equal(op.Security, []string{"BearerAuth", "ApiKeyAuth"}) {
			t.Errorf("%s: have security %v; resource paths take a bearer token or a key", op.ID, op.Security)
		}
	}
	for id, want := range map[string]string{
		"demoBasicRequest":        `{"ID":"demoBasicRequest","Method":"GET","Path":"/examples/basic-request","Security":["BearerAuth","ApiKeyAuth"],"Scope":"pages:read","Search":false,"Extension":false}`,
		"demoRequestBodyVariants": `{"ID":"demoRequestBodyVariants","Method":"POST","Path":"/examples/basic-request","Security":["OAuth2"],"Scope":"pages:write","Search":false,"Extension":false}`,
		"demoQueryParameters":     `{"ID":"demoQueryParameters","Method":"GET","Path":"/examples/query-parameters","Security":["QueryApiKeyAuth"],"Scope":"pages:read","Search":true,"Extension":false}`,
		"demoBasicResponse":       `{"ID":"demoBasicResponse","Method":"GET","Path":"/examples/basic-response","Security":null,"Scope":"","Search":false,"Extension":false}`,
		"patchPageByContractPath": `{"ID":"patchPageByContractPath","Method":"PATCH","Path":"/examples/path-parameters/{pageId}","Security":["BearerAuth"],"Scope":"pages:write","Search":false,"Extension":true}`,
		"listAudit":               `{"ID":"listAudit","Method":"GET","Path":"/audit","Security":["BearerAuth","ApiKeyAuth"],"Scope":"admin","Search":false,"Extension":true}`,
	} {
		if have[id] != want {
			t.Errorf("have %s\nwant %s", have[id], want)
		}
	}
}
