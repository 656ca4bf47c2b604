-- +goose Up
-- An export is its own job. While it is to be worked on it has ready_at: when
-- it is due or, while it is leased, when the lease ends.
CREATE TABLE exports (
  id          TEXT PRIMARY KEY,
  subject     TEXT NOT NULL, -- whose it is
  public      INTEGER NOT NULL, -- holds nothing but what a published-only credential may see
  version     TEXT NOT NULL, -- of the API that it was asked of
  request     TEXT NOT NULL, -- a JSON object
  format      TEXT NOT NULL,
  status      TEXT NOT NULL, -- queued, processing, ready or failed
  done        INTEGER NOT NULL,
  total       INTEGER NOT NULL,
  attempt     INTEGER NOT NULL,
  ready_at    INTEGER,
  lease       INTEGER NOT NULL, -- 0 for none
  blob        TEXT NOT NULL, -- under which the result lies, or is being written; '' for none
  size        INTEGER NOT NULL,
  sha256      TEXT NOT NULL,
  warnings    TEXT NOT NULL, -- a JSON array
  problem     TEXT NOT NULL, -- why it failed: a JSON object or ''
  event_id    TEXT NOT NULL, -- of its end; '' before
  trace_id    TEXT NOT NULL,
  traceparent TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  ended_at    INTEGER,
  expires_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX exports_due ON exports (ready_at, id) WHERE ready_at IS NOT NULL;
CREATE INDEX exports_subject ON exports (subject, id);
CREATE INDEX exports_expire ON exports (expires_at) WHERE blob <> '' AND ready_at IS NULL;
CREATE INDEX exports_blob ON exports (blob) WHERE blob <> '';
CREATE INDEX exports_ended ON exports (ended_at) WHERE ended_at IS NOT NULL;

-- What an export holds, as it was when it was accepted, in parts of many pages.
CREATE TABLE export_parts (
  export_id TEXT NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
  number    INTEGER NOT NULL,
  content   BLOB NOT NULL, -- a JSON object
  PRIMARY KEY (export_id, number)
) STRICT;

-- Who is told of the end. A message has ready_at from then on until it was
-- sent; webhooks are among the deliveries, in the lane export/number.
CREATE TABLE export_channels (
  export_id TEXT NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
  number    INTEGER NOT NULL,
  kind      TEXT NOT NULL, -- email or webhook
  address   TEXT NOT NULL,
  status    TEXT NOT NULL, -- pending, succeeded or abandoned
  attempt   INTEGER NOT NULL, -- how many were made
  ready_at  INTEGER,
  lease     INTEGER NOT NULL, -- 0 for none
  error     TEXT NOT NULL,
  PRIMARY KEY (export_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX export_channels_due ON export_channels (ready_at, export_id, number) WHERE ready_at IS NOT NULL;
