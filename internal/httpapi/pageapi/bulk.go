package pageapi

import (
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func (o Operations) Bulk(r *rest.Request) (*rest.Response, error) {
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	bulk, err := octavo.DecodeBulk(body, r.Strict())
	if err != nil {
		return nil, err
	}
	answer := func(results []pages.BulkResult) *rest.Response { return o.bulkResponse(r, results) }
	var results []pages.BulkResult
	err = r.BoundedBulk(func(room func(text int) error) (err error) {
		results, err = o.Service.Bulk(r.Context(), pages.BulkCause{
			Cause: r.Cause(), IfMatch: rest.ParseIfMatch, Room: room,
			Reply: func(results []pages.BulkResult) sqldb.Response { return answer(results).Keep() },
		}, bulk)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer(results), nil
}

// bulkResponse returns the results by operation, in the order of the request.
func (o Operations) bulkResponse(r *rest.Request, results []pages.BulkResult) *rest.Response {
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
			status, problem := r.Problem(result.Err)
			body = strconv.AppendInt(body, int64(status), 10)
			body = append(append(body, `,"problem":`...), problem...)
		case result.Status == http.StatusNoContent:
			body = strconv.AppendInt(body, int64(result.Status), 10)
		default:
			body = strconv.AppendInt(body, int64(result.Status), 10)
			body = result.Page.AppendJSON(append(body, `,"page":`...))
		}
		body = append(body, '}')
	}
	return rest.JSON(http.StatusOK, append(body, `]}`...))
}
