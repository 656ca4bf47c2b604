-- What must hold in the store: before each statement stands the rule, and the
-- statement lists, by one column, where it does not hold. {depth} is how deep the
-- tree of pages may be.

-- rule: a page that is not deleted has exactly one current slug, its own
SELECT p.id FROM pages p WHERE p.deleted_at IS NULL AND 1 <> (
	SELECT COUNT(*) FROM slugs s WHERE s.page_id = p.id AND s.state = 'current' AND s.slug = p.slug);

-- rule: a current slug is that of a page that is not deleted
SELECT s.slug FROM slugs s JOIN pages p ON p.id = s.page_id
	WHERE s.state = 'current' AND (p.deleted_at IS NOT NULL OR p.slug <> s.slug);

-- rule: a slug is released exactly when its page is deleted
SELECT s.slug FROM slugs s JOIN pages p ON p.id = s.page_id
	WHERE (s.state = 'released') <> (p.deleted_at IS NOT NULL);

-- rule: the revisions of a page are numbered from 1 to the page's own
SELECT p.id FROM pages p WHERE p.revision <> (SELECT COALESCE(MAX(r.number), 0) FROM revisions r WHERE r.page_id = p.id)
	OR p.revision <> (SELECT COUNT(*) FROM revisions r WHERE r.page_id = p.id);

-- rule: a page has the title, slug and front matter of its newest revision
SELECT p.id FROM pages p JOIN revisions r ON r.page_id = p.id AND r.number = p.revision
	WHERE p.title <> r.title OR p.slug <> r.slug OR p.frontmatter <> r.frontmatter;

-- rule: what a published page shows is public
SELECT p.id FROM pages p JOIN revisions r ON r.page_id = p.id AND r.number = p.revision
	WHERE p.status = 'published' AND NOT (r.public AND p.was_public);

-- rule: the version of a page is at least its revision
SELECT p.id FROM pages p WHERE p.version < p.revision;

-- rule: the parent of a page is not deleted
SELECT p.id FROM pages p JOIN pages parent ON parent.id = p.parent_id
	WHERE p.deleted_at IS NULL AND parent.deleted_at IS NOT NULL;

-- rule: a page is reached from a root page within {depth} levels
WITH RECURSIVE tree (id, depth) AS (
	SELECT p.id, 1 FROM pages p WHERE p.parent_id IS NULL AND p.deleted_at IS NULL
	UNION ALL
	SELECT p.id, tree.depth + 1 FROM pages p JOIN tree ON p.parent_id = tree.id
	WHERE p.deleted_at IS NULL AND tree.depth < {depth}
) SELECT p.id FROM pages p WHERE p.deleted_at IS NULL AND p.id NOT IN (SELECT id FROM tree);

-- rule: only pages that are not deleted have links
SELECT DISTINCT p.id FROM pages p JOIN page_links l ON l.page_id = p.id WHERE p.deleted_at IS NOT NULL;

-- rule: only pages that are not deleted have tags
SELECT DISTINCT p.id FROM pages p JOIN page_tags t ON t.page_id = p.id WHERE p.deleted_at IS NOT NULL;

-- rule: the tags of a page are sorted by what the page has
SELECT DISTINCT p.id FROM pages p JOIN page_tags t ON t.page_id = p.id
	WHERE t.title <> p.title OR t.status <> p.status OR t.updated_at <> p.updated_at;

-- rule: the newest change of a page has the page's version, unless it was removed for its age
-- An hour is left for clocks that differ.
SELECT p.id FROM pages p, change_retention r WHERE p.version <> COALESCE(
	(SELECT MAX(c.version) FROM changes c WHERE c.subject = p.id),
	CASE WHEN r.removed = 0 OR p.updated_at > r.cutoff + 3600000 THEN 0 ELSE p.version END);

-- rule: only pages that are not deleted have assets
SELECT DISTINCT p.id FROM pages p JOIN page_assets u ON u.page_id = p.id WHERE p.deleted_at IS NOT NULL;

-- rule: a blob counts the assets that have it, pending ones too, of which there is one at least
SELECT b.key FROM blobs b WHERE b.uses < 1
	OR b.uses <> (SELECT COUNT(*) FROM assets a WHERE a.hash = b.hash) + (SELECT COUNT(*) FROM pending_assets a WHERE a.hash = b.hash);

-- rule: the bytes of an asset are counted
SELECT a.id FROM assets a WHERE NOT EXISTS (SELECT 1 FROM blobs b WHERE b.hash = a.hash)
UNION ALL SELECT a.id FROM pending_assets a WHERE NOT EXISTS (SELECT 1 FROM blobs b WHERE b.hash = a.hash);

