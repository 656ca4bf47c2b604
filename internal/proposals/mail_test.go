package proposals_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// mailRig is a rig whose time stands still, and what it mails.
type mailRig struct {
	rig
	clock *clock
	box   *mailbox
	*proposals.Notifier
	again func() *store.Store // the store as another process has it
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// mailbox keeps what is sent, unless it fails.
type mailbox struct {
	mu   sync.Mutex
	sent []mail.Message
	fail func(context.Context) error // nil fails nothing
	took int
}

func (m *mailbox) Send(ctx context.Context, message mail.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.took++
	if m.fail != nil {
		if err := m.fail(ctx); err != nil {
			return err
		}
	}
	m.sent = append(m.sent, message)
	return nil
}

func mailOnBoth(t *testing.T, test func(r mailRig)) {
	t.Helper()
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			c := &clock{now: time.Now().Truncate(time.Second)}
			o := octavotest.Options{Now: c.Now}
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			s := octavotest.Start(t, o)
			service := proposals.New(s.Store.DB, s.Store.Proposals, s.Store.Pages, s.Store.Assets.Pending)
			r := mailRig{rig: rig{t, t.Context(), s.Store, service}, clock: c, box: &mailbox{}}
			r.again = func() *store.Store {
				if db == "sqlite" { // one process at a time
					return s.Store
				}
				st, err := s.OpenAgain(r.ctx, store.Options{Now: c.Now})
				r.must(err)
				t.Cleanup(func() { _ = st.Close() })
				return st
			}
			r.Notifier = r.notifier(s.Store)
			test(r)
		})
	}
}

// notifier is that of a process that was just started.
func (r mailRig) notifier(st *store.Store) *proposals.Notifier {
	return &proposals.Notifier{
		Mails: st.Mails, Suggestions: st.Sites.Suggestions, Mailer: r.box, Now: r.clock.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		PublicURL: "https://docs.example", StudioURL: "https://docs.example/studio", AccountURL: "https://docs.example/account",
	}
}

// after lets time pass, and returns the receivers and subjects of what is mailed then.
func (r mailRig) after(d time.Duration) (sent []string) {
	r.Helper()
	r.clock.pass(d)
	r.box.sent = nil
	r.must(r.Round(r.ctx))
	for _, m := range r.box.sent {
		sent = append(sent, m.To+": "+m.Subject)
	}
	slices.Sort(sent)
	return sent
}

// wants lets time pass and fails the test unless this is mailed then.
func (r mailRig) wants(what string, d time.Duration, want ...string) {
	r.Helper()
	if have := r.after(d); !slices.Equal(have, want) {
		r.Errorf("%s: mailed is %q, want %q", what, have, want)
	}
}

func (r mailRig) say(a proposals.Asker, p octavo.Proposal, text string, to octavo.ID) octavo.Comment {
	r.Helper()
	c, err := r.Comment(r.ctx, sqldb.Cause{Actor: a.Actor}, a, p.ID, octavo.Comment{Text: text, ReplyTo: to}, nil)
	r.must(err)
	return c
}

// ask is a proposal that somebody makes and others are to review.
func (r mailRig) ask(a proposals.Asker, change octavo.PageChange, reviewers ...proposals.Asker) octavo.Proposal {
	r.Helper()
	ids := []octavo.ID{}
	for _, reviewer := range reviewers {
		ids = append(ids, octavo.ID(reviewer.ID))
	}
	p, err := r.Create(r.ctx, sqldb.Cause{Actor: a.Actor}, a, octavo.ProposalPatch{Title: new("Install\r\nin <one> step"), Reviewers: &ids}, []octavo.PageChange{change}, nil)
	r.must(err)
	return p
}

const title = "“Install in <one> step”"

