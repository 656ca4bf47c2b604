package config

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// masked replaces secrets in shown configuration.
const masked = "********"

// Secret is a text that formats as a mask.
type Secret string

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return masked
}

// Database is the address of a PostgreSQL database; "" means none. It formats without its
// password.
type Database string

// check is not UnmarshalText, since kong's errors would show the value.
func (d Database) check() error {
	u, err := url.Parse(string(d))
	if d != "" && (err != nil || u.Opaque != "" || u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return errors.New("--database-url must be a URL such as postgres://user:password@host/name")
	}
	return nil
}

// String masks the password and the parameters, which may contain another.
func (d Database) String() string {
	u, err := url.Parse(string(d))
	switch {
	case err != nil:
		return masked
	case u.RawQuery != "":
		u.RawQuery = "xxxxx"
	}
	return u.Redacted()
}

// Bucket is the address of a bucket; "" means none. It formats without its secret.
type Bucket string

// check is not UnmarshalText, since kong's errors would show the value.
func (b Bucket) check() error {
	if b == "" {
		return nil
	}
	u, err := url.Parse(string(b))
	if err != nil || u.Scheme != "s3" || u.Host == "" || strings.Contains(strings.Trim(u.Path, "/"), "/") {
		return errors.New("--blob-url must be a URL such as s3://key:secret@s3.eu-central-1.amazonaws.com/bucket")
	}
	if n := len(strings.Trim(u.Path, "/")); n < 3 || n > 63 { // the limits of S3
		return errors.New("--blob-url must name a bucket, by 3 to 63 characters, such as s3://key:secret@s3.eu-central-1.amazonaws.com/bucket")
	}
	parameters, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errors.New("--blob-url has parameters that cannot be read: write them as ?region=eu-central-1&prefix=docs")
	}
	for _, name := range sortedKeys(parameters) {
		if err := oneOf(name, "region", "prefix", "insecure"); err != nil {
			return fmt.Errorf("--blob-url: parameter %w", err)
		}
	}
	if insecure := parameters.Get("insecure"); parameters.Has("insecure") && insecure != "true" && insecure != "false" {
		return fmt.Errorf("--blob-url has insecure=%s: use true for a server without TLS, or omit it", insecure)
	}
	return nil
}

// String masks the secret.
func (b Bucket) String() string {
	u, err := url.Parse(string(b))
	if err != nil {
		return masked
	}
	return u.Redacted()
}

// Address is a host and port to listen on; "" means none.
type Address string

func (a *Address) UnmarshalText(text []byte) error {
	*a = Address(text)
	if *a == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(string(text))
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("%q is not an address to listen on: write HOST:PORT, such as 127.0.0.1:8080 or :8080", text)
	}
	return nil
}

// URL is an absolute http or https address without a trailing slash; "" means none.
type URL string

func (u *URL) UnmarshalText(text []byte) error {
	*u = URL(strings.TrimRight(string(text), "/"))
	if *u == "" {
		return nil
	}
	parsed, err := url.Parse(string(*u))
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "" ||
		parsed.User != nil || parsed.RawQuery != "" || parsed.ForceQuery || strings.Contains(string(*u), "#") {
		return fmt.Errorf("%q is not an address of a server: write one such as https://docs.example.com, without user, query and fragment", text)
	}
	if asciiHost(parsed) {
		*u = URL(parsed.String())
	}
	return nil
}

// asciiHost writes the host of an address in ASCII, as browsers send it (RFC 5890), and
// reports whether that changed it. It leaves invalid hosts unchanged.
func asciiHost(u *url.URL) bool {
	host := u.Hostname()
	if !strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return false
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return false
	}
	u.Host = strings.Replace(u.Host, host, ascii, 1)
	return true
}

// sameOrigin reports whether both have the same scheme, host and port.
func (u URL) sameOrigin(other URL) bool {
	one, two := u.parts(), other.parts()
	return one.Scheme == two.Scheme && strings.EqualFold(one.Host, two.Host)
}

func (u URL) parts() *url.URL {
	parsed, err := url.Parse(string(u))
	if err != nil {
		return &url.URL{} // unreachable: UnmarshalText has parsed it
	}
	return parsed
}

