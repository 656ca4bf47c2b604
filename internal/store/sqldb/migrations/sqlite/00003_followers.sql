-- +goose Up
CREATE TABLE followers (
  name     TEXT PRIMARY KEY,
  position INTEGER NOT NULL -- up to which the follower has handled the changes
) STRICT, WITHOUT ROWID;

-- One row: what retention has removed from the changes.
CREATE TABLE change_retention (
  removed INTEGER NOT NULL, -- the newest position of it
  cutoff  INTEGER NOT NULL  -- what is older than this time is part of it
) STRICT;

INSERT INTO change_retention (removed, cutoff) VALUES (0, 0);
