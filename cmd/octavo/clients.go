package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

type clientsCommand struct {
	Add    clientsAddCommand    `cmd:"" help:"Register an application and print its id and secret."`
	List   clientsListCommand   `cmd:"" help:"List the applications."`
	Remove clientsRemoveCommand `cmd:"" help:"Remove an application."`
}

// clientRecord is the output of --json for a client.
type clientRecord struct {
	ID           octavo.ID `json:"id"`
	Secret       string    `json:"secret,omitempty"` // only when it is added
	Name         string    `json:"name"`
	Public       bool      `json:"public"`
	RedirectURIs []string  `json:"redirectUris"`
	Scopes       []string  `json:"scopes"`
	CreatedAt    instant   `json:"createdAt"`
}

func clientRecordOf(c accounts.Client, secret string) clientRecord {
	return clientRecord{c.ID, secret, c.Name, c.Public(), append([]string{}, c.RedirectURIs...), c.Scopes.List(), instant{c.CreatedAt}}
}

// line is the output for a client: columns separated by tabs.
func (r clientRecord) line() string {
	kind := "confidential"
	if r.Public {
		kind = "public"
	}
	return strings.Join([]string{string(r.ID), kind, strings.Join(r.Scopes, ","), strings.Join(r.RedirectURIs, " "), r.Name}, "\t")
}

type clientsAddCommand struct {
	config.Storage
	Name        string      `required:"" placeholder:"NAME" help:"Name of the application, as people see it when it asks for access."`
	RedirectURI []string    `name:"redirect-uri" sep:"none" placeholder:"URI" help:"Where people return to after signing in; may be given several times. Not needed for a service that acts on its own."`
	Public      bool        `help:"The application runs on people's own machines and cannot keep a secret."`
	Scopes      *scopesFlag `placeholder:"A,B" help:"Scopes of a service with a secret that acts on its own, without a person: pages:read, pages:propose, pages:write, admin. None by default."`
	JSON        bool        `name:"json" help:"Print the application as a JSON object."`
}

func (c *clientsAddCommand) Run(p *program) error {
	in := octavo.ClientPatch{Name: &c.Name, RedirectURIs: &c.RedirectURI, Public: c.Public}
	if c.Scopes != nil {
		in.Scopes = &c.Scopes.Scopes
	}
	client, secret, err := authserver.NewClient(octavo.NewIDSource(p.now, p.random), p.random, in)
	if err != nil {
		return asOptions(err)
	}
	return p.withStorage(c.Storage, storage.CreateMissing, func(s *storage.Storage) error {
		if err := s.Accounts.Clients.Add(p.ctx, byCommand(), client); err != nil {
			return err
		}
		fmt.Fprintf(p.stderr, "octavo: added the application %s\n", client.Name)
		client.CreatedAt = s.Env.Now()
		text := string(client.ID)
		if secret != "" {
			text += "\n" + secret
		}
		return p.answer(c.JSON, clientRecordOf(client, secret), text)
	})
}

// asOptions makes the errors of a client name the options that they are about.
func asOptions(err error) error {
	if fault, ok := errors.AsType[*octavo.Error](err); ok {
		for i, f := range fault.Fields {
			name, _, _ := strings.Cut(strings.TrimPrefix(f.Path, "/"), "/")
			fault.Fields[i].Path = map[string]string{"name": "--name", "scopes": "--scopes", "redirectUris": "--redirect-uri"}[name]
		}
	}
	return err
}

type clientsListCommand struct {
	config.Storage
	JSON bool `name:"json" help:"Print a JSON object for each application."`
}

func (c *clientsListCommand) Run(p *program) error {
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		return answerAll(p, c.JSON, s.Accounts.Clients.List, func(client accounts.Client) (octavo.ID, any, string) {
			record := clientRecordOf(client, "")
			return client.ID, record, record.line()
		})
	})
}

type clientsRemoveCommand struct {
	config.Storage
	ID string `arg:"" help:"Id of the application, as clients list shows it (cli_…)."`
}

func (c *clientsRemoveCommand) Run(p *program) error {
	id := octavo.ID(c.ID)
	if !id.Is(octavo.PrefixClient) {
		return usageError{fmt.Errorf("%q is not the id of an application: octavo clients list shows ids such as cli_…", mask(c.ID))}
	}
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		if err := s.Accounts.Clients.Remove(p.ctx, byCommand(), id); err != nil {
			return err
		}
		fmt.Fprintf(p.stderr, "octavo: removed %s\n", id)
		return nil
	})
}
