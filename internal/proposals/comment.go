package proposals

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/merge"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Comments returns at most limit comments of a proposal after one, oldest first, and
// whether more follow. Their lines are those of the present texts.
func (s *Service) Comments(ctx context.Context, a Asker, id, after octavo.ID, limit int) ([]octavo.Comment, bool, error) {
	if _, err := s.store.Get(ctx, s.db.Read(), a.viewer(), id); err != nil {
		return nil, false, err
	}
	list, more, err := s.store.Comments(ctx, id, after, limit)
	if err != nil {
		return nil, false, err
	}
	carried := map[octavo.ID]bool{}
	for i, c := range list { // only the texts of one change are in memory at a time
		if c.Line == 0 || carried[c.ChangeID] {
			continue
		}
		carried[c.ChangeID] = true
		lines, err := s.lines(ctx, a, id, c.ChangeID)
		if err != nil {
			return nil, false, err
		}
		for k := i; k < len(list); k++ {
			if list[k].ChangeID == c.ChangeID {
				carry(&list[k], lines)
			}
		}
	}
	return list, more, nil
}

// lines returns the lines of the two texts of a change, none if it is gone.
func (s *Service) lines(ctx context.Context, a Asker, id, change octavo.ID) (lines [2]numbered, err error) {
	_, before, after, err := s.texts(ctx, a, id, change)
	if err != nil && !octavo.IsType(err, octavo.NotFound) {
		return lines, err
	}
	return [2]numbered{number(before), number(after)}, nil
}

// numbered is a text whose lines can be searched.
type numbered struct {
	text   string // a line feed before each line and after the last, without other line ends
	starts []int  // of the line feeds before the lines
}

func number(text string) (n numbered) {
	var b strings.Builder
	for _, line := range merge.Lines(text) {
		n.starts = append(n.starts, b.Len())
		b.WriteString("\n" + trimEnd(line))
	}
	n.text = b.String() + "\n"
	return n
}

// line returns a line, from 1.
func (n numbered) line(i int) string {
	line, _, _ := strings.Cut(n.text[n.starts[i-1]+1:], "\n")
	return line
}

// nearest returns the line with the quote that is nearest to line, or 0. Its
// time depends on the length of the text, not on the number of matches.
func (n numbered) nearest(quote string, line int) int {
	quote = "\n" + quote + "\n"
	from := len(n.text) // matches after this position are nearer to the end
	if line <= len(n.starts) {
		from = n.starts[line-1]
	}
	at := func(offset int) int {
		i, _ := slices.BinarySearch(n.starts, offset)
		return i + 1
	}
	before := strings.LastIndex(n.text[:min(len(n.text), from+len(quote)-1)], quote)
	behind := strings.Index(n.text[from:], quote)
	switch {
	case behind < 0 && before < 0:
		return 0
	case behind < 0:
		return at(before)
	case before < 0 || distance(at(before), line) > distance(at(from+behind), line):
		return at(from + behind)
	}
	return at(before)
}

func side(c octavo.Comment, lines [2]numbered) numbered {
	if c.Side == octavo.SideBase {
		return lines[0]
	}
	return lines[1]
}

