package server

import (
	"context"
	"io"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/storage"
)

// readyTimeout limits the checks of /readyz.
const readyTimeout = 2 * time.Second

// operations serves orchestrators: /livez tells whether the process responds, /readyz
// whether it can work; /readyz fails as soon as the process is asked to stop. It also
// serves /metrics and the profiles of net/http/pprof, except the command line, which may
// contain secrets.
func operations(stopping context.Context, st *storage.Storage, finder *live.Service, metrics http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", http.NotFound)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if stopping.Err() != nil {
			answer(w, http.StatusServiceUnavailable, "stopping")
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := st.DB.Ping(ctx); err != nil {
			st.Env.Log.WarnContext(ctx, "not ready", "error", err)
			answer(w, http.StatusServiceUnavailable, "the store does not answer")
			return
		}
		if finder != nil && finder.Ready() != nil {
			answer(w, http.StatusServiceUnavailable, "the search index is not complete yet")
			return
		}
		answer(w, http.StatusOK, "ok")
	})
	return mux
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // the client may have gone
}
