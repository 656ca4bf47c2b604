-- +goose Up
ALTER TABLE changes ADD COLUMN traceparent TEXT COLLATE "C" NOT NULL DEFAULT '';

-- The secrets of an endpoint are among the secrets, under webhook/ID/NUMBER.
CREATE TABLE webhooks (
  id            TEXT COLLATE "C" PRIMARY KEY,
  url           TEXT COLLATE "C" NOT NULL,
  types         TEXT COLLATE "C" NOT NULL,    -- a JSON array
  description   TEXT COLLATE "C" NOT NULL,
  disabled      BOOLEAN NOT NULL,
  reason        TEXT COLLATE "C" NOT NULL,    -- why the server disabled it; '' where somebody did
  active_after  BIGINT NOT NULL, -- it gets the changes behind this position
  failing_since BIGINT,          -- the first failure since the last success
  created_at    BIGINT NOT NULL
);

-- Each row is a try to send an event to a target. Those of one target and lane
-- are made one after the other, by position. The first that is pending has
-- ready_at: when it is due or, while it is leased, when the lease ends.
CREATE TABLE deliveries (
  target          TEXT COLLATE "C" NOT NULL, -- a webhook, or callback/ and a host
  id              TEXT COLLATE "C" NOT NULL,
  event_id        TEXT COLLATE "C" NOT NULL,
  kind            TEXT COLLATE "C" NOT NULL,
  lane            TEXT COLLATE "C" NOT NULL, -- what is sent in order, such as the events of a page
  position        BIGINT NOT NULL,
  size            BIGINT NOT NULL, -- of the event, in bytes
  attempt         BIGINT NOT NULL,
  status          TEXT COLLATE "C" NOT NULL, -- pending, succeeded, failed or abandoned
  ready_at        BIGINT,
  lease           BIGINT NOT NULL, -- 0 for none
  created_at      BIGINT NOT NULL,
  ended_at        BIGINT,
  response_status BIGINT NOT NULL DEFAULT 0, -- 0 for none
  response        TEXT COLLATE "C" NOT NULL DEFAULT '',
  error           TEXT COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (target, id)
);

CREATE INDEX deliveries_event ON deliveries (event_id, id);
CREATE INDEX deliveries_due ON deliveries (target, ready_at, id) WHERE ready_at IS NOT NULL;
CREATE UNIQUE INDEX deliveries_first ON deliveries (lane, target) WHERE ready_at IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (target, lane, position, id) WHERE status = 'pending' AND ready_at IS NULL;
CREATE INDEX deliveries_abandoned ON deliveries (target, id) WHERE status = 'abandoned';
