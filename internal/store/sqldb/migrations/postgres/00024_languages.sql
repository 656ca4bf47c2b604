-- +goose Up
-- The language of a page where its front matter says none: that of its folder, or of
-- the import. Spoken is derived of both, in small letters.
ALTER TABLE pages ADD COLUMN language TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE pages ADD COLUMN spoken TEXT COLLATE "C" NOT NULL DEFAULT '';

UPDATE pages p SET spoken = LOWER(f.said)
FROM (SELECT id, COALESCE(front ->> 'lang', front ->> 'language') AS said
	FROM (SELECT id, REPLACE(frontmatter, '\u0000', '')::json AS front FROM pages WHERE frontmatter LIKE '%"lang%') j) f
WHERE f.id = p.id AND f.said ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$';

CREATE INDEX pages_spoken ON pages (spoken, id) WHERE spoken <> '';
