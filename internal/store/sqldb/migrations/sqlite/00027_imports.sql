-- +goose Up
-- An import is its own job, as an export is. While it is to be worked on it has
-- ready_at: when it is due or, while it is leased, when the lease ends.
CREATE TABLE imports (
  id          TEXT PRIMARY KEY,
  subject     TEXT NOT NULL, -- whose it is, and who writes its pages
  actor       TEXT NOT NULL, -- their name
  scopes      INTEGER NOT NULL, -- of the credential that it was asked with
  overridden  INTEGER NOT NULL, -- does without the approvals that the site asks for
  request     TEXT NOT NULL, -- a JSON object
  name        TEXT NOT NULL, -- of the file
  status      TEXT NOT NULL, -- queued, running, ready, failed or cancelled
  cancelled   INTEGER NOT NULL, -- it is to stop
  done        INTEGER NOT NULL,
  total       INTEGER NOT NULL,
  attempt     INTEGER NOT NULL,
  ready_at    INTEGER,
  lease       INTEGER NOT NULL, -- 0 for none
  blob        TEXT NOT NULL, -- under which the file lies; '' once it is not needed
  size        INTEGER NOT NULL,
  sha256      TEXT NOT NULL,
  report      TEXT NOT NULL, -- a JSON object or ''
  problem     TEXT NOT NULL, -- why it failed: a JSON object or ''
  trace_id    TEXT NOT NULL,
  traceparent TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  ended_at    INTEGER
) STRICT;

CREATE INDEX imports_due ON imports (ready_at, id) WHERE ready_at IS NOT NULL;
CREATE INDEX imports_subject ON imports (subject, id);
CREATE INDEX imports_blob ON imports (blob) WHERE blob <> '';
CREATE INDEX imports_ended ON imports (ended_at) WHERE ended_at IS NOT NULL;

-- What an import that has not ended has written, so that its report tells of it
-- whatever becomes of the process.
CREATE TABLE import_written (
  import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  id        TEXT NOT NULL, -- of a page or an asset
  path      TEXT NOT NULL, -- of its file
  action    TEXT NOT NULL, -- created, updated or deleted
  PRIMARY KEY (import_id, id)
) STRICT, WITHOUT ROWID;

-- The report of an import that has ended.
CREATE TABLE import_lines (
  import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  number    INTEGER NOT NULL,
  content   TEXT NOT NULL, -- a JSON object
  PRIMARY KEY (import_id, number)
) STRICT, WITHOUT ROWID;
