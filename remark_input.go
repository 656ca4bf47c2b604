package octavo

import "time"

// DecodeReview reads a review.
func DecodeReview(v Value, strict bool) (r Review, err error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("verdict")
	if f.has("verdict") {
		pick(f, "verdict", &r.Verdict, VerdictApprove, VerdictChanges, VerdictComment)
	}
	r.Text = orZero(f.prose("text"))
	f.closed(strict)
	return r, faults.Err()
}

// DecodeComment reads a new comment.
func DecodeComment(v Value, strict bool) (c Comment, err error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("text")
	if c.Text = orZero(f.prose("text")); c.Text == "" && f.has("text") {
		faults.Add("/text", "must not be empty")
	}
	c.ChangeID, c.ReplyTo = ID(orZero(f.str("changeId"))), ID(orZero(f.str("replyTo")))
	c.Quote, c.Suggestion = orZero(f.prose("quote")), f.prose("suggestion")
	c.Side = SideProposed
	if f.has("side") {
		pick(f, "side", &c.Side, SideBase, SideProposed)
	}
	if n, ok := f.get("line", KindNumber); ok {
		line, whole := n.Int()
		if !whole || line < 1 || line > 1<<31-1 {
			faults.Add("/line", "must be the number of a line, from 1")
		}
		c.Line = int(line)
	}
	for _, name := range []string{"side", "line", "quote", "suggestion"} {
		if f.has(name) && c.ChangeID == "" {
			faults.Add(Pointer("", name), "needs changeId as well")
		}
	}
	if c.ChangeID == "" {
		c.Side = ""
	}
	f.closed(strict)
	return c, faults.Err()
}

// CommentPatch is a change of a comment; nil keeps a member.
type CommentPatch struct {
	Text       *string
	Suggestion *string
	Resolved   *bool
}

// DecodeCommentPatch reads a change of a comment.
func DecodeCommentPatch(v Value, strict bool) (p CommentPatch, err error) {
	var faults Faults
	f := readObject(v, "", &faults)
	if p.Text, p.Suggestion = f.prose("text"), f.prose("suggestion"); p.Text != nil && *p.Text == "" {
		faults.Add("/text", "must not be empty")
	}
	if f.has("resolved") {
		p.Resolved = new(f.flag("resolved"))
	}
	f.closed(strict)
	if v.Kind == KindObject && p == (CommentPatch{}) && faults.Err() == nil {
		faults.Add("", "must name at least one of text, suggestion, resolved")
	}
	return p, faults.Err()
}

// DecodeReadUntil reads until when notifications are read.
func DecodeReadUntil(v Value, strict bool) (time.Time, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("readUntil")
	t, _ := f.time("readUntil")
	if t == nil && f.has("readUntil") && faults.Err() == nil {
		faults.Add("/readUntil", "must be a time")
	}
	f.closed(strict)
	return orZero(t), faults.Err()
}
