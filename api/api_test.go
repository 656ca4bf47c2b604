package api

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	yamlText, jsonText, err := Render(Addresses{
		Base: "https://docs.test", Search: "https://docs.test/search", Auth: "https://login.test",
		Versions: []string{"v2", "v1"}, Regions: []string{"eu"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`"servers":[{"url":"https://docs.test/{version}","description":"Production; the major version is part of the path.","variables":{"version":{"enum":["v2","v1"],"default":"v2"}}}]`,
		`"url":"https://docs.test/search/{region}/{version}"`,
		`"region":{"enum":["eu"],"default":"eu"}`,
		`"authorizationUrl":"https://login.test/oauth/authorize"`,
		`"tokenUrl":"https://login.test/oauth/token"`,
		`"openIdConnectUrl":"https://login.test/.well-known/openid-configuration"`,
	} {
		if !bytes.Contains(jsonText, []byte(text)) {
			t.Errorf("the JSON document lacks %s", text)
		}
	}
	for _, host := range []string{baseHost, stagingHost, searchHost, authHost} {
		if bytes.Contains(yamlText, []byte(host)) || bytes.Contains(jsonText, []byte(host)) {
			t.Errorf("the placeholder %s is still there", host)
		}
	}
	if bytes.Contains(yamlText, []byte("testdata/")) {
		t.Error("the YAML document has kept its comments")
	}
	again, err := parse(string(yamlText))
	if err != nil {
		t.Fatal(err)
	}
	fromYAML, err := toJSON(again)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(fromYAML, jsonText) {
		t.Error("YAML and JSON differ")
	}
}

func TestRenderNeedsVersionAndRegion(t *testing.T) {
	for _, at := range []Addresses{{Versions: []string{"v1"}}, {Regions: []string{"us"}}} {
		if _, _, err := Render(at); err == nil {
			t.Errorf("Render(%+v) has no error", at)
		}
	}
}

func TestOrderIsKept(t *testing.T) {
	node, err := parse("b: 1\na: [x, null, true, 1.5]\n")
	if err != nil {
		t.Fatal(err)
	}
	text, err := toJSON(node)
	if want := `{"b":1,"a":["x",null,true,1.5]}`; err != nil || string(text) != want {
		t.Errorf("have %s, %v; want %s", text, err, want)
	}
	if node, err = parse("a: .inf\n"); err != nil {
		t.Fatal(err)
	}
	if text, err = toJSON(node); err == nil {
		t.Errorf("toJSON(.inf) = %s, want an error", text)
	}
}

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
