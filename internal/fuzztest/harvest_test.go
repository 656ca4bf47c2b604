package fuzztest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// capture is a value from an earlier response. Requests name it as ${name}, so that a
// sequence can be replayed with other values.
type capture struct {
	name, value string
	step        int    // whose answer has it
	from        string // a JSON Pointer, or "header NAME"
	proposal    string // the identifier of the one that it belongs to
	as          string // caller that received it
}

// harvest has values of earlier responses. Its kinds are the prefixes of identifiers, and
// etag, cursor, position, slug, url and key.
type harvest struct {
	byKind    map[string][]capture
	seen      map[string]bool
	all       []capture
	kind      string // which an id of unknown kind should have
	proposal  string // that the next identifiers should belong to, or belong to as they are taken
	part      string // the kind that a path holds beside a proposal
	as        string // caller of the current request
	hostility int    // how many of a thousand values are hostile
}

// most is the maximum number of values of a kind.
const most = 30

// pick draws one of a kind.
func (h *harvest) pick(g *generator, kind string) (string, bool) {
	c, ok := h.draw(g, h.byKind[kind])
	return "${" + c.name + "}", ok
}

func (h *harvest) draw(g *generator, list []capture) (c capture, ok bool) {
	if len(list) == 0 {
		return c, false
	}
	return list[len(list)-1-min(g.IntN(len(list)), g.IntN(len(list)))], true // the latest more often
}

// pickProposal draws a proposal, or one that has a part of a kind, which pickPart then
// draws. Usually a caller that has read it sends the request.
func (h *harvest) pickProposal(g *generator, part string) (string, bool) {
	kind := "prop"
	if part != "" && len(h.byKind[part]) > 0 {
		kind = part
	}
	c, ok := h.draw(g, h.byKind[kind])
	if ok && part != "" && c.proposal != "" {
		for _, p := range h.byKind["prop"] {
			if p.value == c.proposal {
				c = p
			}
		}
	}
	h.proposal = c.value
	if g.chance(60) {
		h.as = c.as
	}
	return "${" + c.name + "}", ok
}

// pickPart draws a value of a kind that belongs to the drawn proposal.
func (h *harvest) pickPart(g *generator, kind string) (string, bool) {
	var own []capture
	for _, c := range h.byKind[kind] {
		if c.proposal == h.proposal {
			own = append(own, c)
		}
	}
	if c, ok := h.draw(g, own); ok {
		return "${" + c.name + "}", true
	}
	return h.pick(g, kind)
}

func (h *harvest) add(kind, value string, step int, from string) {
	if value == "" || h.seen[kind+value] {
		return
	}
	h.seen[kind+value] = true
	c := capture{fmt.Sprintf("v%d", len(h.seen)), value, step, from, h.proposal, h.as}
	h.all = append(h.all, c)
	if h.byKind[kind] = append(h.byKind[kind], c); len(h.byKind[kind]) > most {
		h.byKind[kind] = h.byKind[kind][1:]
	}
}

var proposalIn = regexp.MustCompile(`prop_\w+`)

var identifier = regexp.MustCompile(`^([a-z]{2,})_[A-Za-z0-9]{10,}$`)

// take records the values in a response.
func (h *harvest) take(r request, path string, res *answer) {
	step := r.number
	h.as, h.proposal = r.as, proposalIn.FindString(path)
	h.add("etag", res.header.Get("ETag"), step, "header ETag")
	var v any
	if json.Unmarshal(res.body, &v) == nil && res.status < http.StatusBadRequest {
		h.walk(v, "", step)
	}
}

func (h *harvest) walk(v any, at string, step int) {
	switch v := v.(type) {
	case node:
		if id, _ := v["id"].(string); strings.HasPrefix(id, "prop_") {
			h.proposal = id
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			h.walk(v[name], at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), step)
		}
	case []any:
		for i, item := range v {
			if i < 5 {
				h.walk(item, fmt.Sprint(at, "/", i), step)
			}
		}
	case string:
		name := at[strings.LastIndex(at, "/")+1:]
		switch m := identifier.FindStringSubmatch(v); {
		case m != nil && m[1] != "req":
			h.add(m[1], v, step, at)
		case name == "cursor", name == "slug", name == "url":
			h.add(name, v, step, at)
		case name == "next":
			h.add("position", v, step, at)
		case name == "key" && strings.HasPrefix(v, "oct_"):
			h.add("key", v, step, at)
		}
	}
}

// find returns the value of a capture in a response.
func (c capture) find(res *answer) (string, bool) {
	if name, ok := strings.CutPrefix(c.from, "header "); ok {
		v := res.header.Get(name)
		return v, v != ""
	}
	var v any
	if json.Unmarshal(res.body, &v) != nil {
		return "", false
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(c.from, "/"), "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch in := v.(type) {
		case node:
			v = in[token]
		case []any:
			var i int
			if _, err := fmt.Sscan(token, &i); err != nil || i >= len(in) {
				return "", false
			}
			v = in[i]
		default:
			return "", false
		}
	}
	text, ok := v.(string)
	return text, ok
}

// newest returns the number of captures.
func (h *harvest) newest() int { return len(h.all) }

// since returns the captures after the first n.
func (h *harvest) since(n int) []capture { return h.all[n:] }
