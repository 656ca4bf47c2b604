package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// ErrNotModified is returned by reads under [IfNoneMatch] when the caller
// already has the newest version.
var ErrNotModified = errors.New("not modified")

// Problem is an error response of the server.
type Problem struct {
	octavo.Problem
	Request    string        // method and path of the request
	Challenge  string        // the WWW-Authenticate of a 401, which has no body
	RetryAfter time.Duration // how long to wait before the next attempt; 0 if not stated
}

func (p *Problem) Error() string {
	s := fmt.Sprintf("%s: %d %s", p.Request, p.Status, p.Title)
	if p.Detail != "" {
		s += ": " + p.Detail
	}
	for _, f := range p.Errors {
		s += "; " + f.Path + " " + f.Message
	}
	if p.Challenge != "" {
		s += " (" + p.Challenge + ")"
	}
	return s
}

// Kind returns the problem's type without its address, such as
// [octavo.SlugTaken], or "" if the response was not a problem document.
func (p *Problem) Kind() octavo.ProblemType {
	_, name, found := strings.Cut(p.Type, "/problems/")
	if !found {
		return ""
	}
	return octavo.ProblemType(name)
}

// readProblem makes a Problem from an error response. One that is not a problem
// document, such as that of a proxy, has only a status.
func readProblem(req request, res *http.Response, body []byte, now time.Time) *Problem {
	p := &Problem{
		Request:    req.method + " " + req.path,
		Challenge:  strings.Join(res.Header.Values("WWW-Authenticate"), ", "),
		RetryAfter: retryAfter(res.Header.Get("Retry-After"), now),
	}
	media, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(media) == "application/problem+json" && json.Unmarshal(body, &p.Problem) != nil {
		p.Problem = octavo.Problem{}
	}
	p.Status = res.StatusCode
	if p.Type == "" {
		p.Type = "about:blank"
	}
	if p.Title == "" {
		p.Title = http.StatusText(res.StatusCode)
	}
	return p
}
