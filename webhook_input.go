package octavo

import (
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxWebhookDescription is the maximum of characters in a webhook's description.
const MaxWebhookDescription = 1000

// DecodeWebhookCreate reads the body for registering a webhook. Unknown members are
// ignored, or errors if strict (decision 48).
func DecodeWebhookCreate(v Value, strict bool) (WebhookCreate, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("url")
	w := WebhookCreate{
		Types: f.eventTypes(), URL: orZero(f.endpoint()), Description: orZero(f.description()), Disabled: f.flag("disabled"),
	}
	if w.Types == nil {
		w.Types = DefaultEventTypes()
	}
	f.closed(strict)
	return w, faults.Err()
}

// DecodeWebhookPatch reads a change of a webhook with at least one member. Unknown
// members are ignored, or errors if strict (decision 48).
func DecodeWebhookPatch(v Value, strict bool) (WebhookPatch, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	w := WebhookPatch{URL: f.endpoint(), Types: f.eventTypes(), Description: f.description()}
	if b, ok := f.get("disabled", KindBool); ok {
		w.Disabled = &b.Bool
	}
	if v.Kind == KindObject && len(f.unknown()) == len(v.Members) {
		faults.Add("", "must name at least one of url, types, description, disabled")
	}
	f.closed(strict)
	return w, faults.Err()
}

// DecodeRedeliver reads from when on failed deliveries are sent again. Unknown members
// are ignored, or errors if strict (decision 48).
func DecodeRedeliver(v Value, strict bool) (since time.Time, err error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("since")
	t, present := f.time("since")
	switch {
	case t != nil:
		since = *t
	case present:
		faults.Add("/since", "must be a time, not null")
	}
	f.closed(strict)
	return since, faults.Err()
}

// endpoint reads the address of a webhook, or nil. It must not contain a user or
// password: receivers get no Authorization (decision 56), so requests would not have
// them.
func (f *fields) endpoint() *string {
	s := f.str("url")
	if s == nil {
		return nil
	}
	path := Pointer(f.path, "url")
	if msg := CheckHTTPURL(*s); msg != "" {
		f.faults.Add(path, "%s", msg)
	} else if u, err := url.Parse(*s); err != nil || u.User != nil {
		f.faults.Add(path, "must not contain a user name or password: receivers verify the signature instead")
	}
	return s
}

func (f *fields) description() *string {
	s := f.str("description")
	if s == nil {
		return nil
	}
	path := Pointer(f.path, "description")
	if n := utf8.RuneCountInString(*s); n > MaxWebhookDescription {
		f.faults.Add(path, "must have at most %d characters; it has %d", MaxWebhookDescription, n)
	}
	if strings.ContainsRune(*s, 0) {
		f.faults.Add(path, "must not contain the NUL character")
	}
	return s
}

// eventTypes reads the selected events; nil if the member is absent.
func (f *fields) eventTypes() []EventType {
	v, ok := f.get("types", KindArray)
	if !ok {
		return nil
	}
	path := Pointer(f.path, "types")
	switch n := len(v.Items); {
	case n == 0:
		f.faults.Add(path, "must name an event type")
	case n > MaxEventTypes:
		f.faults.Add(path, "must name at most %d event types; it names %d", MaxEventTypes, n)
		return nil
	}
	seen := map[EventType]bool{}
	var types []EventType
	for i, item := range v.Items {
		t := EventType(item.Str)
		switch {
		case item.Kind != KindString:
			f.faults.Add(PointerIndex(path, i), "must be a string, not %s", article(item.Kind))
		case !t.WellFormed():
			f.faults.Add(PointerIndex(path, i), "must be words of lower-case letters with dots between them, such as page.published")
		case seen[t]:
			f.faults.Add(PointerIndex(path, i), "must not repeat an event type")
		}
		seen[t] = true
		types = append(types, t)
	}
	return types
}
