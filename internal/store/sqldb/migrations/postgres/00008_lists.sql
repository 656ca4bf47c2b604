-- +goose Up
-- A tag's rows carry what lists of its pages are sorted and narrowed by.
ALTER TABLE page_tags ADD COLUMN title TEXT COLLATE "C", -- derived: these three are the page's
  ADD COLUMN status TEXT COLLATE "C",
  ADD COLUMN updated_at BIGINT;

UPDATE page_tags t SET title = p.title, status = p.status, updated_at = p.updated_at FROM pages p WHERE p.id = t.page_id;

ALTER TABLE page_tags ALTER COLUMN title SET NOT NULL,
  ALTER COLUMN status SET NOT NULL,
  ALTER COLUMN updated_at SET NOT NULL;

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
