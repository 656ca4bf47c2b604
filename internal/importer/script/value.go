package script

import "strings"

// value reads the expression at token i and returns the token after it.
func (f *file) value(i, depth int) (Node, int) {
	line := f.at(i).line
	if f.nodes--; f.nodes < 0 || depth > maxDepth {
		return Node{Line: line}, f.behind(i)
	}
	n, next := f.primary(i, depth)
	if n.File == "" {
		n.File = f.path
	}
	for {
		switch {
		case f.is(next, ".") && f.at(next+1).kind == name:
			n, next = n.part(f.at(next+1).text), next+2
		case f.is(next, "[") && f.at(next+1).kind == text && f.at(next).match == next+2:
			n, next = n.part(f.at(next+1).text), next+3
		case f.is(next, "as") || f.is(next, "satisfies"):
			return n, f.behind(next)
		case f.ends(next):
			return n, next
		default:
			return Node{Line: line}, f.behind(next)
		}
	}
}

// part returns a member, or Other if there is none.
func (n Node) part(name string) Node {
	for _, m := range n.Members {
		if m.Name == name {
			return n.Get(name)
		}
	}
	return Node{Line: n.Line}
}

// ends reports whether an expression ends before token i. For statements, a word on the
// next line ends it too.
func (f *file) ends(i int) bool {
	t := f.at(i)
	if t.kind == lastWord || t.kind == punct && strings.Contains(",)]};", t.text) {
		return true
	}
	return t.kind == name && i > 0 && t.line > f.at(i-1).line
}

// behind returns the end of the expression at or around token i.
func (f *file) behind(i int) int {
	for first := i; !f.ends(i) || i == first && f.at(i).kind == name; i++ {
		if m := f.at(i).match; m > i {
			i = m
		}
	}
	return i
}

// primary reads an expression without operators.
func (f *file) primary(i, depth int) (Node, int) {
	t := f.at(i)
	switch {
	case t.kind == text:
		return Node{Kind: Text, Text: t.text, Line: t.line}, i + 1
	case t.kind == number:
		return Node{Kind: Text, Text: t.text, Line: t.line}, i + 1
	case t.kind == punct && t.text == "-" && f.at(i+1).kind == number:
		return Node{Kind: Text, Text: "-" + f.at(i+1).text, Line: t.line}, i + 2
	case t.kind == punct && t.text == "[":
		return f.list(i, depth), t.match + 1
	case t.kind == punct && t.text == "{":
		return f.object(i, depth), t.match + 1
	case t.kind == punct && t.text == "(":
		if body, ok := f.arrow(t.match + 1); ok {
			return f.returned(body, depth)
		}
		n, _ := f.value(i+1, depth+1)
		return n, t.match + 1
	case t.kind == name:
		return f.named(i, depth)
	}
	return Node{Line: t.line}, f.behind(i)
}

// arrow returns the body of an arrow function whose parameters end before token i.
func (f *file) arrow(i int) (body int, ok bool) {
	if f.is(i, ":") { // return type
		for !f.is(i, "=>") && !f.ends(i) {
			i = max(i, f.at(i).match) + 1
		}
	}
	return i + 1, f.is(i, "=>")
}

// body reads the value of a function whose parameters end before token i.
func (f *file) body(i, depth int) (Node, int) {
	for !f.is(i, "{") && !f.ends(i) { // skips the type
		i = max(i, f.at(i).match) + 1
	}
	return f.returned(i, depth)
}

// returned reads the value of a function that only returns one.
func (f *file) returned(body, depth int) (Node, int) {
	if !f.is(body, "{") {
		return f.value(body, depth+1)
	}
	end := f.at(body).match
	for i := body + 1; i < end; i++ {
		if m := f.at(i).match; m > i {
			i = m
		} else if f.is(i, "return") {
			n, _ := f.value(i+1, depth+1)
			return n, end + 1
		}
	}
	return Node{Line: f.at(body).line}, end + 1
}

