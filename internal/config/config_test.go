package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// parse reads options as a command would, with an error from Check as well.
func parse(t *testing.T, args ...string) (Options, error) {
	t.Helper()
	var o Options
	parser, err := kong.New(&o, append(Kong(), kong.NoDefaultHelp())...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		return o, err
	}
	return o, o.Check()
}

// shown returns the line that Print has for an option.
func shown(t *testing.T, o Options, name string) string {
	t.Helper()
	var b strings.Builder
	if err := o.Print(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if value, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("Print shows no %s:\n%s", name, &b)
	return ""
}

func write(t *testing.T, content string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaultsValid(t *testing.T) {
	o, err := parse(t)
	if err != nil {
		t.Fatalf("the defaults: %v", err)
	}
	if o.MaxBody != 2<<20 || o.RateLimit != 600 || len(o.Regions) != 3 || len(o.Versions) != 2 || o.OpsAddr != DefaultOpsAddr || o.CORS[0] != "*" {
		t.Errorf("the defaults are %+v", o)
	}
}

func TestValues(t *testing.T) {
	secret := strings.Repeat("s", minSecretKey)
	for _, tt := range []struct{ arg, option, want string }{
		{"--max-body=100MiB", "max-body", "100MiB"},
		{"--max-body=1000", "max-body", "1000"},
		{"--max-body=5 mb", "max-body", "5MiB"},
		{"--max-body=512k", "max-body", "512KiB"},
		{"--public-url=https://docs.example/base/", "public-url", "https://docs.example/base"},
		{"--trusted-proxies=10.1.2.3/8,::1", "trusted-proxies", "10.0.0.0/8,::1/128"},
		{"--cors-origins=", "cors-origins", ""},
		{"--oidc-issuers=https://a.example/,https://b.example,http://127.0.0.1:9/x", "oidc-issuers", "https://a.example/,https://b.example,http://127.0.0.1:9/x"},
		{`--oidc-scopes=docs\, all=pages:read,staff=published`, "oidc-scopes", `docs\\, all=pages:read,staff=published`},
		{"--oidc-token-types=at+jwt,JWT", "oidc-token-types", "at+jwt,JWT"},
		{"--allow-private-destinations=10.1.2.3/8", "allow-private-destinations", "10.0.0.0/8"},
		{"--destination-ports=443,8443", "destination-ports", "443,8443"},
		{"--cors-origins=https://a.example,http://localhost:3000", "cors-origins", "https://a.example,http://localhost:3000"},
		{"--ops-addr=", "ops-addr", ""},
		{"--addr=:0", "addr", ":0"},
		{"--shutdown-timeout=1m", "shutdown-timeout", "1m0s"},
		{"--process-roles=search,auth", "process-roles", "search,auth"},
		{"--search-weights=title=4,code=0.5", "search-weights", "code=0.5,title=4"},
		{"--change-retention=7d", "change-retention", "7d"},
		{"--change-retention=36h", "change-retention", "36h0m0s"},
		{"--secret-key=" + secret, "secret-key", masked},
		{"--database-url=postgres://me:hush@db/octavo", "database-url", "postgres://me:xxxxx@db/octavo"},
		{"--blob-url=s3://key:hush@s3.example/bucket?region=eu", "blob-url", "s3://key:xxxxx@s3.example/bucket?region=eu"},
		{"--asset-url-lifetime=1h", "asset-url-lifetime", "1h0m0s"},
		{"--mail-from=Octavo <docs@example.com>", "mail-from", "Octavo <docs@example.com>"},
		{"--max-upload=1GiB", "max-upload", "1GiB"},
		{"--database-url=postgres://db/octavo?password=hush", "database-url", "postgres://db/octavo?xxxxx"},
		{"--database-url=postgres://db/octavo?sslmode=require&sslpassword=hush", "database-url", "postgres://db/octavo?xxxxx"},
	} {
		o, err := parse(t, tt.arg)
		if err != nil {
			t.Errorf("%s: %v", tt.arg, err)
			continue
		}
		if have := shown(t, o, tt.option); have != `"`+tt.want+`"` {
			t.Errorf("%s gives %s, want %q", tt.arg, have, tt.want)
		}
	}
}

// Every message says what would be right, and none shows a secret.
func TestBadValues(t *testing.T) {
	for _, tt := range []struct{ arg, want string }{
		{"--max-body=2QB", "write bytes such as"},
		{"--max-body=0", "give the largest accepted body"},
		{"--max-body=-1", "write bytes such as"},
		{"--max-body=1GiB", "at most half of --max-memory"},
		{"--max-upload=49GiB", "give at most 48GiB"},
		{"--page-cache=8589934591GiB", "twice --page-cache"},
		{"--max-body=99999999999GiB", "write bytes such as"},
		{"--addr=8080", "write HOST:PORT"},
		{"--addr=host:http", "write HOST:PORT"},
		{"--addr=", "--addr must be"},
		{"--ops-addr=127.0.0.1:8080", "give --ops-addr another port"},
		{"--public-url=docs.example", "write one such as https://"},
		{"--public-url=ftp://docs.example", "write one such as https://"},
		{"--public-url=https://docs.example?x", "without user, query"},
		{"--public-url=https://me@docs.example", "without user, query"},
		{"--public-url=https://docs.example/#", "without user, query"},
		{"--regions=mars", `must be one of "us","eu","apac"`},
		{"--regions=", "--regions must name"},
		{"--process-roles=cook", `must be one of "api","search","worker","auth"`},
		{"--process-roles=", "--process-roles must name"},
		{"--process-roles=api,site", "--process-roles has site without search"},
		{"--site=everybody", `must be one of "off","members","public"`},
		{"--auth-url=https://elsewhere.example", "--site members needs the sign-in on the same origin"},
		{"--site-rate-limit=-1", "--site-rate-limit is -1"},
		{"--site-cache=1GiB", "--site-cache is 1GiB"},
		{"--process-roles=api,api", "--process-roles names a role twice"},
		{"--search-weights=author=1", "use title, headings"},
		{"--search-weights=title=0", "above 0"},
		{"--search-weights=title=-1", "above 0"},
		{"--search-weights=title=NaN", "above 0"},
		{"--search-weights=title=1e9", "up to 100"},
		{"--search-weights=title=high", "up to 100"},
		{"--search-weights=title", "--search-weights"},
		{"--regions=us,us", "--regions names a region twice"},
		{"--region-urls=eu=https://eu.example", "remove it from one of them"},
		{"--region-urls=mars=https://mars.example", "use us, eu, apac"},
		{"--versions=v3", `must be one of "v1","v2"`},
		{"--versions=", "--versions must name"},
		{"--trusted-proxies=10.0.0.0/99", "write one such as 10.0.0.0/8"},
		{"--cors-origins=https://a.example/path", "without a path"},
		{"--cors-origins=a.example", "write *, or one such as"},
		{"--oidc-issuers=http://a.example", "write its https address"},
		{"--oidc-issuers=https://a.example?x=y", "write its https address"},
		{"--oidc-issuers=https://a.example,https://a.example", "an issuer twice"},
		{"--oidc-scopes=a=root", "use published, pages:read, pages:propose, pages:write, admin"},
		{"--destination-ports=0", "names port 0"},
		{"--destination-ports=70000", "70000"},
		{"--oidc-scope-claim=", "must name a claim"},
		{"--oidc-token-types=jwt", `must be one of "at+jwt","JWT"`},
		{"--rate-limit=-1", "or 0 for no limit"},
		{"--rate-limit=many", "--rate-limit"},
		{"--log-level=loud", "debug"},
		{"--shutdown-timeout=2h", "from 0s to 1h"},
		{"--change-retention=30", "write one such as 30d"},
		{"--change-retention=-1d", "write one such as 30d"},
		{"--change-retention=99999d", "write one such as 30d"},
		{"--change-retention=59m", "at least 1h"},
		{"--data=", "--data must name a folder"},
		{"--secret-key=hush", "openssl rand"},
		{"--blob-url=http://key:hush@s3.example/bucket", "s3://"},
		{"--blob-url=s3://key:hush@s3.example", "s3://"},
		{"--blob-url=s3://key:hush@s3.example/a/b", "s3://"},
		{"--blob-url=s3://key:hush@s3:x:y/%", "s3://"},
		{"--blob-url=s3://key:hush@s3.example/ab", "3 to 63 characters"},
		{"--blob-url=s3://key:hush@s3.example/bucket?regoin=eu", "use region, prefix, insecure"},
		{"--blob-url=s3://key:hush@s3.example/bucket?insecure=yes", "use true"},
		{"--blob-url=s3://key:hush@s3.example/bucket?a=%zz", "cannot be read"},
		{"--asset-url-lifetime=1s", "1m"},
		{"--asset-url-lifetime=-1h", "1m"},
		{"--smtp-url=mail.example.com", "smtp://"},
		{"--smtp-url=http://me:hush@mail.example.com", "smtp://"},
		{"--smtp-url=smtp://me:hush@mail:x:y/%", "smtp://"},
		{"--smtp-url=smtp://me:hush@mail.example.com?insecure=true", "without TLS"},
		{"--smtp-url=smtp://me:hush@mail.example.com:0", "--smtp-url has a port that is none"},
		{"--smtp-url=smtp://me:hush@mail.example.com?starttls=no", `--smtp-url has the parameter "starttls"`},
		{"--smtp-url=smtps://mail.example.com?insecure=true", "remove one of them"},
		{"--smtp-url=smtp://:hush@mail.example.com?insecure=true", "without TLS"},
		{"--smtp-url=smtp://mail.example.com?insecure=true;a=b", "cannot be read"},
		{"--smtp-url=smtp://me:hush@mail.example.com", "needs --mail-from"},
		{"--mail-from=Octavo", "must be a mail address"},
		{"--database-url=mysql://me:hush@db", "postgres://"},
		{"--database-url=postgres:me:hush@db", "postgres://"},
		{"--database-url=postgres://me:hush@db:x:y/%", "postgres://"},
	} {
		_, err := parse(t, tt.arg)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want an error that says %q", tt.arg, err, tt.want)
		} else if strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: the error %q shows the secret", tt.arg, err)
		}
	}
}

