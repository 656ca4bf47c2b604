-- +goose Up
-- What readers of the site said about pages.
CREATE TABLE feedback (
  id         TEXT PRIMARY KEY,
  page_id    TEXT NOT NULL, -- of a page that may be gone
  slug       TEXT NOT NULL,
  revision   INTEGER NOT NULL,
  helpful    INTEGER NOT NULL,
  said       TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What they searched for, by day.
CREATE TABLE site_queries (
  query   TEXT NOT NULL,
  day     TEXT NOT NULL,
  times   INTEGER NOT NULL,
  results INTEGER NOT NULL,
  PRIMARY KEY (query, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX site_queries_day ON site_queries (day);
