-- +goose Up
-- Files lie under an identifier of their own. Those of before lie in the folder
-- or bucket itself until they are moved, so that no program of before may work on
-- this schema.
INSERT INTO settings (name, value)
SELECT 'files', json_build_object('id', '', 'location', CASE
    WHEN place IS NULL THEN ''
    WHEN place LIKE 'beside %' THEN 'beside the database'
    WHEN place LIKE '% the bucket s3://%' THEN 's3://' || substr(bucket, strpos(bucket, '/') + 1)
    ELSE substr(place, strpos(place, ' the folder ') + 12) END,
  'old', '/', 'move', TRUE)::text
FROM (SELECT place, substr(place, strpos(place, 's3://') + 5) AS bucket
  FROM (SELECT (SELECT value FROM settings WHERE name = 'files.place') AS place) p) b
WHERE place IS NOT NULL OR EXISTS (SELECT 1 FROM blobs) OR EXISTS (SELECT 1 FROM exports WHERE blob <> '');

DELETE FROM settings WHERE name = 'files.place';

UPDATE schema_floor SET version = 13;
