package client_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

func TestProposalRequests(t *testing.T) {
	title, text := "T", "x\n"
	change := octavo.PageChange{Op: octavo.ChangeUpdate, PageID: "page_1", BaseRevision: 3, Base: &octavo.ChangeBase{Revision: 2}, Content: &text}
	const sent = `{"baseRevision":3,"op":"update","pageId":"page_1","content":"x\n"}`
	for _, test := range []struct {
		call func(*client.Client) error
		want string // method, address, If-Match, body
	}{
		{func(c *client.Client) error {
			for p, err := range c.Proposals(t.Context(), client.ProposalQuery{Status: octavo.ProposalOpen, Author: "a&b", Page: "page_1"}) {
				if err != nil || p.ID != "prop_1" {
					return fmt.Errorf("have %+v, %w", p, err)
				}
			}
			return nil
		}, "GET /v1/proposals?author=a%26b&pageId=page_1&status=open  "},
		{func(c *client.Client) error {
			p, err := c.Proposal(t.Context(), "prop_1")
			if one := p.Changes[0]; p.ETag != `"p.1"` || p.Version != 4 || one.PageID != "page_1" || *one.ParentID != "" || one.Position.Value != nil || one.Base.Revision != 2 {
				return fmt.Errorf("have %+v, %w", p, err)
			}
			return err
		}, "GET /v1/proposals/prop_1  "},
		{func(c *client.Client) error {
			_, err := c.CreateProposal(t.Context(), octavo.ProposalPatch{Title: &title, Reviewers: &[]octavo.ID{"usr_1"}}, []octavo.PageChange{change})
			return err
		}, `POST /v1/proposals  {"title":"T","reviewers":["usr_1"],"changes":[` + sent + `]}`},
		{func(c *client.Client) error {
			_, err := c.PatchProposal(t.Context(), "prop_1", octavo.ProposalPatch{Status: new(octavo.ProposalClosed)}, client.IfMatch("*"))
			return err
		}, `PATCH /v1/proposals/prop_1 * {"status":"closed"}`},
		{func(c *client.Client) error {
			_, err := c.AddChanges(t.Context(), "prop_1", []octavo.PageChange{change})
			return err
		}, `POST /v1/proposals/prop_1/changes  [` + sent + `]`},
		{func(c *client.Client) error {
			_, err := c.PutChange(t.Context(), "prop_1", "chg_1", change, client.IfMatch(`"c.1"`))
			return err
		}, `PUT /v1/proposals/prop_1/changes/chg_1 "c.1" ` + sent},
		{func(c *client.Client) error {
			return c.RemoveChange(t.Context(), "prop_1", "chg_1", client.IfMatch("*"))
		}, "DELETE /v1/proposals/prop_1/changes/chg_1 * "},
	} {
		t.Run(test.want[:strings.Index(test.want, " ")], func(t *testing.T) {
			var have string
			c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				have = fmt.Sprint(r.Method, " ", r.RequestURI, " ", r.Header.Get("If-Match"), " ", string(body))
				w.Header().Set("ETag", `"p.1"`)
				const answer = `{"id":"prop_1","version":4,"changes":[{"id":"chg_1","op":"update","pageId":"page_1","base":{"revision":2,"parentId":null},"parentId":null,"position":null}]}`
				if strings.Contains(r.RequestURI, "/changes/") {
					fmt.Fprint(w, `{"id":"chg_1","op":"update"}`)
				} else if r.Method == http.MethodGet && strings.Contains(r.RequestURI, "?") {
					fmt.Fprint(w, `{"data":[`+answer+`],"pagination":{}}`)
				} else {
					fmt.Fprint(w, answer)
				}
			})
			if err := test.call(c); err != nil || have != test.want {
				t.Errorf("have %s, %v\nwant %s", have, err, test.want)
			}
		})
	}
}
