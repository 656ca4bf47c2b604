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

// notBuilt answers operations of the document that this version of Octavo does
// not have yet.
func (a *API) notBuilt(*request) (*response, error) {
	return nil, octavo.Errorf(octavo.NotImplemented, "This version of Octavo does not have the operation yet.")
}
