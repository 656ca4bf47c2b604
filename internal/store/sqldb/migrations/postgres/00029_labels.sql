-- +goose Up
-- Under which labels links find a page wherever it stands: the keys, behind three
-- slashes, of the places that the pages of some dialects name so. Pages of before
-- have theirs once they are written again.
CREATE TABLE page_labels (
  label   TEXT COLLATE "C" NOT NULL,
  page_id TEXT COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  PRIMARY KEY (label, page_id)
);

CREATE INDEX page_labels_page ON page_labels (page_id);
