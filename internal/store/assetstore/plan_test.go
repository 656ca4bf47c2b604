package assetstore

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/sqldb/sqltest"
)

// TestAssetListPlans: a list of assets is read from an index.
func TestAssetListPlans(t *testing.T) {
	st := sqltest.Open(t, time.Now)
	yes := true
	for _, test := range []struct {
		query Query
		index string // the start of the plan's first line
	}{
		{Query{}, "SCAN a USING INDEX sqlite_autoindex_assets_1"},
		{Query{After: "asset_x"}, "SEARCH a USING INDEX sqlite_autoindex_assets_1 (id>?)"},
		{Query{After: "asset_x", Unused: &yes}, "SEARCH a USING INDEX sqlite_autoindex_assets_1 (id>?)"},
		{Query{ContentType: "image/*", After: "asset_x"}, "SEARCH a USING INDEX assets_kind (kind=? AND id>?)"},
		{Query{ContentType: "image/png", After: "asset_x"}, "SEARCH a USING INDEX assets_media_type (media_type=? AND id>?)"},
		{Query{Tag: "x", After: "asset_x"}, "SEARCH t USING PRIMARY KEY (tag=? AND asset_id>?)"},
	} {
		for _, aud := range []octavo.Audience{{}, {PublishedOnly: true}} {
			var a sqldb.Args
			test.query.Limit = 10
			plan := sqltest.Explain(t, st, assetStatement(aud, test.query, &a), a)
			if strings.Contains(plan, "TEMP B-TREE") || !strings.HasPrefix(plan, test.index) {
				t.Errorf("%+v, %+v: have plan\n%s\nwant it to start with %s", test.query, aud, plan, test.index)
			}
			// Whether pages use an asset is asked from the asset on.
			uses := regexp.MustCompile("SEARCH u0 USING .*\\(asset_id=\\?\\)\nSEARCH u USING .*\\(target=\\?\\)\nSEARCH p USING .*id=\\?\\)")
			if strings.Contains(plan, "SUBQUERY") && !uses.MatchString(plan) {
				t.Errorf("%+v, %+v: have plan\n%s\nwant %s", test.query, aud, plan, uses)
			}
		}
	}
}
