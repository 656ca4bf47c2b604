package httpapi

import (
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
)

func (a *API) bulkPages(r *request) (*response, error) {
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	body, err := decodeBody(r)
	if err != nil {
		return nil, err
	}
	bulk, err := octavo.DecodeBulk(body, strict(r))
	if err != nil {
		return nil, err
	}
	answer := func(results []pages.BulkResult) *response { return a.bulkResponse(r, results) }
	var results []pages.BulkResult
	err = a.boundedBulk(r, func(room func(text int) error) (err error) {
		results, err = a.Pages.Bulk(r.Context(), pages.BulkCause{
			Cause: r.cause(), IfMatch: parseIfMatch, Room: room,
			Reply: func(results []pages.BulkResult) store.Response { return answer(results).keep() },
		}, bulk)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer(results), nil
}

// bulkResponse answers operation by operation, in the order of the request.
func (a *API) bulkResponse(r *request, results []pages.BulkResult) *response {
	size := 0
	for _, result := range results {
		size += 256
		if result.Page != nil {
			size += len(result.Page.Content) + len(result.Page.Content)/8 + len(result.Page.Frontmatter) + len(result.Page.Links)
		}
	}
	body := append(make([]byte, 0, size), `{"results":[`...)
	for i, result := range results {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, `{"status":`...)
		switch {
		case result.Err != nil:
			problem := a.problem(r, result.Err)
			body = strconv.AppendInt(body, int64(problem.status), 10)
			body = append(append(body, `,"problem":`...), problem.body...)
		case result.Status == http.StatusNoContent:
			body = strconv.AppendInt(body, int64(result.Status), 10)
		default:
			body = strconv.AppendInt(body, int64(result.Status), 10)
			body = result.Page.AppendJSON(append(body, `,"page":`...))
		}
		body = append(body, '}')
	}
	return jsonResponse(http.StatusOK, append(body, `]}`...))
}