// TestMailGathers: a person gets one mail in ten minutes, with a line for each thing
// that happened and no text of it.
func TestMailGathers(t *testing.T) {
	t.Parallel()
	mailOnBoth(t, func(r mailRig) {
		author, editor, other := r.person("auth", octavo.RoleContributor), r.person("edit", octavo.RoleEditor), r.person("othr", octavo.RoleEditor)
		page := r.page("p", "one\n")
		p := r.ask(author, edit(page.ID, "the secret text\n"), editor)
		r.wants("at once, when it may still be read", 0)
		r.wants("a minute later", time.Minute, "edit@example.com: auth asks you to review "+title)
		m := r.box.sent[0]
		for _, want := range []string{"Hello edit,\n", "(" + string(p.ID) + ")\n", "https://docs.example/studio/proposals/" + string(p.ID), "10 minutes", "https://docs.example/account\n"} {
			if !strings.Contains(m.Text, want) {
				t.Errorf("the mail does not say %q:\n%s", want, m.Text)
			}
		}
		r.wants("the same again", time.Hour)

		c := r.say(editor, p, "a hidden remark", "")
		r.wants("a comment", time.Minute, "auth@example.com: edit commented on your proposal "+title)
		r.clock.pass(time.Minute)
		r.say(author, p, "a hidden reply", c.ID)
		r.say(other, p, "a hidden question for @"+author.ID+" and @"+editor.ID, "")
		for _, v := range []octavo.Verdict{octavo.VerdictChanges, octavo.VerdictComment, octavo.VerdictApprove} {
			_, err := r.Review(r.ctx, sqldb.Cause{Actor: editor.Actor}, editor, p.ID, octavo.Review{Verdict: v, Text: "hidden, @" + other.ID}, nil, nil)
			r.must(err)
			r.clock.pass(time.Second)
		}
		r.write(func(tx *sqldb.Tx) error {
			_, err := r.st.Pages.Update(tx, page.ID, pagestore.Change{Content: new("two\n")}, nil)
			return err
		})
		for range 3 {
			if _, err := r.Merge(r.ctx, sqldb.Cause{Actor: editor.Actor}, editor, p.ID, nil, nil); !octavo.IsType(err, octavo.MergeConflicts) {
				t.Fatalf("have %v, want a conflict", err)
			}
		}
		r.wants("within ten minutes of the last mail", time.Minute,
			"edit@example.com: 2 notifications about proposals", "othr@example.com: edit mentioned you in "+title)
		r.wants("ten minutes after it", 8*time.Minute-4*time.Second)
		r.wants("ten minutes after it", time.Second, "auth@example.com: 4 notifications about proposals")
		var lines []string
		for line := range strings.Lines(r.box.sent[0].Text) {
			if strings.HasPrefix(line, "- ") {
				lines = append(lines, strings.TrimSuffix(line, " ("+string(p.ID)+")\n"))
			}
		}
		want := []string{
			"- othr mentioned you in " + title, "- edit commented on your proposal " + title, "- edit approved your proposal " + title,
			"- edit could not merge your proposal " + title + ": it conflicts with the current pages",
		}
		if !slices.Equal(lines, want) {
			t.Errorf("have %q, want %q", lines, want)
		}
		if text := r.box.sent[0].Text; strings.Contains(text, "hidden") || strings.Contains(text, "secret") {
			t.Errorf("the mail says what was written:\n%s", text)
		}

		_, err := r.Merge(r.ctx, sqldb.Cause{Actor: editor.Actor}, editor, p.ID, nil, nil)
		if !octavo.IsType(err, octavo.MergeConflicts) {
			t.Fatal(err)
		}
		r.wants("the same conflict", time.Hour)
		_, err = r.PutChange(r.ctx, sqldb.Cause{Actor: author.Actor}, author, p.ID, p.Changes[0].ID, octavo.PageChange{
			Op: octavo.ChangeUpdate, PageID: page.ID, Content: new("three\n"), BaseRevision: r.get(page.ID).Revision,
		}, nil)
		r.must(err)
		r.review(editor, p, octavo.VerdictApprove)
		r.wants("a second approval", time.Hour, "auth@example.com: edit approved your proposal "+title)
		_, err = r.Merge(r.ctx, sqldb.Cause{Actor: editor.Actor}, editor, p.ID, nil, nil)
		r.must(err)
		r.wants("a merge", time.Hour, "auth@example.com: edit merged your proposal "+title)
	})
}

