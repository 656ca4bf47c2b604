package fuzztest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// generator draws values.
type generator struct {
	*rand.Rand
	d *document

	proposals bool // whether only what concerns proposals is drawn
	known     *harvest
	count     int
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func oneOf[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// hostile are values that replace valid ones.
func hostile() []any {
	return []any{
		nil, "", 0, -1, 1.5, int64(9223372036854775807), true,
		[]any{},
		node{},
		[]any{[]any{[]any{}}},
		node{"": node{"": nil}},
		" ", "\x00", "😀", "../..", "%00", strings.Repeat("x", 600), "page_01h455vb4pex5vsknk084sn02q", "published", "root",
		"2026-02-30T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "javascript:alert(1)", "*", `"x"`, "a,b;c=d&e#f?g", "\u202e\u0301",
		"zz_9", strings.Repeat("漢", 121),
		[]any{nil, 1, "a", "a"},
		"-", "A", "a--b", "null", "1e999",
	}
}

// value draws a value for a schema. The name of the member selects the most sensible one.
func (g *generator) value(name string, schema any, depth int) any {
	if g.known.hostility > 0 && g.IntN(1000) < g.known.hostility {
		return oneOf(g, hostile())
	}
	if v, ok := g.sensible(name); ok {
		return v
	}
	s := g.d.object(schema)
	for _, key := range []string{"oneOf", "anyOf"} {
		if list, ok := s[key].([]any); ok {
			return g.value(name, oneOf(g, list), depth)
		}
	}
	if list, ok := s["allOf"].([]any); ok {
		all := node{}
		for _, part := range list {
			if n, ok := g.value(name, part, depth).(node); ok {
				maps.Copy(all, n)
			}
		}
		return all
	}
	if v, ok := s["const"]; ok {
		return v
	}
	if list, ok := s["enum"].([]any); ok {
		return oneOf(g, list)
	}
	kind, _ := s["type"].(string)
	if list, ok := s["type"].([]any); ok {
		kind, _ = oneOf(g, list).(string)
	}
	switch kind {
	case "null":
		return nil
	case "boolean":
		return g.chance(50)
	case "integer", "number":
		return g.number(s)
	case "array":
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(name+"/", s["items"], depth+1))
		}
		return list
	case "object", "":
		return g.members(s, depth)
	}
	return g.text(s)
}

func (g *generator) members(s node, depth int) any {
	object := node{}
	required, _ := s["required"].([]any)
	properties := g.d.object(s["properties"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) && !g.chance(2) || g.IntN(10) < 4 && depth < 6 {
			object[name] = g.value(name, properties[name], depth+1)
		}
	}
	if s["additionalProperties"] != nil && s["additionalProperties"] != false || g.IntN(60) == 0 {
		for range g.IntN(3) {
			object[oneOf(g, []string{"tags", "a", "é", "description", "weight"})] = oneOf(g, []any{"x", 1, true, nil, []any{"guide"}, node{"b": 1.5}})
		}
	}
	if properties["op"] != nil && properties["baseRevision"] != nil {
		g.sensibleChange(object)
	}
	if properties["changes"] != nil && object["changes"] == nil && g.chance(60) {
		object["changes"] = g.value("changes", properties["changes"], depth+1)
	}
	return object
}

// sensibleChange usually removes the members that the operation of a change does not have.
func (g *generator) sensibleChange(c node) {
	op, _ := c["op"].(string)
	needs := map[string][]string{"create": {"title", "slug", "content"}, "update": {"pageId", oneOf(g, []string{"title", "content"})}, "delete": {"pageId"}, "restore": {"pageId"}}[op]
	if g.chance(10) || needs == nil {
		return
	}
	if g.chance(80) {
		delete(c, "baseRevision")
	}
	for name := range c {
		left := name == "op" || slices.Contains(needs, name) || op == "delete" && name == "children" ||
			(op == "create" || op == "update" && name != "slug") && name != "pageId" && name != "children" && name != "frontmatterRaw" && g.chance(80)
		if !left {
			delete(c, name)
		}
	}
	for _, name := range needs {
		if v, ok := g.sensible(name); ok && c[name] == nil {
			c[name] = v
		}
	}
}

