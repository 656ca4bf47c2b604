// Package target knows how the servers under load are asked: Octavo,
// PocketBase, and the bare server, which stands for the bound. It finds out
// what there is to read, and makes the requests of each workload from it. It
// does not send them under load and starts no server.
package target

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
	"github.com/octavo-docs/octavo/bench/internal/load"
)

// ListLimit is how many pages a list holds.
const ListLimit = 20

// API is a server with what can be asked of it. Paths hold their query.
type API struct {
	Name     string
	Host     string            // host:port
	Token    string            // sent as bearer token
	Pages    []string          // path of each page, in no order that the server knows
	Lists    []string          // path of each list of 20 in creation order, the first one first
	Filtered map[string]string // path of a list of 20, by the name of its filter or order
	Create   string            // where pages are created
}

// Workload makes the source of each connection.
type Workload func(conn int) load.Source

// chance is a source of randomness for one connection, the same in every run.
func chance(conn int) *rand.Rand { return rand.New(rand.NewPCG(0xbe7c4, uint64(conn))) }

// Read reads one page, chosen by pick from the API's.
func (a *API) Read(pick load.Picker) Workload { return a.get(a.Pages, pick) }

// List reads a list at any depth, or the first one.
func (a *API) List(anyDepth bool) Workload {
	if !anyDepth {
		return a.get(a.Lists[:1], load.Uniform(1))
	}
	return a.get(a.Lists, load.Uniform(len(a.Lists)))
}

// ListZipf reads lists at any depth, some far more often than others.
func (a *API) ListZipf() Workload {
	return a.get(shuffled(slices.Clone(a.Lists)), load.Zipf(len(a.Lists), 1))
}

// Filter reads the first list of a filter or order.
func (a *API) Filter(name string) Workload {
	return a.get([]string{a.Filtered[name]}, load.Uniform(1))
}

// Writes creates pages that do not exist yet. Run is different in each run
// against the same data.
func (a *API) Writes(run uint32) Workload {
	var made atomic.Uint64
	head := "POST " + a.Create + " HTTP/1.1\r\n" + a.headers() + "Content-Type: application/json\r\nContent-Length: "
	return func(int) load.Source {
		return func(dst []byte) []byte {
			body := corpus.New(run, made.Add(1)).JSON()
			dst = append(dst, head...)
			dst = fmt.Appendf(dst, "%d\r\n\r\n", len(body))
			return append(dst, body...)
		}
	}
}

// Mixed is what a documentation site sees, in a hundred requests: 90 reads, 8
// lists and 2 creates.
func (a *API) Mixed(pick load.Picker, run uint32) Workload {
	read, list, write := a.Read(pick), a.List(true), a.Writes(run)
	return func(conn int) load.Source {
		return load.Mix(chance(conn), []int{90, 8, 2}, []load.Source{read(conn), list(conn), write(conn)})
	}
}

func (a *API) get(paths []string, pick load.Picker) Workload {
	tail := " HTTP/1.1\r\n" + a.headers() + "\r\n"
	return func(conn int) load.Source {
		r := chance(conn)
		return func(dst []byte) []byte {
			dst = append(dst, "GET "...)
			dst = append(dst, paths[pick(r)]...)
			return append(dst, tail...)
		}
	}
}

// headers are the header lines of every request.
func (a *API) headers() string {
	return "Host: " + a.Host + "\r\nAuthorization: Bearer " + a.Token + "\r\nAccept: application/json\r\n"
}

// shuffled returns paths in an order of chance, the same in every run, so that
// the keys which Zipf prefers lie all over the server's own order.
func shuffled(paths []string) []string {
	rand.New(rand.NewPCG(0x5aff1e, 0)).Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	return paths
}
