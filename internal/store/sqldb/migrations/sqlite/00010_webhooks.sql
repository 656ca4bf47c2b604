-- +goose Up
ALTER TABLE changes ADD COLUMN traceparent TEXT NOT NULL DEFAULT '';

-- The secrets of an endpoint are among the secrets, under webhook/ID/NUMBER.
CREATE TABLE webhooks (
  id            TEXT PRIMARY KEY,
  url           TEXT NOT NULL,
  types         TEXT NOT NULL,    -- a JSON array
  description   TEXT NOT NULL,
  disabled      INTEGER NOT NULL,
  reason        TEXT NOT NULL,    -- why the server disabled it; '' where somebody did
  active_after  INTEGER NOT NULL, -- it gets the changes behind this position
  failing_since INTEGER,          -- the first failure since the last success
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Each row is a try to send an event to a target. Those of one target and lane
-- are made one after the other, by position. The first that is pending has
-- ready_at: when it is due or, while it is leased, when the lease ends.
CREATE TABLE deliveries (
  target          TEXT NOT NULL, -- a webhook, or callback/ and a host
  id              TEXT NOT NULL,
  event_id        TEXT NOT NULL,
  kind            TEXT NOT NULL,
  lane            TEXT NOT NULL, -- what is sent in order, such as the events of a page
  position        INTEGER NOT NULL,
  size            INTEGER NOT NULL, -- of the event, in bytes
  attempt         INTEGER NOT NULL,
  status          TEXT NOT NULL, -- pending, succeeded, failed or abandoned
  ready_at        INTEGER,
  lease           INTEGER NOT NULL, -- 0 for none
  created_at      INTEGER NOT NULL,
  ended_at        INTEGER,
  response_status INTEGER NOT NULL DEFAULT 0, -- 0 for none
  response        TEXT NOT NULL DEFAULT '',
  error           TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (target, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_event ON deliveries (event_id, id);
CREATE INDEX deliveries_due ON deliveries (target, ready_at, id) WHERE ready_at IS NOT NULL;
CREATE UNIQUE INDEX deliveries_first ON deliveries (lane, target) WHERE ready_at IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (target, lane, position, id) WHERE status = 'pending' AND ready_at IS NULL;
CREATE INDEX deliveries_abandoned ON deliveries (target, id) WHERE status = 'abandoned';