// host returns host and port as browsers send them.
func (u URL) host() string {
	parsed := u.parts()
	return strings.TrimSuffix(strings.ToLower(parsed.Host), map[string]string{"http": ":80", "https": ":443"}[parsed.Scheme])
}

// Size is a positive number of bytes.
type Size int64

// UnmarshalText reads a number with an optional unit, a power of 1024, also with iB or B
// behind it.
func (s *Size) UnmarshalText(text []byte) error {
	number, unit := string(text), ""
	if i := strings.IndexFunc(number, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		number, unit = number[:i], strings.ToLower(strings.TrimSpace(number[i:]))
	}
	n, err := strconv.ParseInt(number, 10, 64)
	shift, known := map[string]int{"": 0, "b": 0, "k": 10, "m": 20, "g": 30}[strings.TrimSuffix(strings.TrimSuffix(unit, "b"), "i")]
	if err != nil || !known || n > math.MaxInt64>>shift {
		return fmt.Errorf("%q is not a size: write bytes such as 2097152, or 512KiB, 2MiB, 1GiB", text)
	}
	*s = Size(n << shift)
	return nil
}

// String uses the largest unit that divides the size.
func (s Size) String() string {
	for _, u := range []struct {
		size Size
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if s != 0 && s%u.size == 0 {
			return strconv.FormatInt(int64(s/u.size), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// Region is a search region of the contract.
type Region string

// ProcessRole is a task of a server process.
type ProcessRole string

const (
	RoleAPI    ProcessRole = "api"
	RoleSearch ProcessRole = "search"
	RoleWorker ProcessRole = "worker"
	RoleAuth   ProcessRole = "auth"
	RoleSite   ProcessRole = "site"
)

// SiteMode is the audience of the site.
type SiteMode string

const (
	SiteOff     SiteMode = "off"
	SiteMembers SiteMode = "members"
	SitePublic  SiteMode = "public"
)

// Weight is the weight of a page field in search. It keeps its spelling.
type Weight string

const maxWeight = 100

// number returns the weight, or 0 if it is not a number.
func (w Weight) number() float64 {
	n, err := strconv.ParseFloat(string(w), 64)
	if err != nil {
		return 0
	}
	return n
}

// SearchWeights returns the configured field weights.
func (s *Server) SearchWeights() map[string]float64 {
	weights := make(map[string]float64, len(s.Weights))
	for field, w := range s.Weights {
		weights[field] = w.number()
	}
	return weights
}

// valid is not UnmarshalText, since kong does not report errors in map values.
func (w Weight) valid() bool { return w.number() > 0 && w.number() <= maxWeight }

// weighed returns the fields that have a weight.
func weighed() []string {
	return []string{"title", "headings", "body", "code", "description", "slug", "former", "tags", "ancestors", "links", "names"}
}

// Version is a version of the API.
type Version string

func oneOf(text string, known ...string) error {
	if slices.Contains(known, text) {
		return nil
	}
	return fmt.Errorf("%q is unknown: use %s", text, strings.Join(known, ", "))
}

// Network is a range of addresses; a single address is a range of one.
type Network struct{ netip.Prefix }

func (n *Network) UnmarshalText(text []byte) error {
	if addr, err := netip.ParseAddr(string(text)); err == nil && addr.Zone() == "" {
		n.Prefix = netip.PrefixFrom(addr, addr.BitLen())
		return nil
	}
	prefix, err := netip.ParsePrefix(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a network: write one such as 10.0.0.0/8, fd00::/8 or 192.0.2.7", text)
	}
	n.Prefix = prefix.Masked()
	return nil
}

// Origin is an Origin header of a browser, or * for any.
type Origin string

func (o *Origin) UnmarshalText(text []byte) error {
	*o = Origin(text)
	if *o == "*" {
		return nil
	}
	u, err := url.Parse(string(text))
	if err == nil && asciiHost(u) {
		*o = Origin(u.String())
		text = []byte(*o)
	}
	if err != nil || u.Scheme == "" || u.Host == "" || string(text) != u.Scheme+"://"+strings.ToLower(u.Host) {
		return fmt.Errorf("%q is not an origin: write *, or one such as https://docs.example.com, in lower case and without a path", text)
	}
	return nil
}
