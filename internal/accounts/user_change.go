package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// UserChange is a change of a person; nil fields stay.
type UserChange struct {
	octavo.UserPatch
	// RolesBy is the issuer that sets people's roles, or "". Changing the
	// role of a person that it knows is then a Conflict.
	RolesBy string
}

// SetDisabled disables a person, or enables them again.
func (s *Users) SetDisabled(ctx context.Context, cause sqldb.Cause, id octavo.ID, disabled bool) error {
	_, err := s.Change(ctx, cause, id, UserChange{UserPatch: octavo.UserPatch{Disabled: &disabled}})
	return err
}

// SetRole changes what a person may do.
func (s *Users) SetRole(ctx context.Context, cause sqldb.Cause, id octavo.ID, role octavo.Role) error {
	_, err := s.Change(ctx, cause, id, UserChange{UserPatch: octavo.UserPatch{Role: &role}})
	return err
}

// Change changes a person and returns the result. An unknown person is a
// NotFound error. The last administrator can neither be disabled nor get
// another role, which is a Conflict.
func (s *Users) Change(ctx context.Context, cause sqldb.Cause, id octavo.ID, c UserChange) (u User, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if u, err = lockPeople(tx, id); err != nil {
			return err
		}
		before := u
		if c.Name != nil && *c.Name != u.Name {
			u.Name = *c.Name
			if err := rename(tx, id, u.Name); err != nil {
				return err
			}
		}
		if c.Role != nil && *c.Role != u.Role {
			if err := checkRoleIsOurs(tx, id, c.RolesBy); err != nil {
				return err
			}
			u.Role = *c.Role
			if err := setRole(tx, before, u.Role); err != nil {
				return err
			}
		}
		if c.Disabled != nil && *c.Disabled != u.Disabled {
			u.Disabled = *c.Disabled
			if err := setDisabled(tx, id, u.Disabled); err != nil {
				return err
			}
		}
		if administers(before) && !administers(u) {
			return leaveAdmin(tx)
		}
		return nil
	})
	return u, err
}

// Remove removes a person with their sessions, links and grants, and revokes their
// access tokens. forget replaces their name where it is stored elsewhere; the audit log
// keeps it. Removing the last administrator is a Conflict.
func (s *Users) Remove(ctx context.Context, cause sqldb.Cause, id octavo.ID, forget func(*sqldb.Tx, octavo.ID) error) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		u, err := lockPeople(tx, id)
		if err != nil {
			return err
		}
		if err := revoke(tx, string(id), tx.Now().Add(longestTokenLife)); err != nil {
			return err
		}
		if _, err := tx.Exec(`DELETE FROM users WHERE id = $1`, id); err != nil {
			return fmt.Errorf("remove person %s: %w", id, err)
		}
		if administers(u) {
			if err := leaveAdmin(tx); err != nil {
				return err
			}
		}
		if err := forget(tx, id); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{
			Action: octavo.UserRemoved, Subject: string(id), Detail: map[string]any{"email": u.Email, "name": u.Name, "role": u.Role},
		})
	})
}

// lockPeople is lockUser for a change that may remove an administrator. Such
// changes run one after another.
func lockPeople(tx *sqldb.Tx, id octavo.ID) (User, error) {
	if err := tx.Lock(sqldb.PeopleLock); err != nil {
		return User{}, fmt.Errorf("lock the administrators: %w", err)
	}
	return lockUser(tx, id)
}

// administers reports whether somebody is an administrator who can sign in.
func administers(u User) bool { return u.Role == octavo.RoleAdmin && !u.Disabled && !u.Invited }

// leaveAdmin fails with Conflict if the transaction leaves no administrator.
func leaveAdmin(tx *sqldb.Tx) error {
	_, found, err := userWhere(tx, `WHERE u.role = $1 AND u.disabled_at IS NULL AND NOT u.invited LIMIT 1`, octavo.RoleAdmin)
	if err == nil && !found {
		err = octavo.Errorf(octavo.Conflict, "This is the last administrator: make somebody else one first. An invitation does not count until it is accepted.")
	}
	return err
}