func TestCheckTellsAllFaults(t *testing.T) {
	_, err := parse(t, "--rate-limit=-1", "--secret-key=short", "--ops-addr=127.0.0.1:8080")
	for _, want := range []string{"--rate-limit", "--secret-key", "--ops-addr"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check = %v, which does not tell of %s", err, want)
		}
	}
}

func TestPrecedence(t *testing.T) {
	file := write(t, "rate-limit: 1\n")
	for _, tt := range []struct {
		name, env string
		args      []string
		want      int
	}{
		{"default", "", nil, 600},
		{"file", "", []string{"--config", file}, 1},
		{"environment over file", "2", []string{"--config", file}, 2},
		{"command line over all", "2", []string{"--config", file, "--rate-limit", "3"}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.env != "" {
				t.Setenv("OCTAVO_RATE_LIMIT", tt.env)
			}
			if o, err := parse(t, tt.args...); err != nil || o.RateLimit != tt.want {
				t.Errorf("rate limit = %d, %v; want %d", o.RateLimit, err, tt.want)
			}
		})
	}
	t.Run("file named by the environment", func(t *testing.T) {
		t.Setenv("OCTAVO_CONFIG", file)
		if o, err := parse(t); err != nil || o.RateLimit != 1 {
			t.Errorf("rate limit = %d, %v; want 1", o.RateLimit, err)
		}
	})
}

