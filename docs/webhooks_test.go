package docs_test

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/docs"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// received is a request that a receiver has to judge.
type received struct {
	Name    string            `json:"name"`
	Secret  string            `json:"secret"` // of an endpoint, or
	Keys    map[string]any    `json:"keys"`   // for a callback
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Now     int64             `json:"now"` // seconds
	Genuine bool              `json:"genuine"`
}

const (
	webhookSent   = 1769860800
	webhookID     = "evt_01k5s0r6yqf0b9m1zk3w8d2x7c"
	webhookSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
	webhookBody   = `{"id":"evt_01k5s0r6yqf0b9m1zk3w8d2x7c","type":"page.deleted","createdAt":"2026-01-31T12:00:00.000Z","data":{"id":"pagé"}}`
)

// requests are signed here by the standard, apart from what signs in the
// server.
func requests() []received {
	private := ed25519.NewKeyFromSeed([]byte(strings.Repeat("s", ed25519.SeedSize)))
	signed := fmt.Sprintf("%s.%d.%s", webhookID, webhookSent, webhookBody)
	hmacBy := func(secret string) string {
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(signed))
		return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	edBy := func(key ed25519.PrivateKey) string {
		return "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(signed)))
	}
	jwk := func(key ed25519.PrivateKey) any {
		return map[string]string{
			"kty": "OKP", "crv": "Ed25519", "use": "sig", "kid": "k", "alg": "EdDSA",
			"x": base64.RawURLEncoding.EncodeToString(key.Public().(ed25519.PublicKey)),
		}
	}
	stranger := ed25519.NewKeyFromSeed([]byte(strings.Repeat("t", ed25519.SeedSize)))
	other := map[string]string{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}
	endpoint := func(name string, genuine bool, signature string, change func(*received)) received {
		r := received{Name: name, Secret: webhookSecret, Body: webhookBody, Now: webhookSent + 299, Genuine: genuine, Headers: map[string]string{
			"webhook-id": webhookID, "webhook-timestamp": fmt.Sprint(webhookSent), "webhook-signature": signature,
		}}
		if change != nil {
			change(&r)
		}
		return r
	}
	callback := func(name string, genuine bool, signature string, more ...any) received {
		keys := append([]any{}, more...) // none is [] and not null
		return endpoint(name, genuine, signature, func(r *received) { r.Secret, r.Keys = "", map[string]any{"keys": keys} })
	}
	good, foreign := hmacBy(webhookSecret), hmacBy("whsec_AAAA")
	return []received{
		endpoint("by the secret", true, good, nil),
		endpoint("by two secrets", true, foreign+" "+good, nil),
		endpoint("beside another version", true, edBy(private)+" "+good, nil),
		endpoint("from a clock that is ahead", true, good, func(r *received) { r.Now = webhookSent - 299 }),
		endpoint("by another secret", false, foreign, nil),
		endpoint("by no secret, where none is configured", false, hmacBy(""), func(r *received) { r.Secret = "whsec_" }),
		endpoint("with another body", false, good, func(r *received) { r.Body += " " }),
		endpoint("with another id", false, good, func(r *received) { r.Headers["webhook-id"] = "evt_x" }),
		endpoint("too old", false, good, func(r *received) { r.Now = webhookSent + 301 }),
		endpoint("too new", false, good, func(r *received) { r.Now = webhookSent - 301 }),
		endpoint("with another time", false, good, func(r *received) { r.Headers["webhook-timestamp"] = fmt.Sprint(webhookSent + 1) }),
		endpoint("without a time", false, good, func(r *received) { delete(r.Headers, "webhook-timestamp") }),
		endpoint("without a signature", false, good, func(r *received) { delete(r.Headers, "webhook-signature") }),
		endpoint("with a signature that is none", false, "v1,? v1 v1, ,", nil),
		endpoint("under another version", false, "v1a"+strings.TrimPrefix(good, "v1"), nil),
		callback("by the key", true, edBy(private), other, jwk(stranger), jwk(private)),
		callback("by another key", false, edBy(private), jwk(stranger)),
		callback("by no key", false, edBy(private)),
		callback("by a short signature", false, "v1a,AAAA", jwk(private)),
		callback("under the version of endpoints", false, "v1"+strings.TrimPrefix(edBy(private), "v1a"), jwk(private)),
	}
}

