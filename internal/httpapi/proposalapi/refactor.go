package proposalapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// Refactor makes a proposal that renames, splits or joins pages.
func (o Operations) Refactor(r *rest.Request) (*rest.Response, error) {
	in, err := rest.Decode(r, octavo.DecodeRefactor)
	if err != nil {
		return nil, err
	}
	answer := proposalAnswer(r, http.StatusCreated)
	return answer.To(o.Service.Refactor(r.Context(), r.Cause(), asker(r), in, answer.Keep))
}