func TestConfigurationFile(t *testing.T) {
	for _, tt := range []struct{ name, content, option, want string }{
		{"YAML list", "versions: [v1]\n", "versions", "v1"},
		{"YAML mapping", "regions: [us]\nregion-urls:\n  eu: https://eu.example\n  apac: https://ap.example\n", "region-urls", "apac=https://ap.example,eu=https://eu.example"},
		{"JSON", `{"max-body": "4MiB", "demo": true}`, "demo", "true"},
		{"number", "rate-limit: 1000\n", "rate-limit", "1000"},
		{"comma", "oidc-scopes:\n  docs, all: pages:read\n", "oidc-scopes", `docs\\, all=pages:read`},
		{"comma as printed", `oidc-scopes: "docs\\, all=pages:read"`, "oidc-scopes", `docs\\, all=pages:read`},
		{"null is empty", "cors-origins: null\n", "cors-origins", ""},
		{"nothing", "\n", "max-body", "2MiB"},
	} {
		o, err := parse(t, "--config", write(t, tt.content))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if have := shown(t, o, tt.option); have != `"`+tt.want+`"` {
			t.Errorf("%s: %s is %s, want %q", tt.name, tt.option, have, tt.want)
		}
	}
	for _, tt := range []struct{ name, content, want string }{
		{"unknown key", "rate-limit: 5\nratelimit: 5\n", `line 2: "ratelimit" is not an option`},
		{"another file", "config: other.yaml\n", "not an option that a file can set"},
		{"key twice", "demo: true\ndemo: false\n", "demo"},
		{"two documents", "demo: true\n---\ndemo: false\n", "document"},
		{"list of lists", "versions: [[v1]]\n", "list of plain values"},
		{"no mapping", "- demo\n", "file"},
		{"bad value", "demo: true\nmax-body: huge\n", `line 2: max-body: "huge"`},
		{"bad number", "rate-limit: many\n", "line 1: rate-limit: expected"},
		{"bad item", "regions:\n- us\n- mars\n", `line 2: regions: must be one of "us"`},
		{"list for one value", "demo: true\ndata: [a, b]\n", "line 2: data: takes no list"},
		{"list for a mapping", "region-urls: [eu]\n", "line 1: region-urls: takes no list"},
		{"mapping for a list", "regions:\n  us: eu\n", "line 2: regions: takes no mapping"},
		{"too large", "# " + strings.Repeat("x", maxFile), "more than"},
	} {
		_, err := parse(t, "--config", write(t, tt.content))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want an error about %q", tt.name, err, tt.want)
		}
	}
	if _, err := parse(t, "--config", filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a configuration file that does not exist is ignored")
	}
}