-- rule: a pending file is no asset, and has no path
SELECT p.id FROM pending_assets p WHERE p.source <> '' OR EXISTS (SELECT 1 FROM assets a WHERE a.id = p.id OR a.key = p.key);

-- rule: an asset is found under its key, and under its path
SELECT a.id FROM assets a WHERE CASE WHEN a.source = '' THEN 1 ELSE 2 END <> (
	SELECT COUNT(*) FROM asset_targets t WHERE t.asset_id = a.id AND t.target IN ('/' || a.key, a.source));

-- rule: of the deliveries of a lane that are pending one is due
SELECT d.id FROM deliveries d WHERE d.status = 'pending' AND d.ready_at IS NULL AND NOT EXISTS (
	SELECT 1 FROM deliveries f WHERE f.lane = d.lane AND f.target = d.target AND f.ready_at IS NOT NULL);

-- rule: a delivery that is due is pending
SELECT d.id FROM deliveries d WHERE d.ready_at IS NOT NULL AND d.status <> 'pending';

-- rule: an export is to be worked on exactly until it has ended
SELECT x.id FROM exports x WHERE (x.ready_at IS NULL) <> (x.status IN ('ready', 'failed')) OR (x.ready_at IS NULL) <> (x.ended_at IS NOT NULL);

-- rule: an export that has ended holds no pages any more, and has its event
SELECT x.id FROM exports x WHERE x.ready_at IS NULL AND (x.event_id = '' OR EXISTS (SELECT 1 FROM export_parts p WHERE p.export_id = x.id));

-- rule: a change was public when its page was published
SELECT c.event_id FROM changes c WHERE c.kind = 'page.published' AND NOT c.public;

-- rule: a proposal has a status that there is, and is merged exactly when it has the time of that
SELECT p.id FROM proposals p WHERE p.status NOT IN ('draft', 'open', 'merged', 'closed')
	OR (p.status = 'merged') <> (p.merged_at IS NOT NULL) OR p.merged_at IS NULL AND p.merged_id <> '';

-- rule: a revision of a merge is that of a merged proposal
SELECT m.page_id FROM revision_merges m WHERE NOT EXISTS (
	SELECT 1 FROM proposals p WHERE p.id = m.proposal_id AND p.status = 'merged' AND p.merged_id = m.merged_id);

-- rule: a proposal has as much text as its changes
SELECT p.id FROM proposals p WHERE p.size <> (
	SELECT COALESCE(SUM(g.size), 0) FROM proposal_changes g WHERE g.proposal_id = p.id);

-- rule: a change is of a page that there is, unless it makes one or its page was removed for good
SELECT g.id FROM proposal_changes g JOIN proposals p ON p.id = g.proposal_id
	WHERE g.page_id = '' AND (p.status = 'merged' OR g.members NOT LIKE '%"op":"create"%')
	OR g.page_id <> '' AND g.members NOT LIKE '%"removed":true%' AND NOT EXISTS (SELECT 1 FROM pages x WHERE x.id = g.page_id);

-- rule: a change was made against something, unless it makes a page
SELECT g.id FROM proposal_changes g WHERE (g.base = '') <> (g.members LIKE '%"op":"create"%');

-- rule: a change whose page was removed for good has no text
SELECT g.id FROM proposal_changes g WHERE g.members LIKE '%"removed":true%'
	AND (g.size <> 0 OR g.content IS NOT NULL OR g.frontmatter IS NOT NULL OR g.raw_front IS NOT NULL);

-- rule: a reply is to a comment of the same proposal that begins a thread
SELECT w.id FROM proposal_comments w WHERE w.reply_to <> '' AND NOT EXISTS (
	SELECT 1 FROM proposal_comments t WHERE t.id = w.reply_to AND t.proposal_id = w.proposal_id AND t.reply_to = '');

-- rule: an import is to be worked on exactly until it has ended, and has its file as long
SELECT x.id FROM imports x WHERE (x.ready_at IS NULL) <> (x.status IN ('ready', 'failed', 'cancelled'))
	OR (x.ready_at IS NULL) <> (x.ended_at IS NOT NULL) OR (x.ready_at IS NULL) <> (x.blob = '');

-- rule: an import that has ended remembers nothing that it wrote but its report
SELECT x.id FROM imports x WHERE x.ready_at IS NULL AND EXISTS (SELECT 1 FROM import_written w WHERE w.import_id = x.id);
