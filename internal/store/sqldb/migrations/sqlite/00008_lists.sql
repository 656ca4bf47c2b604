-- +goose Up
-- A tag's rows carry what lists of its pages are sorted and narrowed by.
CREATE TABLE page_tags_sorted (
  tag        TEXT NOT NULL,
  page_id    TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  title      TEXT NOT NULL,    -- derived: these three are the page's
  status     TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tag, page_id)
) STRICT, WITHOUT ROWID;

INSERT INTO page_tags_sorted (tag, page_id, title, status, updated_at)
  SELECT t.tag, t.page_id, p.title, p.status, p.updated_at FROM page_tags t JOIN pages p ON p.id = t.page_id
  ORDER BY t.tag, t.page_id;

DROP TABLE page_tags;
ALTER TABLE page_tags_sorted RENAME TO page_tags;

CREATE INDEX page_tags_page ON page_tags (page_id);
CREATE INDEX page_tags_title ON page_tags (tag, title, page_id, status);
CREATE INDEX page_tags_updated ON page_tags (tag, updated_at, page_id, status);
CREATE INDEX page_tags_status ON page_tags (tag, status, page_id);

-- Each ends with what is filtered by most, so that a page that is not wanted
-- costs no look at its row.
DROP INDEX pages_status;
CREATE INDEX pages_status ON pages (status, id, updated_at);
DROP INDEX pages_parent;
CREATE INDEX pages_parent ON pages (parent_id, id, status);
CREATE INDEX pages_parent_status ON pages (parent_id, status, id);
CREATE INDEX pages_parent_title ON pages (parent_id, title, id, status);
CREATE INDEX pages_parent_updated ON pages (parent_id, updated_at, id, status);
