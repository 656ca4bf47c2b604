package octavo

import (
	"encoding/json"
	"time"
)

// Presence is a person who is looking at a page or a proposal (decision 80).
type Presence struct {
	Person     Actor
	PageID     ID // one of the two
	ProposalID ID
	Since      time.Time
}

// AppendJSON appends the presence as the API writes it.
func (p Presence) AppendJSON(dst []byte) []byte {
	person, _ := json.Marshal(p.Person) //nolint:errchkjson // two strings
	dst = append(append(dst, `{"person":`...), person...)
	if p.PageID != "" {
		dst = AppendString(append(dst, `,"pageId":`...), string(p.PageID))
	} else {
		dst = AppendString(append(dst, `,"proposalId":`...), string(p.ProposalID))
	}
	return append(AppendTime(append(dst, `,"since":`...), p.Since), '}')
}

// DecodePresence reads the page or proposal that a person is looking at.
func DecodePresence(v Value, strict bool) (ID, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	page, proposal := f.pageID("pageId"), ID(orZero(f.str("proposalId")))
	switch {
	case (page == "") == (proposal == ""):
		faults.Add("", "must name either pageId or proposalId")
	case proposal != "" && !proposal.Is(PrefixProposal):
		faults.Add("/proposalId", "must be the identifier of a proposal")
	case page != "" && page.Is(PrefixProposal):
		faults.Add("/pageId", "must be the identifier of a page")
	}
	f.closed(strict)
	return page + proposal, faults.Err()
}
