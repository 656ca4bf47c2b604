package api

import (
	"bytes"
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

func TestOrder(t *testing.T) {
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
