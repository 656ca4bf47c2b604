package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// proposal is a proposal as its writer knows it. Until it is merged the writer does not
// change its pages.
type proposal struct {
	id      octavo.ID // "" until the answer to its creation
	title   string
	effects []effect // of its merge
	proposed

	merged   *operation // that merged it
	answer   []byte     // to that
	pages    []octavo.MergedPage
	verified bool // since it was merged
}

// proposed is the state of a proposal at one version.
type proposed struct {
	status  octavo.ProposalStatus
	version int64
	changes int
}

// discuss sometimes draws an operation on the writer's proposal.
func (w *writer) discuss(live []*page) *operation {
	switch n := w.rng.IntN(100); {
	case w.open == nil && n < 12 && len(live) >= 6:
		return w.propose(live)
	case w.open != nil && n < 8:
		return w.extend(w.open)
	case w.open != nil && n < 25:
		return w.merge(w.open)
	}
	return nil
}

// busy reports whether a page waits for a merge.
func (w *writer) busy(p *page) bool {
	if w.open == nil {
		return false
	}
	for _, e := range w.open.effects {
		if e.page == p {
			return true
		}
	}
	return false
}

// propose makes a proposal that changes two pages, creates one and deletes one.
func (w *writer) propose(live []*page) *operation {
	p := &proposal{title: "Proposal " + w.fresh()}
	order := w.rng.Perm(len(live))
	var changes []object
	for _, i := range order[:2] {
		s, change := w.changed(live[i])
		change["op"], change["pageId"] = "update", live[i].id
		changes, p.effects = append(changes, change), append(p.effects, effect{live[i], s})
	}
	gone := live[order[2]]
	changes, p.effects = append(changes, object{"op": "delete", "pageId": gone.id}), append(p.effects, effect{gone, gone.removed()})
	create, e := w.proposedPage()
	changes, p.effects = append(changes, create), append(p.effects, e)
	return &operation{
		call: call{method: http.MethodPost, path: "/proposals", body: object{"title": p.title, "changes": changes}, key: "key-" + w.fresh()},
		want: http.StatusCreated, proposal: p, then: proposed{octavo.ProposalOpen, 1, len(changes)},
	}
}

func (w *writer) proposedPage() (object, effect) {
	s := w.newState()
	change := s.body()
	change["op"] = "create"
	return change, effect{&page{}, s}
}

// extend adds a change to a proposal.
func (w *writer) extend(p *proposal) *operation {
	change, e := w.proposedPage()
	return &operation{
		call: call{method: http.MethodPost, path: "/proposals/" + string(p.id) + "/changes", body: change, key: "key-" + w.fresh()},
		want: http.StatusCreated, proposal: p, then: proposed{p.status, p.version + 1, p.changes + 1}, adds: []effect{e},
	}
}

// merge merges a proposal.
func (w *writer) merge(p *proposal) *operation {
	match := "*"
	if w.rng.IntN(2) == 0 {
		match = tag(p.id, p.version)
	}
	return &operation{
		call: call{method: http.MethodPost, path: "/proposals/" + string(p.id) + "/merge", body: object{}, key: "key-" + w.fresh(), match: match},
		want: http.StatusOK, effects: p.effects, proposal: p, then: proposed{octavo.ProposalMerged, p.version + 1, p.changes},
	}
}

// answered has the common members of the responses to these operations.
type answered struct {
	ID       octavo.ID
	Title    string
	Status   octavo.ProposalStatus
	Version  int64
	Changes  []json.RawMessage
	Proposal *answered // of a merge
	Pages    []octavo.MergedPage
}

func (a answered) state() proposed { return proposed{a.Status, a.Version, len(a.Changes)} }

// acceptProposal is accept for an operation on a proposal.
func (w *writer) acceptProposal(op *operation, a answer) error {
	var have answered
	if err := json.Unmarshal(a.body, &have); err != nil {
		return fmt.Errorf("read %s: %w", a, err)
	}
	p := op.proposal
	switch {
	case op.then.status == octavo.ProposalMerged:
		if have.Proposal == nil || have.Proposal.state() != op.then || len(have.Pages) != len(op.effects) {
			return fmt.Errorf("have %s, want a proposal that is %+v and %d pages", a, op.then, len(op.effects))
		}
		for i, e := range op.effects {
			if e.page.id != "" && e.page.id != have.Pages[i].ID {
				return fmt.Errorf("have %s, want page %s as number %d", a, e.page.id, i)
			}
			e.page.id = have.Pages[i].ID
			w.take(e)
		}
		p.merged, p.answer, p.pages, w.open = op, a.body, have.Pages, nil
		w.figures.merged.Add(1)
	case p.id == "":
		if have.state() != op.then {
			return fmt.Errorf("have %s, want a proposal that is %+v", a, op.then)
		}
		p.id = have.ID
		w.proposals, w.open = append(w.proposals, p), p
	}
	p.proposed, p.effects = op.then, append(p.effects, op.adds...)
	return nil
}

// readProposal reads a proposal; the zero value if it does not exist.
func (w *writer) readProposal(ctx context.Context, p *proposal) (have proposed, err error) {
	all, err := allProposals(ctx, w.api)
	for id, a := range all {
		if id == p.id || p.id == "" && a.Title == p.title {
			have = a.state()
		}
	}
	return have, err
}