// carry sets the line of a comment to the nearest line with its quote.
func carry(c *octavo.Comment, lines [2]numbered) {
	if c.Line > 0 {
		c.Line = side(*c, lines).nearest(c.Quote, c.Line)
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

func trimEnd(line string) string { return strings.TrimRight(line, "\r\n") }

// Comment adds a comment to a proposal. By default, its quote is the line
// that it is about.
func (s *Service) Comment(ctx context.Context, cause sqldb.Cause, a Asker, id octavo.ID, in octavo.Comment, reply func(octavo.Comment) sqldb.Response) (octavo.Comment, error) {
	if in.ChangeID != "" {
		if _, err := s.Change(ctx, a, id, in.ChangeID); octavo.IsType(err, octavo.NotFound) {
			return octavo.Comment{}, octavo.Invalid("/changeId", "must be the identifier of a change of this proposal")
		} else if err != nil {
			return octavo.Comment{}, err
		}
	}
	if in.Line > 0 && in.Quote == "" {
		lines, err := s.lines(ctx, a, id, in.ChangeID)
		if err != nil {
			return octavo.Comment{}, err
		}
		text := side(in, lines)
		if in.Line > len(text.starts) {
			return octavo.Comment{}, octavo.Invalid("/line", "must be a line of the text, which has %d", len(text.starts))
		}
		in.Quote = text.line(in.Line)
	}
	return write(ctx, s, cause, reply, func(tx *sqldb.Tx) (octavo.Comment, error) {
		p, err := s.store.Lock(tx, a.viewer(), id)
		if err != nil {
			return octavo.Comment{}, err
		}
		c := in
		c.Author = tx.Cause().Actor
		if c.ReplyTo != "" {
			to, err := s.store.Comment(tx.Context(), tx.Conn(), id, c.ReplyTo)
			if octavo.IsType(err, octavo.NotFound) {
				return octavo.Comment{}, octavo.Invalid("/replyTo", "must be the identifier of a comment of this proposal")
			}
			if err != nil {
				return octavo.Comment{}, err
			}
			if to.ReplyTo != "" {
				c.ReplyTo = to.ReplyTo // a thread has one level
			}
		}
		if err := s.store.AddComment(tx, p, &c); err != nil {
			return octavo.Comment{}, err
		}
		if p.Status != octavo.ProposalDraft {
			if err := s.store.RecordAbout(tx, octavo.CommentCreated, p, c.ID); err != nil {
				return octavo.Comment{}, err
			}
		}
		return c, s.tellOf(tx, p, c)
	})
}

// mention matches a person mentioned in a comment or a review.
var mention = regexp.MustCompile(`@(usr_[0-9a-z]{26})\b`)

// mentioned returns the first people that a text mentions.
func mentioned(text string) (users []string) {
	for _, found := range mention.FindAllStringSubmatch(text, octavo.MaxReviewers) {
		users = append(users, found[1])
	}
	return users
}

// tellOf notifies people of a comment, each once: those it mentions, those
// in its thread, and the author of the proposal.
func (s *Service) tellOf(tx *sqldb.Tx, p *proposalstore.Row, c octavo.Comment) error {
	if p.Status == octavo.ProposalDraft {
		return nil // nobody else sees it
	}
	told := map[string]bool{}
	tell := func(user string, kind octavo.NotificationKind) error {
		if told[user] {
			return nil
		}
		told[user] = true
		return s.store.Notify(tx, user, kind, p.ID, c.ID)
	}
	for _, user := range mentioned(c.Text) {
		if err := tell(user, octavo.NoteMention); err != nil {
			return err
		}
	}
	if c.ReplyTo != "" {
		talkers, err := s.store.Talkers(tx, p.ID, c.ReplyTo)
		if err != nil {
			return err
		}
		for _, user := range talkers {
			if err := tell(user, octavo.NoteReply); err != nil {
				return err
			}
		}
	}
	return tell(p.Author.ID, octavo.NoteComment)
}

// PatchComment changes a comment. Its author edits the text; the author of
// the proposal and askers with pages:write resolve it.
func (s *Service) PatchComment(ctx context.Context, cause sqldb.Cause, a Asker, id, comment octavo.ID, in octavo.CommentPatch) (octavo.Comment, error) {
	return write(ctx, s, cause, nil, func(tx *sqldb.Tx) (octavo.Comment, error) {
		p, err := s.store.Lock(tx, a.viewer(), id)
		if err != nil {
			return octavo.Comment{}, err
		}
		c, err := s.store.Comment(tx.Context(), tx.Conn(), id, comment)
		if err != nil {
			return octavo.Comment{}, err
		}
		mine := c.Author.ID == tx.Cause().Actor.ID
		if (in.Text != nil || in.Suggestion != nil) && (!mine || c.Removed) {
			return octavo.Comment{}, octavo.Errorf(octavo.Forbidden, "Only its author can change the text of a comment.")
		}
		if in.Resolved != nil && !a.Write && !a.wrote(p) {
			return octavo.Comment{}, octavo.Errorf(octavo.Forbidden, "Only the author of the proposal and credentials with pages:write can resolve comments.")
		}
		if in.Text != nil {
			c.Text = *in.Text
		}
		if in.Suggestion != nil {
			c.Suggestion = in.Suggestion
		}
		if in.Resolved != nil {
			c.Resolved = *in.Resolved
		}
		return c, s.store.SaveComment(tx, &c)
	})
}

// DeleteComment removes a comment. Its author and admins may.
func (s *Service) DeleteComment(ctx context.Context, cause sqldb.Cause, a Asker, id, comment octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if _, err := s.store.Lock(tx, a.viewer(), id); err != nil {
			return err
		}
		c, err := s.store.Comment(tx.Context(), tx.Conn(), id, comment)
		if err != nil {
			return err
		}
		if c.Author.ID != tx.Cause().Actor.ID && !a.Admin {
			return octavo.Errorf(octavo.Forbidden, "Only its author and admins can delete a comment.")
		}
		return s.store.DeleteComment(tx, c)
	})
}
