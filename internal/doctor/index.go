package doctor

import (
	"context"
	"errors"
	"slices"

	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

// The rules about saved search indexes and their remedies: the one of a data folder, and
// the newest shared one.
const (
	ruleHolds  = "the search index has every page in its current state, and no others"
	ruleLinks  = "the search index has every page as links call it"
	ruleWhole  = "a shared snapshot of the search index is whole"
	mendFolder = "stop the server, remove the folder search of its data folder, and start it: it rebuilds the index; report it as a fault in Octavo"
	mendShared = "remove what is under search/ in the bucket or the folder of files, and restart the servers that search; report it as a fault in Octavo"
	mendWhole  = "remove it: servers write another"
)

// checkIndex compares the saved index in a folder with the pages.
func checkIndex(ctx context.Context, st *store.Store, folder string) ([]storecheck.Finding, error) {
	differences, err := live.Differences(ctx, st, folder)
	if err != nil {
		return nil, err
	}
	return indexFindings(ctx, st, differences, mendFolder)
}

// checkShared compares the newest index shared by servers with the pages.
func checkShared(ctx context.Context, st *storage.Storage, o config.Storage) (findings []storecheck.Finding, err error) {
	if !st.DB.Shared() {
		return nil, nil
	}
	blobs, err := st.ReadFiles(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	snapshots, err := blobs.Apart(live.SnapshotFolder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snapshots.Close()) }()
	differences, damaged, err := live.SharedDifferences(ctx, st.Store, snapshots)
	if err != nil {
		return nil, err
	}
	if damaged != "" {
		return []storecheck.Finding{{Rule: ruleWhole, Subject: "search snapshot " + damaged, Mend: mendWhole}}, nil
	}
	return indexFindings(ctx, st.Store, differences, mendShared)
}

// indexFindings reports differences. It skips pages that are invalid themselves, which is
// a finding of its own.
func indexFindings(ctx context.Context, st *store.Store, differences []live.Difference, mend string) (findings []storecheck.Finding, err error) {
	impossible, err := storecheck.ImpossiblePages(ctx, st.DB)
	if err != nil {
		return nil, err
	}
	for _, d := range differences {
		if slices.Contains(impossible, d.Page) {
			continue
		}
		rule := ruleHolds
		if d.Link {
			rule = ruleLinks
		}
		findings = append(findings, storecheck.Finding{Rule: rule, Subject: string(d.Page), Mend: mend})
	}
	return findings, nil
}