func (f *file) named(i, depth int) (Node, int) {
	t := f.at(i)
	switch t.text {
	case "true", "false":
		return Node{Kind: Text, Text: t.text, Line: t.line}, i + 1
	case "null", "undefined":
		return Node{Kind: Null, Line: t.line}, i + 1
	case "async":
		return f.primary(i+1, depth+1)
	case "function":
		for i++; f.at(i).kind == name || f.is(i, "*"); i++ {
		}
		return f.body(f.at(i).match+1, depth)
	case "await", "new", "class", "typeof":
		return Node{Line: t.line}, f.behind(i)
	}
	if from, ok := f.required(i); ok {
		return f.foreign(imported{from, "default"}, depth+1), i + 4
	}
	_, mine := f.values[t.text]
	_, other := f.imports[t.text]
	i = f.typed(i)
	if !f.is(i+1, "(") {
		n := f.export(t.text, depth)
		if n.Kind == Other {
			n.Line, n.File = t.line, f.path
		}
		return n, i + 1
	}
	end := f.at(i + 1).match
	if end == i+2 && (mine || other) { // no arguments
		return f.export(t.text, depth), end + 1
	}
	call := Node{Kind: Call, Text: t.text, Line: t.line}
	for at := i + 2; at < end; {
		var argument Node
		argument, at = f.value(at, depth+1)
		call.Items = append(call.Items, argument)
		at = f.over(at, end)
	}
	return call, end + 1
}

// typed returns the end of the types behind the name of what is called, as in f<T>(x).
func (f *file) typed(i int) int {
	for at, depth := i+1, 0; f.is(i+1, "<") && at < i+maxDepth && !strings.Contains(")]};", f.at(at).text); at = max(at, f.at(at).match) + 1 {
		depth += strings.Count(f.at(at).text, "<")
		if f.is(at, ">") {
			depth--
		}
		if depth == 0 && f.is(at+1, "(") {
			return at
		}
	}
	return i
}

// over skips a comma; it advances by at least one token, so that parsing terminates.
func (f *file) over(i, end int) int {
	for i < end && !f.is(i, ",") {
		if m := f.at(i).match; m > i {
			i = m
		}
		i++
	}
	return i + 1
}

func (f *file) list(i, depth int) Node {
	n := Node{Kind: List, Line: f.at(i).line}
	end := f.at(i).match
	for i++; i < end; i = f.over(i, end) {
		spread := f.is(i, "...")
		if f.is(i, ",") {
			continue
		}
		if spread {
			i++
		}
		var item Node
		item, i = f.value(i, depth+1)
		if spread && item.Kind == List {
			n.Items = append(n.Items, item.Items...)
		} else if spread {
			n.Items = append(n.Items, Node{Line: item.Line})
		} else {
			n.Items = append(n.Items, item)
		}
	}
	return n
}

func (f *file) object(i, depth int) Node {
	n := Node{Kind: Object, Line: f.at(i).line}
	end := f.at(i).match
	for i++; i < end; i = f.over(i, end) {
		t := f.at(i)
		var value Node
		switch {
		case f.is(i, "..."):
			value, i = f.value(i+1, depth+1)
			if value.Kind == Object {
				n.Members = append(n.Members, value.Members...)
			} else {
				n.Members = append(n.Members, Member{"...", Node{Line: t.line}})
			}
			continue
		case f.is(i, "[") && f.at(i+1).kind == text && t.match == i+2: // a computed key that is a string
			t, i = f.at(i+1), i+2
		case t.kind != name && t.kind != text && t.kind != number:
			continue
		}
		if t.text == "async" && f.at(i+1).kind == name {
			i++
			t = f.at(i)
		}
		switch {
		case f.is(i+1, ":"):
			value, i = f.value(i+2, depth+1)
			value.Line = t.line
		case f.is(i+1, "(") && f.is(i+2, ")"): // a method without parameters
			value, i = f.body(i+3, depth)
		case f.ends(i + 1):
			value, i = f.named(i, depth)
		default:
			value = Node{Line: t.line}
		}
		n.Members = append(n.Members, Member{t.text, value})
	}
	return n
}