// blockOf returns the one block of a page in that language.
func blockOf(t *testing.T, page, language string) string {
	t.Helper()
	text, err := fs.ReadFile(docs.Files(), page)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("%s has %d blocks of %s, want one", page, len(found), language)
	}
	return string(found[0][1])
}

// TestReceiversJudge runs the code of the page on webhooks as a reader would
// copy it, on requests that are genuine and on others.
func TestReceiversJudge(t *testing.T) {
	t.Parallel()
	goCommand := func(testing.TB) string { return "go" }
	for _, c := range []struct {
		language string
		program  func(testing.TB) string
		args     []string
		file     string            // for the code of the page
		beside   map[string]string // what uses it
	}{
		{"go", goCommand, []string{"test", "."}, "receiver.go", map[string]string{"go.mod": "module receiver\n\ngo 1.26\n", "receiver_test.go": useInGo}},
		{"js", testenv.Node, []string{"use.mjs"}, "receiver.mjs", map[string]string{"use.mjs": useInNode}},
		{"python", testenv.Python, []string{"use.py"}, "receiver.py", map[string]string{"use.py": useInPython}},
	} {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cases, err := json.Marshal(requests())
			if err != nil {
				t.Fatal(err)
			}
			files := maps.Clone(c.beside)
			files[c.file], files["requests.json"] = blockOf(t, "api/webhooks.md", c.language), string(cases)
			for _, name := range slices.Sorted(maps.Keys(files)) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(files[name]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), c.program(t), c.args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "PYTHONDONTWRITEBYTECODE=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

const useInGo = `package receiver

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	var requests []struct {
		Name, Secret, Body string
		Keys               json.RawMessage
		Headers            map[string]string
		Now                int64
		Genuine            bool
	}
	text, err := os.ReadFile("requests.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &requests); err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		h := http.Header{}
		for name, value := range r.Headers {
			h.Set(name, value)
		}
		now := time.Unix(r.Now, 0)
		if r.Secret != "" {
			err = Webhook(r.Secret, h, []byte(r.Body), now)
		} else {
			err = Callback(r.Keys, h, []byte(r.Body), now)
		}
		if (err == nil) != r.Genuine {
			t.Errorf("%s: have %v, want genuine: %t", r.Name, err, r.Genuine)
		}
	}
}
`

const useInNode = `import { readFileSync } from "node:fs";
import { webhook, callback } from "./receiver.mjs";

for (const r of JSON.parse(readFileSync("requests.json"))) {
  let genuine = true;
  try {
    const body = Buffer.from(r.body);
    r.secret ? webhook(r.secret, r.headers, body, r.now * 1000) : callback(r.keys, r.headers, body, r.now * 1000);
  } catch (e) {
    genuine = false;
    if (!/^the request is/.test(e.message)) throw e;
  }
  if (genuine !== r.genuine) {
    console.error(r.name + ": have genuine: " + genuine);
    process.exitCode = 1;
  }
}
`

const useInPython = `import json
import sys

import receiver

for r in json.load(open("requests.json")):
    genuine = True
    try:
        body = r["body"].encode()
        if r["secret"]:
            receiver.webhook(r["secret"], r["headers"], body, r["now"])
        else:
            receiver.callback(r["keys"], r["headers"], body, r["now"])
    except receiver.Forged:
        genuine = False
    if genuine != r["genuine"]:
        sys.exit(r["name"] + ": have genuine: " + str(genuine))
`
