-- +goose Up
-- An export is its own job. While it is to be worked on it has ready_at: when
-- it is due or, while it is leased, when the lease ends.
CREATE TABLE exports (
  id          TEXT COLLATE "C" PRIMARY KEY,
  subject     TEXT COLLATE "C" NOT NULL, -- whose it is
  public      BOOLEAN NOT NULL, -- holds nothing but what a published-only credential may see
  version     TEXT COLLATE "C" NOT NULL, -- of the API that it was asked of
  request     TEXT COLLATE "C" NOT NULL, -- a JSON object
  format      TEXT COLLATE "C" NOT NULL,
  status      TEXT COLLATE "C" NOT NULL, -- queued, processing, ready or failed
  done        BIGINT NOT NULL,
  total       BIGINT NOT NULL,
  attempt     BIGINT NOT NULL,
  ready_at    BIGINT,
  lease       BIGINT NOT NULL, -- 0 for none
  blob        TEXT COLLATE "C" NOT NULL, -- under which the result lies, or is being written; '' for none
  size        BIGINT NOT NULL,
  sha256      TEXT COLLATE "C" NOT NULL,
  warnings    TEXT COLLATE "C" NOT NULL, -- a JSON array
  problem     TEXT COLLATE "C" NOT NULL, -- why it failed: a JSON object or ''
  event_id    TEXT COLLATE "C" NOT NULL, -- of its end; '' before
  trace_id    TEXT COLLATE "C" NOT NULL,
  traceparent TEXT COLLATE "C" NOT NULL,
  created_at  BIGINT NOT NULL,
  ended_at    BIGINT,
  expires_at  BIGINT NOT NULL
);

CREATE INDEX exports_due ON exports (ready_at, id) WHERE ready_at IS NOT NULL;
CREATE INDEX exports_subject ON exports (subject, id);
CREATE INDEX exports_expire ON exports (expires_at) WHERE blob <> '' AND ready_at IS NULL;
CREATE INDEX exports_blob ON exports (blob) WHERE blob <> '';
CREATE INDEX exports_ended ON exports (ended_at) WHERE ended_at IS NOT NULL;

-- What an export holds, as it was when it was accepted, in parts of many pages.
CREATE TABLE export_parts (
  export_id TEXT COLLATE "C" NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
  number    BIGINT NOT NULL,
  content   BYTEA NOT NULL, -- a JSON object
  PRIMARY KEY (export_id, number)
);

-- Who is told of the end. A message has ready_at from then on until it was
-- sent; webhooks are among the deliveries, in the lane export/number.
CREATE TABLE export_channels (
  export_id TEXT COLLATE "C" NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
  number    BIGINT NOT NULL,
  kind      TEXT COLLATE "C" NOT NULL, -- email or webhook
  address   TEXT COLLATE "C" NOT NULL,
  status    TEXT COLLATE "C" NOT NULL, -- pending, succeeded or abandoned
  attempt   BIGINT NOT NULL, -- how many were made
  ready_at  BIGINT,
  lease     BIGINT NOT NULL, -- 0 for none
  error     TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (export_id, number)
);

CREATE INDEX export_channels_due ON export_channels (ready_at, export_id, number) WHERE ready_at IS NOT NULL;
