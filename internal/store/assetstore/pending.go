package assetstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Pending reads and changes pending files: those that were uploaded for a proposal and
// become assets only when it is merged (decision 70). They are in a separate table, so
// that no other reader of assets can show them. It is safe for concurrent use.
type Pending struct {
	db   *sqldb.DB
	read sqldb.Conn
}

// Viewer is the subject that reads pending files.
type Viewer struct {
	ID            string // the subject; "" sees none
	PublishedOnly bool   // sees only its own
}

// PendingFile is a pending file and its uploader.
type PendingFile struct {
	File
	Uploader string
}

// pendingTables joins the tables of assetColumns for a pending file.
const pendingTables = `pending_assets a JOIN blobs b ON b.hash = a.hash`

// namedBy are the proposals p whose changes name a pending file.
const namedBy = `proposal_files f JOIN proposal_changes g ON g.id = f.change_id JOIN proposals p ON p.id = g.proposal_id`

// sees is the condition under which the viewer sees pending file a: it
// uploaded the file, or can read a proposal that names it.
func (v Viewer) sees(a *sqldb.Args) string {
	own := "a.uploader_id = " + a.Add(sqldb.Plain(v.ID))
	if v.PublishedOnly {
		return own
	}
	return "(" + own + " OR EXISTS (SELECT 1 FROM " + namedBy + " WHERE f.asset_id = a.id AND " + sqldb.SeesProposal(a, v.ID, false, "p") + "))"
}

// pending returns the pending files that match a condition and that the viewer sees.
func (v Viewer) pending(ctx context.Context, c sqldb.Conn, condition func(a *sqldb.Args) string) ([]PendingFile, error) {
	if v.ID == "" {
		return nil, nil
	}
	var a sqldb.Args
	where := condition(&a) + " AND " + v.sees(&a)
	list, err := sqldb.Collect(ctx, c, func(row sqldb.Scanner) (p PendingFile, err error) {
		p.Asset, err = scanAsset(row, &p.Blob, &p.Uploader)
		p.Asset.Pending = true
		return p, err
	}, `SELECT `+assetColumns+`, b.key, a.uploader_id FROM `+pendingTables+` WHERE `+where+` ORDER BY a.id`, a...)
	if err != nil {
		return nil, fmt.Errorf("read pending files: %w", err)
	}
	return list, nil
}

// Get returns a pending file that the viewer sees, or a NotFound error.
func (s *Pending) Get(ctx context.Context, v Viewer, id octavo.ID) (PendingFile, error) {
	return v.one(ctx, s.read, id)
}

func (v Viewer) one(ctx context.Context, c sqldb.Conn, id octavo.ID) (PendingFile, error) {
	list, err := v.pending(ctx, c, func(a *sqldb.Args) string { return "a.id = " + a.Add(sqldb.Plain(string(id))) })
	if err == nil && len(list) == 0 {
		err = errNoAsset(id)
	}
	if err != nil {
		return PendingFile{}, err
	}
	return list[0], nil
}

// ByKey is Get by the key of the address.
func (s *Pending) ByKey(ctx context.Context, v Viewer, key string) (File, error) {
	list, err := v.pending(ctx, s.read, func(a *sqldb.Args) string { return "a.key = " + a.Add(sqldb.Plain(key)) })
	if err == nil && len(list) == 0 {
		err = errNoFile()
	}
	if err != nil {
		return File{}, err
	}
	return list[0].File, nil
}

// OfProposal returns the pending files that a proposal names and the viewer
// sees, by Target.
func (s *Pending) OfProposal(ctx context.Context, v Viewer, proposal octavo.ID) (map[string]octavo.Asset, error) {
	list, err := v.pending(ctx, s.read, func(a *sqldb.Args) string { return "a." + namedIn(a, proposal) })
	if err != nil {
		return nil, err
	}
	files := make(map[string]octavo.Asset, len(list))
	for _, p := range list {
		files[Target(p.Key)] = p.Asset
	}
	return files, nil
}

// Own returns an uploader's pending files with one of the keys, by Target.
func (s *Pending) Own(ctx context.Context, uploader string, keys []string) (map[string]octavo.Asset, error) {
	files := map[string]octavo.Asset{}
	for some := range slices.Chunk(keys, maxTargets) {
		list, err := Viewer{ID: uploader, PublishedOnly: true}.pending(ctx, s.read, func(a *sqldb.Args) string { return "a.key IN " + sqldb.List(a, some) })
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			files[Target(p.Key)] = p.Asset
		}
	}
	return files, nil
}

// namedIn is the condition for files that the changes of a proposal name.
func namedIn(a *sqldb.Args, proposal octavo.ID) string {
	return "id IN (SELECT f.asset_id FROM proposal_files f JOIN proposal_changes g ON g.id = f.change_id WHERE g.proposal_id = " + a.Add(sqldb.Plain(string(proposal))) + ")"
}

// addPending adds the uploader's pending files to a page of a list, which
// may be one too long.
func (s *Assets) addPending(ctx context.Context, q Query, assets []octavo.Asset) ([]octavo.Asset, error) {
	if q.Uploader == "" || q.Unused != nil && !*q.Unused {
		return assets, nil
	}
	found := 0
	for after := q.After; ; {
		var a sqldb.Args
		some, err := sqldb.Collect(ctx, s.read, metered(ctx), `SELECT `+assetColumns+` FROM `+pendingTables+`
			WHERE a.uploader_id = `+a.Add(sqldb.Plain(q.Uploader))+q.ofType(&a)+` AND a.id > `+a.Add(sqldb.Plain(string(after)))+`
			ORDER BY a.id LIMIT `+a.Add(q.Limit+1), a...)
		if err != nil {
			return nil, fmt.Errorf("list pending files: %w", err)
		}
		for _, p := range some {
			if q.Tag == "" || slices.Contains(p.Metadata.Tags, q.Tag) {
				p.Pending = true
				assets = append(assets, p)
				found++
			}
		}
		if len(some) <= q.Limit || found > q.Limit {
			break
		}
		after = some[len(some)-1].ID
	}
	slices.SortFunc(assets, func(a, b octavo.Asset) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return assets, nil
}

// minPending is the minimum size that counts for a file, in bytes, so that
// their number is limited too.
const minPending = 4096

// Size returns the counted bytes of an uploader's pending files.
func (s *Pending) Size(ctx context.Context, uploader string) (int64, error) {
	return pendingSize(ctx, s.read, uploader)
}

func pendingSize(ctx context.Context, c sqldb.Conn, uploader string) (n int64, err error) {
	_, err = c.Row(ctx, []any{&n}, `SELECT COALESCE(SUM(CASE WHEN b.size < $2 THEN $2 ELSE b.size END), 0) FROM `+pendingTables+` WHERE a.uploader_id = $1`,
		sqldb.Plain(uploader), minPending)
	if err != nil {
		return 0, fmt.Errorf("count the pending files of %s: %w", uploader, err)
	}
	return n, nil
}
