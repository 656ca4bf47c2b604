package sqldb

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo"
)

// ReviewSetting is the setting with the review rules for published pages: a
// JSON object, or "" if there are none.
const ReviewSetting = "review"

// Review says whether a change of published pages was reviewed.
type Review uint8

// The reviews of a change. NotReviewed is for changes that are not merges.
const (
	NotReviewed      Review = iota
	Reviewed                // a merge with the required approvals, or the schedule
	ReviewOverridden        // an administrator bypasses the rules; the audit log records it
)

// NeedsReview refuses a change of published content that lacks required
// approvals (decision 74). subject is the page or the asset.
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

// ReviewAsked reports whether the site requires approvals that this change
// does not have.
func (tx *Tx) ReviewAsked() (bool, error) {
	if tx.cause.Review == Reviewed {
		return false, nil
	}
	want, err := tx.SiteReview()
	return want.Approvals > 0, err
}

// SiteReview returns the site's requirements for changes of published pages.
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
