package target

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// PocketBase finds out what a PocketBase at base holds in its collection
// pages. Its lists are divided by offset, as its API has it, and asked for in
// the fastest way: without the total, and in the order of an index, in which it
// skips pages without reading them.
func PocketBase(ctx context.Context, base, token string) (*API, error) {
	const path = "/api/collections/pages/records"
	a := &API{Name: "pocketbase", Host: strings.TrimPrefix(base, "http://"), Token: token, Create: path}
	for page := 1; ; page++ {
		address := fmt.Sprintf("%s%s?perPage=1000&page=%d&skipTotal=1&fields=id", base, path, page)
		text, _, err := Ask(ctx, http.MethodGet, address, token, nil)
		if err != nil {
			return nil, fmt.Errorf("walk through the records: %w", err)
		}
		var list struct {
			Items []struct {
				ID string `json:"id"`
			} `json:"items"`
		}
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("walk through the records: %w", err)
		}
		if len(list.Items) == 0 {
			break
		}
		for _, item := range list.Items {
			a.Pages = append(a.Pages, path+"/"+item.ID)
		}
	}
	if len(a.Pages) < ListLimit {
		return nil, fmt.Errorf("%s holds %d records, too few for a list", base, len(a.Pages))
	}
	list := fmt.Sprintf("%s?perPage=%d&skipTotal=1", path, ListLimit)
	for page := range len(a.Pages) / ListLimit {
		a.Lists = append(a.Lists, fmt.Sprintf("%s&sort=created&page=%d", list, page+1))
	}
	a.Pages = shuffled(a.Pages)
	a.Filtered = map[string]string{
		"status":  list + "&filter=(status='published')",
		"tag":     list + "&filter=(frontmatter.tags~'topic-03')",
		"newest":  list + "&sort=-created",
		"updated": list + "&sort=-updated",
		"title":   list + "&sort=title",
	}
	return a, nil
}