// TestMailVisibility: nobody is mailed what they may not see, have read or do not
// want, not afterwards either.
func TestMailVisibility(t *testing.T) {
	t.Parallel()
	mailOnBoth(t, func(r mailRig) {
		author := r.person("auth", octavo.RoleContributor)
		users, page := r.st.Accounts.Users, r.page("p", "one\n")
		reader := func(id octavo.ID) error { return users.SetRole(r.ctx, sqldb.Cause{}, id, octavo.RoleReader) }
		suggestions := func(on bool) {
			r.settings(octavo.Object(octavo.Member{Name: "suggestions", Value: octavo.Value{Kind: octavo.KindBool, Bool: on}}))
		}
		for i, c := range []struct {
			name        string
			then, after func(id octavo.ID) error
			mailed      bool
		}{
			{"nothing", nil, nil, true},
			{"read", func(id octavo.ID) error {
				return r.st.Proposals.ReadUntil(r.ctx, sqldb.Cause{}, string(id), r.clock.Now())
			}, nil, false},
			{"read before", func(id octavo.ID) error {
				return r.st.Proposals.ReadUntil(r.ctx, sqldb.Cause{}, string(id), r.clock.Now().Add(-time.Second))
			}, nil, true},
			{
				"off", func(id octavo.ID) error { return r.st.Mails.SetWanted(r.ctx, sqldb.Cause{}, id, false) },
				func(id octavo.ID) error { return r.st.Mails.SetWanted(r.ctx, sqldb.Cause{}, id, true) }, false,
			},
			{
				"off and read", func(id octavo.ID) error {
					return errors.Join(r.st.Mails.SetWanted(r.ctx, sqldb.Cause{}, id, false), r.st.Proposals.ReadUntil(r.ctx, sqldb.Cause{}, string(id), r.clock.Now().Add(-time.Second)))
				}, nil, false,
			},
			{
				"disabled", func(id octavo.ID) error { return users.SetDisabled(r.ctx, sqldb.Cause{}, id, true) },
				func(id octavo.ID) error { return users.SetDisabled(r.ctx, sqldb.Cause{}, id, false) }, false,
			},
			{"removed", func(id octavo.ID) error {
				return users.Remove(r.ctx, sqldb.Cause{Actor: bob.Actor}, id, store.ForgetPerson)
			}, nil, false},
			{"only a reader by now", reader, nil, false},
			{"a reader, while readers propose", func(id octavo.ID) error { suggestions(true); return reader(id) }, func(octavo.ID) error { suggestions(false); return nil }, true},
			{"no role any more", func(id octavo.ID) error { return users.SetRole(r.ctx, sqldb.Cause{}, id, "guest") }, nil, false},
		} {
			who := r.person(fmt.Sprintf("pe%02d", i), octavo.RoleEditor)
			r.ask(author, edit(page.ID, "two\n"), who)
			if c.then != nil {
				r.must(c.then(octavo.ID(who.ID)))
			}
			if sent := r.after(time.Minute); (len(sent) == 1) != c.mailed || len(sent) > 1 {
				t.Errorf("%s: mailed is %q, want some: %t", c.name, sent, c.mailed)
			}
			if c.after != nil {
				r.must(c.after(octavo.ID(who.ID)))
			}
			if sent := r.after(time.Hour); len(sent) > 0 {
				t.Errorf("%s: an hour later mailed is %q, want nothing", c.name, sent)
			}
		}
		// A reader hears of what they proposed themselves.
		p := r.ask(author, edit(page.ID, "two\n"))
		r.must(reader(octavo.ID(author.ID)))
		_, err := r.merge(p)
		r.must(err)
		r.wants("a reader's own proposal", time.Minute, "auth@example.com: Bob merged your proposal "+title)
	})
}

