-- +goose Up
-- Where the site for readers leads from addresses that have no page.
CREATE TABLE redirects (
  source TEXT PRIMARY KEY, -- a path; one that ends with * stands for all that begin so
  target TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How the site looks. A row that is there can be locked.
INSERT INTO settings (name, value) VALUES ('site', '{"version":1,"site":{}}');
