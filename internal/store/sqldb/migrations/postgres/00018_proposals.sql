-- +goose Up
-- Changes of pages that are shown and discussed before they are made.
CREATE TABLE proposals (
  id             TEXT COLLATE "C" PRIMARY KEY,
  title          TEXT COLLATE "C" NOT NULL,
  description    TEXT COLLATE "C" NOT NULL,
  status         TEXT COLLATE "C" NOT NULL, -- draft, open, merged or closed
  origin         TEXT COLLATE "C" NOT NULL,
  author_id      TEXT COLLATE "C" NOT NULL,
  author_name    TEXT COLLATE "C" NOT NULL,
  published_only BOOLEAN NOT NULL, -- its author sees published pages only
  version        BIGINT NOT NULL,
  content        BIGINT NOT NULL, -- rises with the changes; reviews are of one of them
  size           BIGINT NOT NULL, -- bytes of text of its changes
  created_at     BIGINT NOT NULL,
  updated_at     BIGINT NOT NULL,
  merged_at      BIGINT,
  merged_id      TEXT COLLATE "C" NOT NULL DEFAULT '',
  merged_name    TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX proposals_author ON proposals (author_id, status);
CREATE INDEX proposals_status ON proposals (status, id);

CREATE TABLE proposal_reviewers (
  proposal_id TEXT COLLATE "C" NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  user_id     TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (proposal_id, user_id)
);
CREATE INDEX proposal_reviewers_user ON proposal_reviewers (user_id);

CREATE TABLE proposal_changes (
  id          TEXT COLLATE "C" PRIMARY KEY,
  proposal_id TEXT COLLATE "C" NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  page_id     TEXT COLLATE "C" NOT NULL, -- '' for a page that is created
  members     TEXT COLLATE "C" NOT NULL, -- JSON: what changes, but for the text
  base        TEXT COLLATE "C" NOT NULL, -- JSON: the page as it stood; '' for a page that is created
  authors     TEXT COLLATE "C" NOT NULL, -- JSON: who made and edited it
  version     BIGINT NOT NULL,
  size        BIGINT NOT NULL,
  content     BYTEA,
  frontmatter BYTEA,
  raw_front   BYTEA
);
CREATE INDEX proposal_changes_proposal ON proposal_changes (proposal_id, id);
CREATE UNIQUE INDEX proposal_changes_page ON proposal_changes (page_id, proposal_id) WHERE page_id <> '';

CREATE TABLE proposal_reviews (
  id          TEXT COLLATE "C" PRIMARY KEY,
  proposal_id TEXT COLLATE "C" NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  verdict     TEXT COLLATE "C" NOT NULL, -- approve, request-changes or comment
  said        TEXT COLLATE "C" NOT NULL,
  author_id   TEXT COLLATE "C" NOT NULL,
  author_name TEXT COLLATE "C" NOT NULL,
  content     BIGINT NOT NULL, -- of the proposal
  personal    BOOLEAN NOT NULL, -- given by a person who signed in here
  dismissed   BOOLEAN NOT NULL DEFAULT FALSE,
  created_at  BIGINT NOT NULL
);
CREATE INDEX proposal_reviews_proposal ON proposal_reviews (proposal_id, id);

CREATE TABLE proposal_comments (
  id          TEXT COLLATE "C" PRIMARY KEY,
  proposal_id TEXT COLLATE "C" NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  change_id   TEXT COLLATE "C" NOT NULL, -- '' for one on the proposal
  reply_to    TEXT COLLATE "C" NOT NULL, -- '' for one that begins a thread
  place       TEXT COLLATE "C" NOT NULL, -- JSON: side, line, quote and suggestion
  said        TEXT COLLATE "C" NOT NULL,
  resolved    BOOLEAN NOT NULL DEFAULT FALSE,
  removed     BOOLEAN NOT NULL DEFAULT FALSE, -- with the texts of its page
  author_id   TEXT COLLATE "C" NOT NULL,
  author_name TEXT COLLATE "C" NOT NULL,
  created_at  BIGINT NOT NULL,
  updated_at  BIGINT NOT NULL
);
CREATE INDEX proposal_comments_proposal ON proposal_comments (proposal_id, id);
CREATE INDEX proposal_comments_author ON proposal_comments (author_id);

-- What people are told of proposals.
CREATE TABLE notifications (
  id          TEXT COLLATE "C" PRIMARY KEY,
  user_id     TEXT COLLATE "C" NOT NULL,
  kind        TEXT COLLATE "C" NOT NULL,
  proposal_id TEXT COLLATE "C" NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  comment_id  TEXT COLLATE "C" NOT NULL,
  actor_id    TEXT COLLATE "C" NOT NULL,
  actor_name  TEXT COLLATE "C" NOT NULL,
  created_at  BIGINT NOT NULL,
  mailed      BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX notifications_user ON notifications (user_id, id);
CREATE INDEX notifications_mail ON notifications (created_at) WHERE NOT mailed;
CREATE INDEX notifications_proposal ON notifications (proposal_id);

CREATE TABLE notifications_read (
  user_id    TEXT COLLATE "C" PRIMARY KEY,
  read_until BIGINT NOT NULL,
  mail       BOOLEAN NOT NULL -- whether they are also sent by mail
);

-- The merges that revisions are of.
CREATE TABLE revision_merges (
  page_id     TEXT COLLATE "C" NOT NULL,
  number      BIGINT NOT NULL,
  proposal_id TEXT COLLATE "C" NOT NULL,
  merged_id   TEXT COLLATE "C" NOT NULL,
  merged_name TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (page_id, number),
  FOREIGN KEY (page_id, number) REFERENCES revisions (page_id, number) ON DELETE CASCADE
);
