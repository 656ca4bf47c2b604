package rest

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
)

// offer is one element of an Accept or Accept-Encoding field.
type offer struct {
	name    string  // lower case: type/subtype or coding
	quality float64 // 0 to 1; 0 refuses
}

// offers reads a list field with weights (RFC 9110 section 12.4). Elements that are not
// tokens are skipped.
func offers(values []string) []offer {
	if len(values) == 0 {
		return nil
	}
	var list []offer
	for _, element := range strings.Split(strings.Join(values, ","), ",") {
		params := strings.Split(element, ";")
		o := offer{name: strings.ToLower(strings.TrimSpace(params[0])), quality: 1}
		for _, p := range params[1:] {
			name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
			if !strings.EqualFold(name, "q") {
				continue
			}
			q, err := strconv.ParseFloat(value, 64)
			if err != nil || q < 0 || q > 1 {
				q = 0
			}
			o.quality = q
		}
		if o.name != "" {
			list = append(list, o)
		}
	}
	return list
}

// Negotiate returns the client's preferred media type among those available; the first
// wins a tie, and a missing Accept field accepts all (RFC 9110 section 12.5.1).
func (r *Request) Negotiate(available ...string) (string, error) {
	values := r.Header["Accept"]
	if len(values) == 1 && values[0] == available[0] {
		return available[0], nil
	}
	accepted := offers(values)
	if len(accepted) == 0 {
		return available[0], nil
	}
	best, bestQuality := "", 0.0
	for _, media := range available {
		kind, _, _ := strings.Cut(media, "/")
		quality, specific := 0.0, 0
		for _, o := range accepted {
			s := 0
			switch o.name {
			case media:
				s = 3
			case kind + "/*":
				s = 2
			case "*/*":
				s = 1
			}
			if s > specific {
				quality, specific = o.quality, s
			}
		}
		if quality > bestQuality {
			best, bestQuality = media, quality
		}
	}
	if best == "" {
		return "", octavo.Errorf(octavo.NotAcceptable, "This resource is available as %s.", strings.Join(available, " and "))
	}
	return best, nil
}

// AcceptsGzip reports whether the response may be compressed.
func (r *Request) AcceptsGzip() bool {
	values := r.Header["Accept-Encoding"]
	if len(values) == 1 && (values[0] == "gzip" || values[0] == "identity") {
		return values[0] == "gzip" // sent by most programs
	}
	any := false
	for _, o := range offers(values) {
		switch o.name {
		case "gzip", "x-gzip":
			return o.quality > 0
		case "*":
			any = o.quality > 0
		}
	}
	return any
}
