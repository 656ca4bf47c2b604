package httpapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// health reports that the server runs.
func health(r *rest.Request) (*rest.Response, error) {
	body := octavo.AppendTime([]byte(`{"status":"ok","time":`), r.Now())
	resp := rest.JSON(http.StatusOK, append(body, '}'))
	resp.Header = map[string]string{"Cache-Control": "no-store"}
	return resp, nil
}
