package httpapi

import (
	"errors"

	"github.com/octavo-docs/octavo"
)

// bulkFactor is how many times the largest body the text may have of the pages
// that one bulk request is answered with.
const bulkFactor = 8

// boundedBulk carries out a bulk request by calling run, which tells room how
// many bytes of text it is to be answered with so far. What is sent is bounded
// by the length of the body and has room already; of what short changes leave
// behind, more than bulkFactor allows is refused, and much of it needs room as
// lists do.
func (a *API) boundedBulk(r *request, run func(room func(text int) error) error) error {
	most := bulkFactor * int(a.MaxBody)
	m, admitted := a.rooms.lists, max(largeAnswer, 2*len(r.body))
	if m == nil {
		admitted = most
	}
	for {
		err := run(func(text int) error {
			switch {
			case text > most:
				return octavo.Errorf(octavo.TooLarge, "The pages that the operations leave behind have more than %d bytes of text, all of which would be answered: divide the request.", most)
			case text <= admitted:
				return nil
			}
			leave, ok := m.tryEnter(listFactor * int64(most))
			if !ok {
				return errListCrowded
			}
			r.work(leave)
			admitted = most
			return nil
		})
		if !errors.Is(err, errListCrowded) {
			return err
		}
		leave, err := m.enter(r.Context(), listFactor*int64(most)) // waited for without a transaction
		if err != nil {
			return err
		}
		r.work(leave)
		admitted = most
	}
}