func rename(tx *sqldb.Tx, id octavo.ID, name string) error {
	if _, err := tx.Exec(`UPDATE users SET name = $2 WHERE id = $1`, id, sqldb.Plain(name)); err != nil {
		return fmt.Errorf("rename person %s: %w", id, err)
	}
	return tx.Audit(octavo.AuditEntry{Action: octavo.UserChanged, Subject: string(id), Detail: map[string]any{"changed": "name", "name": name}})
}

// setDisabled ends the sessions, links and grants of a person and, until
// they are enabled again, revokes their access tokens.
func setDisabled(tx *sqldb.Tx, id octavo.ID, disabled bool) error {
	var at *int64
	if disabled {
		at = sqldb.UnlessZero(tx.Now())
	}
	if _, err := tx.Exec(`UPDATE users SET disabled_at = $2 WHERE id = $1`, id, at); err != nil {
		return fmt.Errorf("change person %s: %w", id, err)
	}
	// Also for enabling: requests that were in progress when the person was
	// disabled must not take effect now.
	if err := endAccess(tx, id, "", "the person was disabled"); err != nil {
		return err
	}
	if err := errors.Join(endLinks(tx, id), endApprovals(tx, id)); err != nil {
		return err
	}
	if !disabled {
		if err := unrevoke(tx, string(id)); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.UserEnabled, Subject: string(id)})
	}
	if err := revoke(tx, string(id), tx.Now().Add(longestTokenLife)); err != nil {
		return err
	}
	return tx.Audit(octavo.AuditEntry{Action: octavo.UserDisabled, Subject: string(id)})
}

// checkRoleIsOurs refuses to set the role of a person whose issuer sets it.
func checkRoleIsOurs(tx *sqldb.Tx, id octavo.ID, issuer string) error {
	if issuer == "" {
		return nil
	}
	found, err := tx.Row([]any{new(string)}, `SELECT i.subject FROM identities i WHERE i.user_id = $1 AND i.issuer = $2`, id, sqldb.Plain(issuer))
	if err != nil {
		return fmt.Errorf("look who gives %s their role: %w", id, err)
	}
	if found {
		return octavo.Errorf(octavo.Conflict, "The provider that this person signs in with gives them their role: change it there.")
	}
	return nil
}

// setRole changes what a person may do.
func setRole(tx *sqldb.Tx, u User, role octavo.Role) error {
	if _, err := tx.Exec(`UPDATE users SET role = $2 WHERE id = $1`, u.ID, role); err != nil {
		return fmt.Errorf("change the role of %s: %w", u.ID, err)
	}
	if err := rescope(tx, u.ID, u.Role.Scopes(), role.Scopes()); err != nil {
		return err
	}
	if !role.Scopes().Allow(octavo.ScopeWrite) {
		if err := endApprovals(tx, u.ID); err != nil {
			return err
		}
	}
	return tx.Audit(octavo.AuditEntry{Action: octavo.UserChanged, Subject: string(u.ID), Detail: map[string]any{"role": role}})
}

// endApprovals ends the approvals of a person who may no longer approve.
// They do not come back with the role (decision 74).
func endApprovals(tx *sqldb.Tx, id octavo.ID) error {
	_, err := tx.Exec(`UPDATE proposal_reviews SET dismissed = TRUE WHERE author_id = $1 AND verdict = 'approve'`, id)
	return octavo.Wrapf(err, "end the approvals of person %s", id)
}

// rescope revokes the access tokens of a person or a client with more scopes
// than they may have now. Refreshed tokens have the remaining scopes.
func rescope(tx *sqldb.Tx, subject octavo.ID, before, now octavo.Scopes) error {
	for _, scope := range octavo.AllScopes() {
		id := LostScope(string(subject), scope)
		if now.Allow(scope) {
			if err := unrevoke(tx, id); err != nil {
				return err
			}
		} else if before.Allow(scope) {
			if err := revoke(tx, id, tx.Now().Add(revocationLife)); err != nil {
				return err
			}
		}
	}
	return nil
}

// LostScope is the entry in Revocations for access tokens of a person or a
// client with a scope that they may no longer have.
func LostScope(subject string, scope octavo.Scopes) string { return subject + " " + scope.String() }