func TestVariables(t *testing.T) {
	t.Setenv("OCTAVO_RATE_LIMIT", "")
	t.Setenv("OCTAVO_CORS_ORIGINS", "")
	t.Setenv("OCTAVO_MAX_BODY", "")
	o, err := parse(t, "--config", write(t, "max-body: 5MiB\n"))
	if err != nil || o.RateLimit != 600 || len(o.CORS) != 1 || o.MaxBody != 5<<20 {
		t.Errorf("empty variables give %+v, %v; want the file and the defaults", o, err)
	}
	for name, value := range map[string]string{"OCTAVO_RATE_LIMIT": "many", "OCTAVO_LOG_LEVEL": "loud", "OCTAVO_REGIONS": "mars"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			if _, err := parse(t); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s=%s: %v; want an error that names the variable", name, value, err)
			}
		})
	}
}

func TestSecretsFromFiles(t *testing.T) {
	secret := strings.Repeat("s", minSecretKey)
	t.Setenv("OCTAVO_SECRET_KEY_FILE", write(t, secret+"\n"))
	if o, err := parse(t); err != nil || string(o.SecretKey) != secret {
		t.Errorf("the secret key is %q, %v; want %q", string(o.SecretKey), err, secret)
	}
	t.Setenv("OCTAVO_SECRET_KEY", secret)
	if _, err := parse(t); err == nil || !strings.Contains(err.Error(), "unset one of them") {
		t.Errorf("OCTAVO_SECRET_KEY and OCTAVO_SECRET_KEY_FILE together: %v; want an error that names both", err)
	}
	t.Setenv("OCTAVO_DATABASE_URL_FILE", write(t, "\n"))
	t.Setenv("OCTAVO_SECRET_KEY", "")
	if _, err := parse(t); err == nil || !strings.Contains(err.Error(), "OCTAVO_DATABASE_URL_FILE names is empty") {
		t.Errorf("an empty file: %v; want an error that names its variable", err)
	}
}

