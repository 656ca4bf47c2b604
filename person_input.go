package octavo

import "strings"

// FormerName replaces the name of a removed person.
const FormerName = "Former user"

// UserPatch is the body for changing a person; nil keeps a member.
type UserPatch struct {
	Name     *string
	Role     *Role
	Disabled *bool
}

// DecodeUserCreate reads the body of an invitation. Unknown members are ignored, or
// errors if strict (decision 48).
func DecodeUserCreate(v Value, strict bool) (User, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("email", "name", "role")
	u := User{Email: orZero(f.str("email")), Name: orZero(f.str("name")), Role: Role(orZero(f.str("role")))}
	f.closed(strict)
	faults.MergeOthers(u.Check())
	return u, faults.Err()
}

// DecodeUserPatch reads a change of a person with at least one member. Unknown members
// are ignored, or errors if strict (decision 48).
func DecodeUserPatch(v Value, strict bool) (UserPatch, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	p := UserPatch{Name: f.str("name")}
	sample := User{Email: "a@example.com", Name: "A", Role: RoleReader}
	if p.Name != nil {
		sample.Name = *p.Name
	}
	if role := f.str("role"); role != nil {
		p.Role = new(Role(*role))
		sample.Role = *p.Role
	}
	if b, ok := f.get("disabled", KindBool); ok {
		p.Disabled = &b.Bool
	}
	f.someOf("name", "role", "disabled")
	f.closed(strict)
	faults.MergeOthers(sample.Check())
	return p, faults.Err()
}

// ClientPatch is the body for registering or changing an OAuth client; nil keeps a
// member. Public is only for registration.
type ClientPatch struct {
	Name         *string
	RedirectURIs *[]string
	Scopes       *Scopes
	Public       bool
}

// DecodeClientCreate reads the registration of an OAuth client. Unknown members are
// ignored, or errors if strict (decision 48).
func DecodeClientCreate(v Value, strict bool) (ClientPatch, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("name")
	c := f.client()
	c.Public = f.flag("public")
	f.closed(strict)
	return c, faults.Err()
}

// DecodeClientPatch reads a change of an OAuth client with at least one member. Unknown
// members are ignored, or errors if strict (decision 48).
func DecodeClientPatch(v Value, strict bool) (ClientPatch, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	c := f.client()
	f.unwanted("public", "an application stays what it was registered as; register another one")
	f.someOf("name", "redirectUris", "scopes")
	f.closed(strict)
	return c, faults.Err()
}

func (f *fields) client() (c ClientPatch) {
	c.Name = f.str("name")
	if f.has("redirectUris") {
		c.RedirectURIs = new(f.texts("redirectUris"))
	} else {
		f.texts("redirectUris")
	}
	if list, _ := f.object.Get("scopes"); list.Kind == KindArray && len(list.Items) == 0 {
		f.known = append(f.known, "scopes")
		c.Scopes = new(Scopes(0)) // nothing for itself
	} else if scopes := f.scopes(); f.has("scopes") {
		c.Scopes = &scopes
	}
	return c
}

// someOf adds an error unless one of the names is present.
func (f *fields) someOf(names ...string) {
	for _, name := range names {
		if f.has(name) {
			return
		}
	}
	if f.object.Kind == KindObject {
		f.faults.Add(f.path, "must name at least one of %s", strings.Join(names, ", "))
	}
}
