// Command bare is the bound that servers are measured against: a plain
// net/http server which answers captured requests with the same bytes and the
// same headers. It looks a request up in a map and writes; it checks no
// credential, keeps nothing and reads bodies only to be rid of them.
//
//	bare --answers FILE
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/octavo-docs/octavo/bench/internal/target"
)

func main() {
	file := flag.String("answers", "", "`file` of captured answers")
	flag.Parse()
	if err := serve(*file); err != nil {
		log.Fatal("bare: ", err)
	}
}

func serve(file string) error {
	answers, err := read(file)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "bare: listening on http://%s\n", l.Addr())
	return http.Serve(l, handler(answers)) //nolint:gosec // bare: not even a time limit
}

// answers are found by path; there is one for all POST requests.
type answers struct {
	gets map[string]*target.Answer
	post *target.Answer
}

func read(file string) (answers, error) {
	a := answers{gets: map[string]*target.Answer{}}
	err := target.Answers(file, func(next target.Answer) {
		if next.Method == http.MethodPost {
			a.post = &next
		} else {
			a.gets[next.Path] = &next
		}
	})
	return a, err
}

func handler(a answers) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found := a.gets[r.RequestURI]
		if r.Method == http.MethodPost {
			found = a.post
			_, _ = io.Copy(io.Discard, r.Body) // the client may have gone
		}
		if found == nil {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		for name, values := range found.Header {
			h[name] = values
		}
		w.WriteHeader(found.Status)
		_, _ = w.Write(found.Body) // the client may be gone
	})
}
