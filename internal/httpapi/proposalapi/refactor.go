package proposalapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// Refactor makes a proposal that renames, splits or joins pages.
func (o Operations) Refactor(r *rest.Request) (*rest.Response, error) {
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	in, err := octavo.DecodeRefactor(body, r.Strict())
	if err != nil {
		return nil, err
	}
	answer := func(p octavo.Proposal) *rest.Response { return proposalResponse(r, http.StatusCreated, p) }
	p, err := o.Service.Refactor(r.Context(), r.Cause(), asker(r), in, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(p), nil
}
