package authserver

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// loopbacks are the hosts that a native client may use in a redirect URI, with any port
// (RFC 8252 section 7.3).
func loopbacks() []string { return []string{"http://127.0.0.1", "http://[::1]"} }

// CheckRedirectURI returns what is wrong with a redirect URI to be registered, or "".
func CheckRedirectURI(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || len(text) > 2000 || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' || r == '*' }):
		return "must be an absolute URI without spaces, wildcards or characters outside ASCII"
	case u.Fragment != "" || strings.Contains(text, "#"):
		return "must not have a fragment"
	case u.User != nil:
		return "must not have a user"
	case u.Scheme == "https" && u.Hostname() != "":
		return ""
	case u.Scheme == "http" && (u.Hostname() == "127.0.0.1" || u.Hostname() == "::1" || u.Hostname() == "localhost"):
		return ""
	case strings.Contains(u.Scheme, ".") && u.Host == "" && strings.HasPrefix(u.Path, "/"):
		return "" // a custom scheme of an installed app (RFC 8252 section 7.1)
	}
	return fmt.Sprintf("must begin with https://, with http:// for a program on the same machine, or with a scheme such as com.example.app:/ (it is %.40q)", u.Scheme)
}

// matchRedirect reports whether a redirect URI is registered: exactly, except for the port
// of a loopback address.
func matchRedirect(registered []string, asked string) bool {
	for _, known := range registered {
		if asked == known {
			return true
		}
		for _, host := range loopbacks() {
			knownRest, ok := withoutPort(known, host)
			askedRest, ok2 := withoutPort(asked, host)
			if ok && ok2 && knownRest == askedRest {
				return true
			}
		}
	}
	return false
}

// withoutPort returns what follows the host and optional port in a URI.
func withoutPort(uri, host string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(uri, host)
	if !ok {
		return "", false
	}
	if port, found := strings.CutPrefix(rest, ":"); found {
		end := strings.IndexFunc(port, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(port)
		}
		if n, err := strconv.ParseUint(port[:end], 10, 16); err != nil || n == 0 {
			return "", false
		}
		rest = port[end:]
	}
	return rest, rest == "" || rest[0] == '/' || rest[0] == '?'
}

// formTarget returns the source expression for a redirect URI in a
// Content-Security-Policy.
func formTarget(uri string) string {
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return ""
	case u.Host == "" || strings.Contains(u.Host, "["): // a policy cannot contain IPv6 addresses
		return u.Scheme + ":"
	}
	return u.Scheme + "://" + u.Host
}
