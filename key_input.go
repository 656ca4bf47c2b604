package octavo

import "time"

// KeyCreate is the body for creating an API key. The values are checked where keys are
// made.
type KeyCreate struct {
	Name          string
	Kind          KeyKind // "" when left out
	Scopes        Scopes  // 0 when left out
	PublishedOnly bool
	Tags          []string
	RateLimit     *int
	ExpiresAt     *OptTime // nil when left out; null is never
}

// KeyRotate is the body for rotating an API key.
type KeyRotate struct {
	GracePeriod *time.Duration // nil when left out; whole seconds
	ExpiresAt   *OptTime       // nil when left out; null is never
}

// DecodeKeyCreate reads the body for creating a key. Unknown members are ignored, or
// errors if strict (decision 48).
func DecodeKeyCreate(v Value, strict bool) (KeyCreate, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("name")
	k := KeyCreate{
		Name: orZero(f.str("name")), Kind: KeyKind(orZero(f.str("kind"))), Scopes: f.scopes(), PublishedOnly: f.flag("publishedOnly"),
	}
	if filter, ok := f.get("filter", KindObject); ok {
		k.Tags = readFilter(filter, strict, &faults)
	}
	if n, ok := f.whole("rateLimit", 1); ok {
		limit := int(n)
		k.RateLimit = &limit
	}
	if t, ok := f.time("expiresAt"); ok {
		k.ExpiresAt = &OptTime{t}
	}
	f.closed(strict)
	return k, faults.Err()
}

// DecodeKeyRotate reads the body for rotating a key. Unknown members are ignored, or
// errors if strict (decision 48).
func DecodeKeyRotate(v Value, strict bool) (KeyRotate, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	var k KeyRotate
	if n, ok := f.whole("gracePeriod", 0); ok {
		grace := time.Duration(n) * time.Second
		k.GracePeriod = &grace
	}
	if t, ok := f.time("expiresAt"); ok {
		k.ExpiresAt = &OptTime{t}
	}
	f.closed(strict)
	return k, faults.Err()
}

// readFilter reads the tags that a search key is restricted to.
func readFilter(v Value, strict bool, faults *Faults) []string {
	f := readObject(v, "/filter", faults)
	tags := f.texts("tags")
	f.closed(strict)
	return tags
}

// scopes reads a list of scope names.
func (f *fields) scopes() (set Scopes) {
	path := Pointer(f.path, "scopes")
	names := f.texts("scopes")
	for i, name := range names {
		scope, err := ParseScopes(name)
		switch {
		case err != nil || scope == 0 || name != scope.String():
			f.faults.Add(PointerIndex(path, i), "must be one of pages:read, pages:propose, pages:write, admin")
		case set&scope != 0:
			f.faults.Add(PointerIndex(path, i), "must not repeat a scope")
		}
		set |= scope
	}
	if v, ok := f.object.Get("scopes"); ok && v.Kind == KindArray && len(v.Items) == 0 {
		f.faults.Add(path, "must name a scope")
	}
	return set
}

// texts reads a list of strings.
func (f *fields) texts(name string) (list []string) {
	v, _ := f.get(name, KindArray)
	for i, item := range v.Items {
		if item.Kind != KindString {
			f.faults.Add(PointerIndex(Pointer(f.path, name), i), "must be a string, not %s", article(item.Kind))
			continue
		}
		list = append(list, item.Str)
	}
	return list
}

// whole reads a whole number from least to a billion.
func (f *fields) whole(name string, least int64) (n int64, ok bool) {
	const most = 1_000_000_000
	v, ok := f.get(name, KindNumber)
	if !ok {
		return 0, false
	}
	n, ok = v.Int()
	if !ok || n < least || n > most {
		f.faults.Add(Pointer(f.path, name), "must be a whole number from %d to %d", least, most)
		return 0, false
	}
	return n, true
}
