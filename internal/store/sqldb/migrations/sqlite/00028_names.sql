-- +goose Up
-- Under which wiki links find a page wherever it stands: the last part of its path key,
-- in small letters, behind two slashes, with which no path key begins.
ALTER TABLE pages ADD COLUMN name_key TEXT NOT NULL DEFAULT '';

UPDATE pages SET name_key = '//' || LOWER(REPLACE(path_key, RTRIM(path_key, REPLACE(path_key, '/', '')), ''))
WHERE path_key NOT IN ('', '/');

CREATE INDEX pages_name_key ON pages (name_key, id) WHERE name_key <> '';

INSERT INTO asset_targets (target, asset_id)
SELECT '//' || LOWER(REPLACE(source, RTRIM(source, REPLACE(source, '/', '')), '')), MIN(id) FROM assets WHERE source <> '' GROUP BY 1;