func TestMailServer(t *testing.T) {
	o, err := parse(t, "--smtp-url=smtps://me:hush@mail.example.com:465", "--mail-from=docs@example.com")
	if have := shown(t, o, "smtp-url"); err != nil || have != `"smtps://me:xxxxx@mail.example.com:465"` {
		t.Errorf("--smtp-url is shown as %s, %v; want it without its password", have, err)
	}
	t.Setenv("OCTAVO_SMTP_URL_FILE", write(t, "smtp://mail.example.com\n"))
	if o, err = parse(t, "--mail-from=docs@example.com"); err != nil || o.SMTPURL != "smtp://mail.example.com" {
		t.Errorf("from a file: have %q, %v", string(o.SMTPURL), err)
	}
}

// Every option must be documented, reachable by its variable, and not clash
// with another.
func TestTable(t *testing.T) {
	table, err := new(Options).Table()
	if err != nil {
		t.Fatal(err)
	}
	page, err := Markdown()
	if err != nil {
		t.Fatal(err)
	}
	if len(table) < 15 {
		t.Errorf("the table has %d options", len(table))
	}
	seen := map[string]bool{}
	for _, o := range table {
		if seen[o.Variable] || o.Group == "" || !strings.HasSuffix(o.Help, ".") || o.Variable != strings.ToUpper(o.Variable) {
			t.Errorf("option %+v: want a variable of its own, a group, and help that ends a sentence", o)
		}
		seen[o.Variable] = true
		if !strings.Contains(page, "`--"+o.Name) || !strings.Contains(page, "`"+o.Variable+"`") {
			t.Errorf("the documentation lacks --%s or %s", o.Name, o.Variable)
		}
	}
}

// The sign-in provider needs a client id, and roles or domains.
func TestSignIn(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--signin-issuer=https://login.example.com", "--signin-client-id=x", "--signin-roles=*=reader"}, ""},
		{[]string{"--signin-issuer=https://login.example.com", "--signin-client-id=x", "--signin-roles=*=contributor"}, ""},
		{[]string{"--signin-issuer=https://login.example.com", "--signin-client-id=x", "--signin-domains=Example.com"}, ""},
		{[]string{"--signin-issuer=http://login.example.com"}, "https address"},
		{[]string{"--signin-issuer=https://login.example.com", "--signin-client-id=x"}, "would let everybody sign in"},
		{[]string{"--signin-issuer=https://login.example.com", "--signin-domains=example.com"}, "--signin-client-id"},
		{[]string{"--signin-issuer=https://login.example.com", "--signin-client-id=x", "--signin-roles=a=owner"}, `"owner" is unknown`},
		{[]string{"--signin-issuer=https://login.example.com", "--signin-client-id=x", "--signin-domains=a@b"}, "not a domain"},
		{[]string{"--signin-issuer=https://a.example", "--signin-client-id=x", "--signin-roles=*=reader", "--public-url=https://a.example"}, "which is this server"},
		{[]string{"--oidc-issuers=https://a.example", "--public-url=https://a.example/"}, "which is this server"},
		{[]string{"--oidc-issuers=https://a.example", "--public-url=https://a.example", "--auth-url=https://b.example", "--site=off"}, ""},
		{[]string{"--signin-only"}, "no way to sign in"},
		{[]string{"--signin-client-secret=hush"}, "need --signin-issuer"},
	} {
		_, err := parse(t, c.args...)
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hush")) {
			t.Errorf("%q: have %v, want %q", c.args, err, c.want)
		}
	}
}
