package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// text is a page of about so many bytes with headings, links, lists and code.
func benchText(bytes int) string {
	const piece = "## A heading\n\nSome words of text with a [link](page-1) and `code` in *it*.\n\n- one\n- two\n\n```go\nfunc f() {}\n```\n\n"
	return strings.Repeat(piece, 1+bytes/len(piece))
}

// proposalBench is a server with pages.
type proposalBench struct {
	*testing.B
	s     *octavotest.Server
	token string
	ids   []octavo.ID
	text  string
}

func newProposalBench(b *testing.B, pages, bytes int) *proposalBench {
	s := octavotest.Start(b, octavotest.Options{MaxBody: 64 << 20})
	p := &proposalBench{B: b, s: s, token: s.Token(b, auth.Grant{Scopes: octavo.ScopeWrite}), text: benchText(bytes)}
	err := s.Store.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		p.ids = nil
		for i := range pages {
			page, err := s.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "A page", Slug: fmt.Sprint("page-", i), Content: p.text, Status: octavo.Published}})
			if err != nil {
				return err
			}
			p.ids = append(p.ids, page.ID)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func (p *proposalBench) do(want int, method, path, body string) string {
	p.Helper()
	resp, text := send(p, p.s, method, "/v1"+path, body, "Authorization", "Bearer "+p.token, "Content-Type", "application/json", "If-Match", "*")
	if resp.StatusCode != want {
		p.Fatalf("%s %s: %d %.500s", method, path, resp.StatusCode, text)
	}
	return text
}

// propose makes a proposal that changes every page.
func (p *proposalBench) propose(word string) string {
	p.Helper()
	var changes []string
	for _, id := range p.ids {
		text := octavo.AppendString(nil, strings.Replace(p.text, "Some words", word, 1))
		changes = append(changes, fmt.Sprintf(`{"op":"update","pageId":%q,"content":%s}`, id, text))
	}
	made := p.do(http.StatusCreated, "POST", "/proposals", `{"title":"A proposal","changes":[`+strings.Join(changes, ",")+`]}`)
	return made[len(`{"id":"`):][:len("prop_01h455vb4pex5vsknk084sn02q")]
}

// held runs something and returns how long it took, and how long a small write had to
// wait meanwhile.
func (p *proposalBench) held(run func()) (took, waited time.Duration) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			begin := time.Now()
			err := p.s.Store.DB.Write(p.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error { return tx.SetSetting("bench", begin.String()) })
			if err != nil {
				p.Error(err)
			}
			waited = max(waited, time.Since(begin))
			select {
			case <-stop:
				return
			default:
			}
		}
	}()
	begin := time.Now()
	run()
	took = time.Since(begin)
	close(stop)
	<-done
	return took, waited
}

// BenchmarkMerge merges a proposal that changes 1,000 pages, and changes them by a bulk
// request as well. held/bulk is how much longer another write waits for the merge.
func BenchmarkMerge(b *testing.B) {
	const pages = 1000
	p := newProposalBench(b, pages, 2000)
	var merge, bulk, mergeHeld, bulkHeld time.Duration
	n := 0
	for b.Loop() {
		n++
		id := p.propose(fmt.Sprint("Merged words ", n))
		took, waited := p.held(func() { p.do(http.StatusOK, "POST", "/proposals/"+id+"/merge", "") })
		merge, mergeHeld = merge+took, mergeHeld+waited
		var operations []string
		for _, id := range p.ids {
			text := octavo.AppendString(nil, strings.Replace(p.text, "Some words", fmt.Sprint("Bulk words ", n), 1))
			operations = append(operations, fmt.Sprintf(`{"op":"update","id":%q,"page":{"content":%s}}`, id, text))
		}
		body := `{"atomic":true,"operations":[` + strings.Join(operations, ",") + `]}`
		took, waited = p.held(func() { p.do(http.StatusOK, "POST", "/pages/bulk", body) })
		bulk, bulkHeld = bulk+took, bulkHeld+waited
		p.text = strings.Replace(p.text, "Some words", fmt.Sprint("Bulk words ", n), 1)
		p.text = strings.Replace(p.text, fmt.Sprint("Bulk words ", n), "Some words", 1) + "\n"
		operations = operations[:0]
		for _, id := range p.ids {
			operations = append(operations, fmt.Sprintf(`{"op":"update","id":%q,"page":{"content":%s}}`, id, octavo.AppendString(nil, p.text)))
		}
		p.do(http.StatusOK, "POST", "/pages/bulk", `{"atomic":true,"operations":[`+strings.Join(operations, ",")+`]}`)
	}
	b.ReportMetric(merge.Seconds()/float64(n), "s/merge")
	b.ReportMetric(bulk.Seconds()/float64(n), "s/bulk")
	b.ReportMetric(mergeHeld.Seconds()/bulkHeld.Seconds(), "held/bulk")
}

// BenchmarkChecks checks a proposal that changes 100 pages of 8 KB.
func BenchmarkChecks(b *testing.B) {
	p := newProposalBench(b, 100, 8000)
	id := p.propose("Other words")
	for b.Loop() {
		p.do(http.StatusOK, "GET", "/proposals/"+id+"/checks", "")
	}
}

// BenchmarkRender renders a draft of 20 KB.
func BenchmarkRender(b *testing.B) {
	p := newProposalBench(b, 2, 20000)
	body := fmt.Sprintf(`{"pageId":%q,"content":%s}`, p.ids[0], octavo.AppendString(nil, p.text))
	var took []time.Duration
	for b.Loop() {
		begin := time.Now()
		p.do(http.StatusOK, "POST", "/render", body)
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
