package rest

import (
	"net/url"
	"testing"
)

func TestNotations(t *testing.T) {
	for _, c := range []struct{ query, name, want string }{
		{"include=a,b", "include", "a,b"},
		{"include[]=a&include[]=b", "include", "a,b"},
		{"include[1]=b&include[0]=a", "include", "a,b"},
		{"include[]=a&include=b", "include", "refused"},
		{"include[a]=b", "include", "refused"},
		{"include.0=a", "include", "refused"},
		{"include[=a", "include", "refused"},
		{"includes[]=a", "include", "absent"},
		{`filters={"tags":["a"]}`, "filters", `{"tags":["a"]}`},
		{"filters[tags][]=a&filters[tags][]=b", "filters", `{"tags":["a","b"]}`},
		{"filters[tags][0]=a&filters[updatedAfter]=x", "filters", `{"updatedAfter":"x","tags":["a"]}`},
		{"filters[tags]=a", "filters", `{"tags":["a"]}`},
		{"filters[other]=\"", "filters", `{"other":"\""}`},
		{"filters[other][]=a", "filters", "refused"},
		{"filters[updatedAfter]=x&filters[updatedAfter]=y", "filters", "refused"},
		{"filters[tags][a]=a", "filters", "refused"},
		{"filters[]=a", "filters", "refused"},
		{"filters[tags][]=a&filters={}", "filters", "refused"},
		{"filters{}=a", "filters", "refused"},
		{"limit[]=1", "limit", "refused"},
	} {
		values, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		p := &Params{values: values}
		p.JoinList("include")
		p.JoinObject("filters", "tags")
		have, ok := p.Get(c.name)
		switch {
		case p.Faults.Err() != nil:
			have = "refused"
		case !ok:
			have = "absent"
		}
		if have != c.want {
			t.Errorf("%s: have %s, want %s", c.query, have, c.want)
		}
	}
}
