-- +goose Up
-- The language of a page where its front matter says none: that of its folder, or of
-- the import. Spoken is derived of both, in small letters.
ALTER TABLE pages ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE pages ADD COLUMN spoken TEXT NOT NULL DEFAULT '';

UPDATE pages SET spoken = LOWER(f.said)
FROM (SELECT id, COALESCE(json_extract(frontmatter, '$.lang'), json_extract(frontmatter, '$.language')) AS said
	FROM pages WHERE frontmatter LIKE '%"lang%') f
WHERE f.id = pages.id AND f.said GLOB '[A-Za-z][A-Za-z]*' AND f.said NOT GLOB '*[^A-Za-z0-9-]*';

CREATE INDEX pages_spoken ON pages (spoken, id) WHERE spoken <> '';
