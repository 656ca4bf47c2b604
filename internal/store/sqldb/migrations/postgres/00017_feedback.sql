-- +goose Up
-- What readers of the site said about pages.
CREATE TABLE feedback (
  id         TEXT COLLATE "C" PRIMARY KEY,
  page_id    TEXT COLLATE "C" NOT NULL, -- of a page that may be gone
  slug       TEXT COLLATE "C" NOT NULL,
  revision   BIGINT NOT NULL,
  helpful    BOOLEAN NOT NULL,
  said       TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
);

-- What they searched for, by day.
CREATE TABLE site_queries (
  query   TEXT COLLATE "C" NOT NULL,
  day     TEXT COLLATE "C" NOT NULL,
  times   BIGINT NOT NULL,
  results BIGINT NOT NULL,
  PRIMARY KEY (query, day)
);
CREATE INDEX site_queries_day ON site_queries (day);