func (g *generator) number(s node) any {
	least, most := 0, 120
	if v, ok := s["minimum"].(int); ok {
		least = max(v, -1000)
	}
	if v, ok := s["maximum"].(int); ok {
		most = min(v, 120)
	}
	return least + g.IntN(max(1, most-least+1))
}

func (g *generator) text(s node) any {
	switch s["format"] {
	case "date-time":
		return oneOf(g, []string{"2020-01-01T00:00:00Z", "2036-05-04T03:02:01.123Z", "2026-12-31T23:59:59+14:00", "1970-01-01T00:00:00Z"})
	case "uri", "uri-reference":
		return oneOf(g, []string{"https://a.example/x", "http://127.0.0.1:1/hook", "https://[::1]/", "https://b.example/?q=1"})
	case "email":
		return "a@b.example"
	}
	return oneOf(g, []string{"one", "Two words", "é漢字", "<b>&amp;</b>", "=1+1", "a\nb", "x"})
}

// sensible draws a value by its name, often from an earlier response.
func (g *generator) sensible(name string) (any, bool) {
	earlier := func(kind string) (any, bool) {
		v, ok := g.known.pick(g, kind)
		return v, ok
	}
	switch name {
	case "pageId", "parentId":
		if name == "parentId" && g.chance(25) {
			return nil, true
		}
		return earlier("page")
	case "id", "id/":
		return earlier(oneOf(g, []string{"page", "page", "asset", g.known.kind}))
	case "proposalId":
		return g.known.pickProposal(g, g.known.part)
	case "changeId":
		return g.known.pickPart(g, "chg")
	case "commentId", "replyTo":
		return g.known.pickPart(g, "cmt")
	case "reviewId":
		return g.known.pickPart(g, "rev")
	case "line", "baseRevision":
		return 1 + g.IntN(3), true
	case "assetId":
		return earlier("asset")
	case "exportId":
		return earlier("exp")
	case "deliveryId":
		return earlier("dlv")
	case "ifMatch", "If-Match", "If-None-Match":
		if g.chance(10) || g.known.kind == "prop" && g.chance(70) {
			return "*", true
		}
		return earlier("etag")
	case "cursor":
		return earlier("cursor")
	case "after", "Last-Event-ID":
		return earlier("position")
	case "slug":
		if g.chance(25) {
			return earlier("slug")
		}
		g.count++
		return fmt.Sprintf("slug-%d", g.count), true
	case "title":
		g.count++
		return fmt.Sprint("Title ", g.count), true
	case "content":
		return g.markdown(), true
	case "number":
		return 1 + g.IntN(4), true
	case "tag", "tags/":
		return oneOf(g, []string{"guide", "a", "é", "x"}), true
	case "q":
		return oneOf(g, []string{"title", "guide", "word", `"title 1"`, "slug-1", "x -y"}), true
	case "wait":
		return 0, true
	case "Prefer":
		return oneOf(g, []string{"handling=strict", "handling=lenient", "respond-async"}), true
	case "Idempotency-Key":
		g.count++
		return fmt.Sprint("key-", g.count), true
	case "filters":
		return oneOf(g, []string{`{"tags":["guide"]}`, `{"updatedAfter":"2020-01-01T00:00:00Z"}`, `{`, `[]`, `{"tags":1}`}), true
	case "X-Trace-Id":
		return "trace", true
	}
	return nil, false
}

// markdown draws the content of a page, with links to others.
func (g *generator) markdown() string {
	var b strings.Builder
	g.count++
	fmt.Fprintf(&b, "# Word %d\n\n", g.count)
	for range g.IntN(4) {
		kind := oneOf(g, []string{"slug", "slug", "slug", "slug", "page", "url", "url"})
		if target, ok := g.known.pick(g, kind); ok {
			fmt.Fprintf(&b, "%s[label](%v) ", oneOf(g, []string{"", "!"}), target)
		}
	}
	b.WriteString(oneOf(g, []string{"", "text\n", "```go\nx := 1\n```\n", "<Note>mdx {1}</Note>\n", "import X from './x'\n\n<X/>\n", "| a |\n|---|\n| b |\n", "\u0000"[:0] + "é\r\n漢字"}))
	return b.String()
}
