-- +goose Up
CREATE TABLE followers (
  name     TEXT COLLATE "C" PRIMARY KEY,
  position BIGINT NOT NULL -- up to which the follower has handled the changes
);

-- One row: what retention has removed from the changes.
CREATE TABLE change_retention (
  removed BIGINT NOT NULL, -- the newest position of it
  cutoff  BIGINT NOT NULL  -- what is older than this time is part of it
);

INSERT INTO change_retention (removed, cutoff) VALUES (0, 0);
