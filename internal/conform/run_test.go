package conform

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/octavo-docs/octavo/internal/octavotest"
)

// echo answers with what it was sent.
func echo() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("X-Host", r.Host)
		fmt.Fprintf(w, "%s %s|%s|%s|%s|%s|%d|", r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"),
			r.Header.Get("Authorization"), r.Header.Get("X-API-Key"), strings.Join(r.Header.Values("X-A"), ","), len(body))
		_, _ = w.Write(bytes.TrimRight(body, " "))
	})
	mux.HandleFunc("/v1/pages", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `[{"id":"page_1"},{"id":"nonsense"}]`)
	})
	return mux
}

func testOptions(scripts ...string) Options {
	files := fstest.MapFS{}
	for i, text := range scripts {
		files[fmt.Sprintf("%02d.txt", i+1)] = &fstest.MapFile{Data: []byte(opening + text)}
	}
	return Options{
		Scripts: files, Document: []byte(testDocument), BaseURL: "http://octavo.test", Unique: "u1",
		Transport: octavotest.InProcess(echo()),
		Credentials: map[string]Credential{
			"reader": {Bearer, "tok"}, "reader-key": {APIKey, "key"}, "search-key": {QueryKey, "s k"},
		},
	}
}

const echoScript = `as reader

PUT /echo?q=${unique}
X-A: 1
X-A: ${base}
json: {"a": "${fill é 2}"}
status 200
body == "PUT /echo?q=u1|application/json|Bearer tok||1,http://octavo.test|13|{\"a\": \"éé\"}"

POST ${base}/echo
as reader-key
Content-Type: text/x
Host: evil.example
yaml: a: 1
pad 9
status 200
header X-Host == evil.example
body == "POST /echo|text/x||key||9|a: 1"

GET /echo?a=1
as search-key
status 200
body == "GET /echo?a=1&api_key=s+k|||||0|"

HEAD /echo
as nobody
repeat 3
status 200
body empty

POST /echo
as nobody
raw: "a\x00\xff"
X-A: ${secret reader}
status 200
body == "POST /echo||||tok|3|a\x00\xff"
`

func TestRun(t *testing.T) {
	server := httptest.NewServer(echo())
	defer server.Close()
	for _, c := range []struct {
		name      string
		transport http.RoundTripper
		base      string
	}{
		{"handler", octavotest.InProcess(echo()), "http://octavo.test"},
		{"server", nil, server.URL},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := testOptions(strings.ReplaceAll(echoScript, "1,http://octavo.test", "1,${base}"))
			o.Transport, o.BaseURL = c.transport, c.base
			report, err := Run(t.Context(), o)
			if err != nil || report.Failed() {
				t.Fatalf("have %v\n%s\nwant no failure", err, report)
			}
			if want := "ok   01.txt: 5 requests\n1 passed, 0 failed, 0 skipped\n"; report.String() != want {
				t.Errorf("have %q\nwant %q", report, want)
			}
		})
	}
}

func TestRunReports(t *testing.T) {
	o := testOptions(`GET /v1/pages
status 404
json /0/id == "page_1"
json /1/id == "${unique}"

GET /echo
status 200
`, `requires quota
as admin

GET /echo
status 200
`, `GET /echo?${secret reader}
as nobody
status 201
`, `GET /v1/pages
undocumented
status 200
`, `GET https://elsewhere.example/
status 200
`)
	report, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := `FAIL 01.txt: 0 of 2 requests passed
01.txt:5: GET /v1/pages: status 404
	have 200 [{"id":"page_1"},{"id":"nonsense"}]
	want 404
01.txt:7: GET /v1/pages: json /1/id == "u1"
	have "nonsense"
	want "u1"
01.txt:4: GET /v1/pages: the document
	have no header X-Request-Id
	want the header, which the document requires
01.txt:4: GET /v1/pages: the document
	have [{"id":"page_1"},{"id":"nonsense"}]: at "/1/id" 'nonsense' does not match pattern '^page_'
	want a body that fits the document
skip 02.txt: the run has no admin, quota
FAIL 03.txt: 0 of 1 requests passed
03.txt:6: GET /echo?${secret reader}: status 201
	have 200 GET /echo?***|||||0|
	want 201
ok   04.txt: 1 requests
FAIL 05.txt: 0 of 1 requests passed
05.txt:4: GET https://elsewhere.example/
	have no answer: the target is no path under http://octavo.test
	want an answer
1 passed, 3 failed, 1 skipped
`
	if report.String() != want {
		t.Errorf("have:\n%s\nwant:\n%s", report, want)
	}
}

func TestRunRequireAll(t *testing.T) {
	o := testOptions("as admin\n\nGET /echo\nstatus 200\n")
	o.RequireAll = true
	report, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := "FAIL 01.txt: 0 of 1 requests passed\n01.txt:1: requires\n\thave the run has no admin\n\twant everything\n0 passed, 1 failed, 0 skipped\n"
	if report.String() != want {
		t.Errorf("have %q\nwant %q", report, want)
	}
}

func TestRunRefuses(t *testing.T) {
	good := "GET /echo\nstatus 200\n"
	for _, c := range []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"base", func(o *Options) { o.BaseURL = "octavo.test" }, `the base address "octavo.test" is no http or https URL`},
		{"unique", func(o *Options) { o.Unique = "A" }, `the unique part "A" is not made of lower-case letters and digits`},
		{"document", func(o *Options) { o.Document = []byte("paths: {}") }, "the OpenAPI document has no operations"},
		{"none selected", func(o *Options) { o.Select = func(string) bool { return false } }, "there are no scripts to run"},
		{
			"scripts", func(o *Options) { o.Scripts = testOptions("x\n", good, "y\n").Scripts },
			`01.txt:4: before the first request stands "as NAME" or "requires NAME ...", not "x"` + "\n" +
				`03.txt:4: before the first request stands "as NAME" or "requires NAME ...", not "y"`,
		},
	} {
		o := testOptions(good)
		c.change(&o)
		if _, err := Run(t.Context(), o); err == nil || err.Error() != c.want {
			t.Errorf("%s: have %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestRunWaits(t *testing.T) {
	for _, c := range []struct {
		name, script, retryAfter string
		busy                     int // answers 429 so often
		waits                    []time.Duration
		fails                    bool
	}{
		{"once", "GET /\nstatus 200\n", "7", 1, []time.Duration{7 * time.Second}, false},
		{"too often", "GET /\nstatus 200\n", "1", 9, []time.Duration{time.Second, time.Second, time.Second}, true},
		{"expected", "GET /\nstatus 429\n", "7", 1, nil, false},
		{"too long", "GET /\nstatus 200\n", "3600", 1, nil, true},
		{"not said", "GET /\nstatus 200\n", "", 1, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			busy := c.busy
			o := testOptions(c.script)
			o.Transport = octavotest.InProcess(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if busy--; busy >= 0 {
					w.Header().Set("Retry-After", c.retryAfter)
					w.WriteHeader(http.StatusTooManyRequests)
				}
			}))
			var waits []time.Duration
			o.Wait = func(_ context.Context, d time.Duration) error {
				waits = append(waits, d)
				return nil
			}
			report, err := Run(t.Context(), o)
			if err != nil || report.Failed() != c.fails || !slices.Equal(waits, c.waits) {
				t.Errorf("have waits %v, error %v\n%s\nwant waits %v, failed %t", waits, err, report, c.waits, c.fails)
			}
		})
	}
}
