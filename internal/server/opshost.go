package server

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/config"
)

// ownHost refuses host names in the Host header except localhost, the host of addr, and
// hosts. Otherwise a web page could read profiles with a name that resolves to this
// address (DNS rebinding).
func ownHost(h http.Handler, addr config.Address, hosts []string) http.Handler {
	own, _, err := net.SplitHostPort(string(addr))
	if err == nil && own != "" {
		hosts = append(slices.Clone(hosts), own)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !knownHost(r.Host, hosts) {
			answer(w, http.StatusMisdirectedRequest, "this is another host: name it in --ops-hosts")
			return
		}
		h.ServeHTTP(w, r)
	})
}

func knownHost(host string, hosts []string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	_, err := netip.ParseAddr(host)
	return err == nil || host == "" || host == "localhost" || slices.ContainsFunc(hosts, func(known string) bool { return strings.EqualFold(known, host) })
}