// TestMailFails: a mail that was not sent is tried again, later and later, for a day; one
// that is refused is not.
func TestMailFails(t *testing.T) {
	t.Parallel()
	mailOnBoth(t, func(r mailRig) {
		author, editor, other := r.person("auth", octavo.RoleContributor), r.person("edit", octavo.RoleEditor), r.person("othr", octavo.RoleEditor)
		page := r.page("p", "one\n")
		down := func(context.Context) error { return errors.New("dial tcp 10.0.0.5:25: connect: connection refused") }
		r.box.fail = down
		r.ask(author, edit(page.ID, "two\n"), editor)
		tries := func(d time.Duration) (at []int) {
			for minute := range int(d / time.Minute) {
				before := r.box.took
				if sent := r.after(time.Minute); len(sent) > 0 {
					t.Fatalf("mailed is %q, want nothing", sent)
				}
				if r.box.took > before {
					at = append(at, minute+1)
				}
			}
			return at
		}
		if have, want := tries(3*time.Hour), []int{1, 11, 31, 71, 151}; !slices.Equal(have, want) {
			t.Errorf("tries after %v minutes, want %v", have, want)
		}
		r.box.fail = nil
		r.ask(author, edit(page.ID, "three\n"), editor)
		r.wants("when the server is back", 2*time.Hour, "edit@example.com: 2 notifications about proposals")
		r.wants("later", time.Hour)
		r.box.fail = down
		r.ask(author, edit(page.ID, "four\n"), other, editor)
		if have := tries(12 * time.Minute); !slices.Equal(have, []int{1, 11}) {
			t.Errorf("tries after %v minutes, want those of a first mail", have)
		}
		r.box.fail = nil
		r.wants("when the server was away for a day", 25*time.Hour)

		r.wants("later", time.Hour)
		r.box.fail = func(context.Context) error { return fmt.Errorf("no such person: %w", mail.ErrRefused) }
		r.ask(author, edit(page.ID, "five\n"), editor)
		if have := tries(2 * time.Hour); !slices.Equal(have, []int{1}) {
			t.Errorf("tries after %v minutes, want one", have)
		}
	})
}

// TestMailOfProcesses: processes that share a database send each mail once, and what one
// of them has not sent when it stops is sent by the next.
func TestMailOfProcesses(t *testing.T) {
	t.Parallel()
	mailOnBoth(t, func(r mailRig) {
		author := r.person("auth", octavo.RoleContributor)
		page := r.page("p", "one\n")
		var everybody []proposals.Asker
		var want []string
		for i := range 12 {
			who := r.person(fmt.Sprintf("pe%02d", i), octavo.RoleEditor)
			everybody = append(everybody, who)
			want = append(want, who.Name+"@example.com: auth asks you to review "+title)
		}
		r.ask(author, edit(page.ID, "two\n"), everybody...)

		r.clock.pass(time.Minute)
		ctx, stop := context.WithCancel(r.ctx)
		r.box.fail = func(ctx context.Context) error { stop(); return ctx.Err() }
		if err := r.Round(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if len(r.box.sent) > 0 || r.box.took == 0 {
			t.Fatalf("sent is %d of %d, want that the process stopped", len(r.box.sent), r.box.took)
		}
		r.box.fail = nil
		var group sync.WaitGroup
		failures := make([]error, 4)
		for i := range failures {
			n := r.notifier(r.again())
			group.Go(func() { failures[i] = n.Round(r.ctx) })
		}
		group.Wait()
		r.must(errors.Join(failures...))
		var have []string
		for _, m := range r.box.sent {
			have = append(have, m.To+": "+m.Subject)
		}
		slices.Sort(have)
		if !slices.Equal(have, want) {
			t.Errorf("mailed is %q, want %q", have, want)
		}
		r.wants("by whoever comes next", time.Hour)
	})
}
