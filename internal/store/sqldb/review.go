package sqldb

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo"
)

// ReviewSetting is the setting that says what changes of published pages need: a JSON
// object, "" where they need nothing.
const ReviewSetting = "review"

// Review says whether a change of published pages was reviewed.
type Review uint8

// The reviews of a change. NotReviewed is for whatever is no merge.
const (
	NotReviewed      Review = iota
	Reviewed                // a merge with the approvals that it needs, or the schedule
	ReviewOverridden        // an admin does without; it is written to the audit log
)

// NeedsReview refuses a change of what is published where the site asks for approvals and
// there are none (decision 74). subject is the page or the asset.
func (tx *Tx) NeedsReview(subject octavo.ID) error {
	asked, err := tx.ReviewAsked()
	switch {
	case err != nil || !asked:
		return err
	case tx.cause.Review == NotReviewed:
		return octavo.Errorf(octavo.ReviewRequired, "Changes of published pages need an approved proposal here. Make a proposal, or as an admin send Prefer: override-review.")
	}
	tx.cause.Review = Reviewed // one entry is enough
	return tx.Audit(octavo.AuditEntry{Action: octavo.ReviewOverridden, Subject: string(subject)})
}

// ReviewAsked reports whether changes of what is published have to be approved, and this
// one is not.
func (tx *Tx) ReviewAsked() (bool, error) {
	if tx.cause.Review == Reviewed {
		return false, nil
	}
	want, err := tx.SiteReview()
	return want.Approvals > 0, err
}

// SiteReview returns what the site asks for before published pages change.
func (tx *Tx) SiteReview() (want octavo.SiteReview, err error) {
	if tx.review != nil {
		return *tx.review, nil
	}
	var text string
	if _, err := tx.Row([]any{&text}, `SELECT value FROM settings WHERE name = $1`, ReviewSetting); err != nil {
		return want, fmt.Errorf("read what changes need: %w", err)
	}
	if err := json.Unmarshal([]byte(cmp.Or(text, "{}")), &want); err != nil {
		return want, fmt.Errorf("read what changes need: %w", err)
	}
	tx.review = &want
	return want, nil
}
