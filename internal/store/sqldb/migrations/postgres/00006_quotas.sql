-- +goose Up
-- What processes have leased of rate limits. A crash of the database server
-- empties it, and windows begin anew: that is cheaper than to have requests
-- wait for the disk.
CREATE UNLOGGED TABLE quotas (
  key     TEXT COLLATE "C" PRIMARY KEY, -- who the requests count for
  ends    BIGINT NOT NULL,              -- of the window, by the clock of this server
  used    BIGINT NOT NULL,              -- of the limit, leased so far
  granted BIGINT NOT NULL               -- by the newest lease
);
