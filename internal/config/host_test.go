package config

import "testing"

// TestASCIIHost shows that names of hosts outside ASCII are kept as
// they are sent in Host and Origin.
func TestASCIIHost(t *testing.T) {
	t.Parallel()
	o, err := parse(t, "--public-url", "https://Bücher.example:8443/docs/", "--auth-url", "https://konto.bücher.example", "--cors-origins", "https://bücher.example,https://a.example",
		"--search-url", "https://例え.jp", "--region-urls", "eu=https://é.example/search", "--regions", "us", "--site", "off")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ have, want string }{
		"public":  {string(o.PublicURL), "https://xn--bcher-kva.example:8443/docs"},
		"auth":    {string(o.AuthURL), "https://konto.xn--bcher-kva.example"},
		"search":  {string(o.SearchURL), "https://xn--r8jz45g.jp"},
		"region":  {string(o.RegionURLs["eu"]), "https://xn--9ca.example/search"},
		"origins": {string(o.CORS[0]) + " " + string(o.CORS[1]), "https://xn--bcher-kva.example https://a.example"},
	} {
		if c.have != c.want {
			t.Errorf("%s: have %s, want %s", name, c.have, c.want)
		}
	}
}
