package portal

import (
	"bytes"
	"encoding/json"

	"github.com/octavo-docs/octavo"
)

// explanation says about a problem type what its title cannot.
type explanation struct {
	Meaning string
	Causes  []string // usual ones, the likeliest first
	Mend    []string // what the caller can do, in order
	Detail  string   // of the example body
	Errors  []octavo.FieldError
	Oldest  string
}

// example returns an answer of this type as it is sent. The identifiers in it
// are made up.
func (e explanation) example(info octavo.ProblemInfo) string {
	if info.Type == octavo.Unauthorized { // the one error without a body
		return "HTTP/1.1 401 Unauthorized\n" +
			"WWW-Authenticate: Bearer realm=\"octavo\", error=\"invalid_token\", error_description=\"…\"\n" +
			"Content-Length: 0"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(octavo.Problem{
		Type: "/problems/" + string(info.Type), Title: info.Title, Status: info.Status,
		Detail: e.Detail, Instance: "urn:octavo:request:req_01k5s0r6yqf0b9m1zk3w8d2x7c", Errors: e.Errors, Oldest: e.Oldest,
	})
	if err != nil {
		panic("portal: encode an example: " + err.Error()) // strings and a number always encode
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// explain returns what there is to say about a type; a test sees to it that
// there is something about each.
func explain(t octavo.ProblemType) explanation {
	if e, ok := requestProblems()[t]; ok {
		return e
	}
	return serverProblems()[t]
}

// serverProblems explains what a client meets without having done anything
// wrong in this very request.
func serverProblems() map[octavo.ProblemType]explanation {
	return map[octavo.ProblemType]explanation{
		octavo.RateLimited: {
			Meaning: "The credential, or the address where there is none, has used up its requests for the present window of 60 seconds.",
			Causes: []string{
				"A loop that reads pages one by one, where a list would do.",
				"Several programs that share one credential.",
				"Many changes sent singly, where one bulk request would count once.",
				"More exports that wait or are kept, or more messages about them, than one may have: the detail says which.",
			},
			Mend: []string{
				"Wait for as many seconds as Retry-After says, then send the request again.",
				"Watch X-RateLimit-Remaining and slow down before it reaches 0.",
				"Give each program a credential of its own: each has its own quota.",
				"Who runs the server can set another quota with OCTAVO_RATE_LIMIT.",
			},
			Detail: "At most 600 requests in 60 seconds are answered.",
		},
		octavo.Internal: {
			Meaning: "Something went wrong inside the server. What exactly is in its log, under the request id at the end of instance; a change is either made completely or not at all.",
			Causes:  []string{"A mistake in Octavo.", "A disk or a database that fails."},
			Mend: []string{
				"Send a change again only with the same Idempotency-Key, or after reading whether it was made.",
				"Tell whoever runs the server the request id, which is also in the header X-Request-Id.",
			},
			Detail: "The cause is in the server's log under the request id req_01k5s0r6yqf0b9m1zk3w8d2x7c.",
		},
		octavo.NotImplemented: {
			Meaning: "The operation is part of the API, but this server does not carry it out.",
			Causes:  []string{"The server was built without the format of exports that was asked for."},
			Mend:    []string{"Ask for another format, or use a release of Octavo, which makes all of them."},
			Detail:  "This server makes no exports of the format pdf.",
		},
		octavo.Unavailable: {
			Meaning: "The server cannot do this at the moment, though it could before and will again.",
			Causes: []string{
				"The database cannot be reached or is too slow.",
				"The server is stopping.",
				"The request took longer than a request may.",
				"The search index is not complete yet, or too many search at once.",
			},
			Mend: []string{
				"Try again after as many seconds as Retry-After says, and wait longer after each further failure.",
				"Repeat a POST with the same Idempotency-Key, so that it does not act twice.",
			},
			Detail: "The request took too long.",
		},
		octavo.StorageFull: {
			Meaning: "The disk or the database of the server is full. Reading still works; nothing was changed.",
			Causes:  []string{"No free space in the data folder.", "A quota of the database."},
			Mend:    []string{"Who runs the server makes room; the same request can be sent again afterwards."},
			Detail:  "The cause is in the server's log under the request id req_01k5s0r6yqf0b9m1zk3w8d2x7c.",
		},
	}
}