// allProposals lists all proposals.
func allProposals(ctx context.Context, a *api) (map[octavo.ID]answered, error) {
	all := map[octavo.ID]answered{}
	for cursor := ""; ; {
		var list struct {
			Data       []answered
			Pagination struct {
				Cursor  string
				HasMore bool
			}
		}
		res, err := persist(ctx, a, call{method: http.MethodGet, path: "/proposals?limit=100" + cursor})
		if err == nil {
			err = json.Unmarshal(res.body, &list)
		}
		if err != nil || res.status != http.StatusOK {
			return nil, fmt.Errorf("list proposals: %s, %w", res, err)
		}
		for _, p := range list.Data {
			all[p.ID] = p
		}
		if !list.Pagination.HasMore {
			return all, nil
		}
		cursor = "&cursor=" + url.QueryEscape(list.Pagination.Cursor)
	}
}

// verifyProposals compares the proposals with the writers' knowledge: each merge caused
// one event, the pages name it, and a repeated merge gets the same response.
func verifyProposals(ctx context.Context, f *figures, writers []*writer) {
	a := writers[0].api
	stored, err := allProposals(ctx, a)
	if err != nil {
		f.errorf("%v", err)
		return
	}
	merged := map[octavo.ID]int{}
	for _, w := range writers {
		for _, p := range w.proposals {
			have, there := stored[p.id]
			delete(stored, p.id)
			if !there || have.state() != p.proposed {
				f.lost.Add(1)
				f.errorf("proposal %s is listed (%t) as %+v, want %+v", p.id, there, have.state(), p.proposed)
			}
			if p.status != octavo.ProposalMerged {
				continue
			}
			merged[p.id]++
			if !p.verified {
				w.verifyMerge(ctx, p)
				p.verified = true
			}
		}
	}
	for id := range stored {
		f.doubled.Add(1)
		f.errorf("proposal %s is there and nobody made it", id)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second) // the log gives positions a moment after a commit
	defer cancel()
	err = retry(ctx, func() error {
		told := map[octavo.ID]int{}
		for _, e := range readFeed(f.t, a, string(octavo.ProposalWasMerged)) {
			told[subject(f.t, e)]++
		}
		for id, n := range merged {
			if told[id] < n {
				return errNotYet(fmt.Sprintf("the feed does not tell that proposal %s was merged", id))
			}
			told[id] -= n
		}
		for id, n := range told {
			if n > 0 {
				f.doubled.Add(1)
				f.errorf("the feed tells %d times more that proposal %s was merged", n, id)
			}
		}
		return nil
	})
	if err != nil {
		f.lost.Add(1)
		f.errorf("%v", err)
	}
}

// verifyMerge checks one merge.
func (w *writer) verifyMerge(ctx context.Context, p *proposal) {
	again, err := w.persist(ctx, p.merged.call)
	if err != nil || string(again.body) != string(p.answer) || again.header.Get("Idempotency-Replayed") != "true" {
		w.figures.doubled.Add(1)
		w.figures.errorf("%s again: have %s, %v, want %.300s", p.merged, again, err, p.answer)
	}
	for i, e := range p.effects {
		if e.after.deleted || e.page.deleted { // a deletion makes no revision
			continue
		}
		res, err := w.persist(ctx, call{method: http.MethodGet, path: fmt.Sprintf("/pages/%s/revisions/%d", e.page.id, p.pages[i].Revision)})
		var rev octavo.Revision
		if err == nil {
			err = json.Unmarshal(res.body, &rev)
		}
		if err != nil || rev.ProposalID != p.id || rev.MergedBy == nil {
			w.figures.lost.Add(1)
			w.figures.errorf("%s: revision %d of page %s is %s, %v, want one of proposal %s", p.merged, p.pages[i].Revision, e.page.id, res, err, p.id)
		}
	}
}

// Comparing texts with very many lines stays within its share of memory.
func TestLargeDiffsAtOnce(t *testing.T) {
	t.Parallel()
	const clients, lines = 16, 300_000
	s, a, _ := bounded(t)
	made, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages", body: object{"title": "Large", "slug": "large", "content": strings.Repeat("a\n", lines)}})
	if err != nil {
		t.Fatal(err)
	}
	page, err := made.page()
	if err != nil {
		t.Fatal(err)
	}
	made, err = a.do(t.Context(), call{method: http.MethodPost, path: "/proposals", body: object{
		"title": "Large", "changes": []object{{"op": "update", "pageId": page.ID, "content": strings.Repeat("b\n", lines)}},
	}})
	var p struct {
		ID      octavo.ID
		Changes []struct{ ID octavo.ID }
	}
	if err == nil {
		err = json.Unmarshal(made.body, &p)
	}
	if err != nil || len(p.Changes) != 1 {
		t.Fatalf("have %s, %v", made, err)
	}
	var mu sync.Mutex
	statuses := map[int]int{}
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			res, err := a.do(t.Context(), call{method: http.MethodGet, path: fmt.Sprintf("/proposals/%s/changes/%s/diff", p.ID, p.Changes[0].ID)})
			if err != nil || res.status != http.StatusOK && (res.status != http.StatusServiceUnavailable || res.header.Get("Retry-After") == "") {
				t.Errorf("have %s, %v, want 200, or 503 with Retry-After", res, err)
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[res.status]++
		})
	}
	group.Wait()
	if statuses[http.StatusOK] == 0 {
		t.Errorf("have the statuses %v, want some of 200", statuses)
	}
	s.staysBounded(t)
	t.Logf("statuses %v", statuses)
}
