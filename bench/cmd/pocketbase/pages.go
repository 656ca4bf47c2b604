package main

import (
	"database/sql"
	"errors"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
)

// atOnce is how many pages are created in one transaction.
const atOnce = 1000

// person returns the person that reads and writes, from PocketBase's collection of users.
func person(app core.App) (*core.Record, error) {
	const email = "bench@example.com"
	found, err := app.FindAuthRecordByEmail("users", email)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return found, err
	}
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return nil, err
	}
	record := core.NewRecord(users)
	record.SetEmail(email)
	record.SetRandomPassword()
	record.SetVerified(true)
	return record, app.Save(record)
}

// pageCollection returns the collection of pages: the members of a page, and
// an index for each thing that it is listed by.
func pageCollection(app core.App) (*core.Collection, error) {
	found, err := app.FindCollectionByNameOrId("pages")
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return found, err
	}
	c := core.NewBaseCollection("pages")
	signedIn := types.Pointer(`@request.auth.id != ""`)
	c.ListRule, c.ViewRule, c.CreateRule = signedIn, signedIn, signedIn
	c.Fields.Add(
		&core.TextField{Name: "title", Required: true, Max: 120},
		&core.TextField{Name: "slug", Required: true, Pattern: `^[a-z0-9]+(-[a-z0-9]+)*$`},
		&core.SelectField{Name: "status", Values: []string{"draft", "published", "archived"}, MaxSelect: 1},
		&core.TextField{Name: "content", Max: 2 << 20},
		&core.JSONField{Name: "frontmatter", MaxSize: 1 << 20},
		&core.AutodateField{Name: "created", OnCreate: true},
		&core.AutodateField{Name: "updated", OnCreate: true, OnUpdate: true},
	)
	c.AddIndex("pages_slug", true, "slug", "")
	c.AddIndex("pages_status", false, "status", "")
	c.AddIndex("pages_created", false, "created", "")
	c.AddIndex("pages_updated", false, "updated", "")
	c.AddIndex("pages_title", false, "title", "")
	return c, app.Save(c)
}

// fill creates the pages that are missing. They need no validation, which is
// what takes PocketBase longest.
func fill(app core.App, c *core.Collection, pages int) error {
	have, err := app.CountRecords(c)
	if err != nil {
		return err
	}
	for from := int(have); from < pages; from += atOnce {
		err := app.RunInTransaction(func(tx core.App) error {
			for n := from; n < min(from+atOnce, pages); n++ {
				page := corpus.Of(uint64(n))
				record := core.NewRecord(c)
				record.Set("title", page.Title)
				record.Set("slug", page.Slug)
				record.Set("status", page.Status)
				record.Set("content", page.Content)
				record.Set("frontmatter", page.Frontmatter)
				if err := tx.SaveNoValidate(record); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
