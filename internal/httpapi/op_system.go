package httpapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
)

func (a *API) health(r *request) (*response, error) {
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	body := octavo.AppendTime([]byte(`{"status":"ok","time":`), a.Now())
	resp := jsonResponse(http.StatusOK, append(body, '}'))
	resp.header = map[string]string{"Cache-Control": "no-store"}
	return resp, nil
}
