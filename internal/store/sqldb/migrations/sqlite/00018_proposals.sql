-- +goose Up
-- Changes of pages that are shown and discussed before they are made.
CREATE TABLE proposals (
  id             TEXT PRIMARY KEY,
  title          TEXT NOT NULL,
  description    TEXT NOT NULL,
  status         TEXT NOT NULL, -- draft, open, merged or closed
  origin         TEXT NOT NULL,
  author_id      TEXT NOT NULL,
  author_name    TEXT NOT NULL,
  published_only INTEGER NOT NULL, -- its author sees published pages only
  version        INTEGER NOT NULL,
  content        INTEGER NOT NULL, -- rises with the changes; reviews are of one of them
  size           INTEGER NOT NULL, -- bytes of text of its changes
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  merged_at      INTEGER,
  merged_id      TEXT NOT NULL DEFAULT '',
  merged_name    TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX proposals_author ON proposals (author_id, status);
CREATE INDEX proposals_status ON proposals (status, id);

CREATE TABLE proposal_reviewers (
  proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  user_id     TEXT NOT NULL,
  PRIMARY KEY (proposal_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_reviewers_user ON proposal_reviewers (user_id);

CREATE TABLE proposal_changes (
  id          TEXT PRIMARY KEY,
  proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  page_id     TEXT NOT NULL, -- '' for a page that is created
  members     TEXT NOT NULL, -- JSON: what changes, but for the text
  base        TEXT NOT NULL, -- JSON: the page as it stood; '' for a page that is created
  authors     TEXT NOT NULL, -- JSON: who made and edited it
  version     INTEGER NOT NULL,
  size        INTEGER NOT NULL,
  content     BLOB,
  frontmatter BLOB,
  raw_front   BLOB
) STRICT;
CREATE INDEX proposal_changes_proposal ON proposal_changes (proposal_id, id);
CREATE UNIQUE INDEX proposal_changes_page ON proposal_changes (page_id, proposal_id) WHERE page_id <> '';

CREATE TABLE proposal_reviews (
  id          TEXT PRIMARY KEY,
  proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  verdict     TEXT NOT NULL, -- approve, request-changes or comment
  said        TEXT NOT NULL,
  author_id   TEXT NOT NULL,
  author_name TEXT NOT NULL,
  content     INTEGER NOT NULL, -- of the proposal
  personal    INTEGER NOT NULL, -- given by a person who signed in here
  dismissed   INTEGER NOT NULL DEFAULT 0,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_reviews_proposal ON proposal_reviews (proposal_id, id);

CREATE TABLE proposal_comments (
  id          TEXT PRIMARY KEY,
  proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  change_id   TEXT NOT NULL, -- '' for one on the proposal
  reply_to    TEXT NOT NULL, -- '' for one that begins a thread
  place       TEXT NOT NULL, -- JSON: side, line, quote and suggestion
  said        TEXT NOT NULL,
  resolved    INTEGER NOT NULL DEFAULT 0,
  removed     INTEGER NOT NULL DEFAULT 0, -- with the texts of its page
  author_id   TEXT NOT NULL,
  author_name TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_comments_proposal ON proposal_comments (proposal_id, id);
CREATE INDEX proposal_comments_author ON proposal_comments (author_id);

-- What people are told of proposals.
CREATE TABLE notifications (
  id          TEXT PRIMARY KEY,
  user_id     TEXT NOT NULL,
  kind        TEXT NOT NULL,
  proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  comment_id  TEXT NOT NULL,
  actor_id    TEXT NOT NULL,
  actor_name  TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  mailed      INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX notifications_user ON notifications (user_id, id);
CREATE INDEX notifications_mail ON notifications (created_at) WHERE NOT mailed;
CREATE INDEX notifications_proposal ON notifications (proposal_id);

CREATE TABLE notifications_read (
  user_id    TEXT PRIMARY KEY,
  read_until INTEGER NOT NULL,
  mail       INTEGER NOT NULL -- whether they are also sent by mail
) STRICT, WITHOUT ROWID;

-- The merges that revisions are of.
CREATE TABLE revision_merges (
  page_id     TEXT NOT NULL,
  number      INTEGER NOT NULL,
  proposal_id TEXT NOT NULL,
  merged_id   TEXT NOT NULL,
  merged_name TEXT NOT NULL,
  PRIMARY KEY (page_id, number),
  FOREIGN KEY (page_id, number) REFERENCES revisions (page_id, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
