// Command pocketbase is PocketBase as a peer: the unchanged server with a
// collection that holds the same pages as Octavo, one person who may read and
// write them, and the indexes that its lists need. It fills an empty folder
// with pages, issues a token, serves, and says where.
//
//	pocketbase --folder DIR --pages N
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"time"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
)

func main() {
	folder := flag.String("folder", "", "`folder` of its data")
	pages := flag.Int("pages", 0, "`number` of pages that it is to hold at least")
	flag.Parse()
	if err := serve(*folder, *pages); err != nil {
		log.Fatal("pocketbase: ", err)
	}
}

func serve(folder string, pages int) error {
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: folder, HideStartBanner: true})
	if err := app.Bootstrap(); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	if err := app.RunAllMigrations(); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	token, err := prepare(app, pages)
	if err != nil {
		return err
	}
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		e.Listener, e.InstallerFunc = l, nil
		fmt.Fprintf(os.Stderr, "pocketbase: listening on http://%s token %s\n", l.Addr(), token)
		return e.Next()
	})
	return apis.Serve(app, apis.ServeConfig{HttpAddr: "127.0.0.1:0"})
}

// prepare makes what is missing and issues a token.
func prepare(app core.App, pages int) (token string, err error) {
	reader, err := person(app)
	if err != nil {
		return "", fmt.Errorf("add a person: %w", err)
	}
	collection, err := pageCollection(app)
	if err != nil {
		return "", fmt.Errorf("make the collection: %w", err)
	}
	if err := fill(app, collection, pages); err != nil {
		return "", fmt.Errorf("fill the collection: %w", err)
	}
	return reader.NewStaticAuthToken(24 * time.Hour)
}
