-- +goose Up
-- An import is its own job, as an export is. While it is to be worked on it has
-- ready_at: when it is due or, while it is leased, when the lease ends.
CREATE TABLE imports (
  id          TEXT COLLATE "C" PRIMARY KEY,
  subject     TEXT COLLATE "C" NOT NULL, -- whose it is, and who writes its pages
  actor       TEXT COLLATE "C" NOT NULL, -- their name
  scopes      BIGINT NOT NULL, -- of the credential that it was asked with
  overridden  BOOLEAN NOT NULL, -- does without the approvals that the site asks for
  request     TEXT COLLATE "C" NOT NULL, -- a JSON object
  name        TEXT COLLATE "C" NOT NULL, -- of the file
  status      TEXT COLLATE "C" NOT NULL, -- queued, running, ready, failed or cancelled
  cancelled   BOOLEAN NOT NULL, -- it is to stop
  done        BIGINT NOT NULL,
  total       BIGINT NOT NULL,
  attempt     BIGINT NOT NULL,
  ready_at    BIGINT,
  lease       BIGINT NOT NULL, -- 0 for none
  blob        TEXT COLLATE "C" NOT NULL, -- under which the file lies; '' once it is not needed
  size        BIGINT NOT NULL,
  sha256      TEXT COLLATE "C" NOT NULL,
  report      TEXT COLLATE "C" NOT NULL, -- a JSON object or ''
  problem     TEXT COLLATE "C" NOT NULL, -- why it failed: a JSON object or ''
  trace_id    TEXT COLLATE "C" NOT NULL,
  traceparent TEXT COLLATE "C" NOT NULL,
  created_at  BIGINT NOT NULL,
  ended_at    BIGINT
);

CREATE INDEX imports_due ON imports (ready_at, id) WHERE ready_at IS NOT NULL;
CREATE INDEX imports_subject ON imports (subject, id);
CREATE INDEX imports_blob ON imports (blob) WHERE blob <> '';
CREATE INDEX imports_ended ON imports (ended_at) WHERE ended_at IS NOT NULL;

-- What an import that has not ended has written, so that its report tells of it
-- whatever becomes of the process.
CREATE TABLE import_written (
  import_id TEXT COLLATE "C" NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  id        TEXT COLLATE "C" NOT NULL, -- of a page or an asset
  path      TEXT COLLATE "C" NOT NULL, -- of its file
  action    TEXT COLLATE "C" NOT NULL, -- created, updated or deleted
  PRIMARY KEY (import_id, id)
);

-- The report of an import that has ended.
CREATE TABLE import_lines (
  import_id TEXT COLLATE "C" NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  number    BIGINT NOT NULL,
  content   TEXT COLLATE "C" NOT NULL, -- a JSON object
  PRIMARY KEY (import_id, number)
);
