package faulttest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

// A server that is killed during exports finally completes every accepted one, once, with
// the same pages.
func TestKilledWhileExporting(t *testing.T) {
	for name, install := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := install(t)
			token := in.token(t)
			moments := chance(1<<16 - 2)
			s := in.serve(t)
			var api *client.Client
			connect := func() {
				var err error
				if api, err = client.New(s.url, client.WithToken(token)); err != nil {
					t.Fatal(err)
				}
			}
			connect()
			for i := range 40 {
				text := fmt.Sprintf("# Page %d\n\n%s", i, strings.Repeat("Some words and `code` on a page. ", 200))
				if _, err := api.Create(t.Context(), octavo.PageCreate{Title: fmt.Sprintf("Page %d", i), Slug: fmt.Sprintf("page-%d", i), Content: text, Status: octavo.Published}); err != nil {
					t.Fatal(err)
				}
			}
			var accepted []octavo.ID
			for round := range 4 {
				for _, format := range []string{"markdown", "html", "pdf"} {
					e, err := api.CreateExport(t.Context(), json.RawMessage(`{"format":"`+format+`","scope":"published"}`))
					if err != nil {
						t.Fatalf("round %d: %v", round, err)
					}
					accepted = append(accepted, e.ID)
				}
				<-time.After(time.Duration(moments.Int64N(int64(time.Second)))) // anywhere within one of them
				s.kill()
				in.rest(t)
				s = in.serve(t)
				connect()
			}
			sums := map[octavo.ExportFormat]string{}
			for _, id := range accepted {
				e, err := api.AwaitExport(t.Context(), id, nil)
				if err != nil || e.Status != octavo.ExportReady {
					t.Fatalf("export %s: have %s and %v: %v", id, e.Status, e.Error, err)
				}
				sum := sha256.New()
				if _, err := api.Download(t.Context(), e, sum); err != nil {
					t.Error(err)
				}
				have := hex.EncodeToString(sum.Sum(nil))
				if sums[e.Format] == "" {
					sums[e.Format] = have
				}
				if have != e.SHA256 || have != sums[e.Format] {
					t.Errorf("export %s of %s: have %s, want %s, and that of the others, %s", id, e.Format, have, e.SHA256, sums[e.Format])
				}
			}
			in.doctor(t)
			s.stop(t)
		})
	}
}
