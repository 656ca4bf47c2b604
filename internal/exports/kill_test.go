package exports_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// The stages of an export, in their order, at which a process is killed.
const (
	accepted       = "accepted"
	claimed        = "claimed"
	chosen         = "pages looked up"
	pageRead       = "a page read"
	halfWritten    = "half of the file written"
	fileKept       = "the file kept, its row not written"
	rowWritten     = "the row written, nobody told"
	messageClaimed = "a message claimed"
	messageSent    = "a message sent, its row not written"
)

// What the process that is killed has to know.
const (
	stageVariable    = "OCTAVO_TEST_STAGE"
	databaseVariable = "OCTAVO_TEST_DATABASE"
	folderVariable   = "OCTAVO_TEST_FOLDER"
	formatVariable   = "OCTAVO_TEST_FORMAT"
)

// TestKilledAtEveryStage kills a process (SIGKILL, by its own hand) at each
// stage of an export. The next one makes the export: one result, the same as if
// nothing had happened, one event, no file that nothing has, and one message
// unless the first was sent already.
func TestKilledAtEveryStage(t *testing.T) {
	if stage := os.Getenv(stageVariable); stage != "" {
		dieAt(t, stage)
		return
	}
	t.Parallel()
	for _, c := range []struct {
		stage   string
		format  octavo.ExportFormat
		status  octavo.ExportStatus // as the dead left it
		attempt int                 // that it was on
		files   int                 // that it left, unfinished ones too
		sent    int                 // messages in the end
	}{
		{accepted, octavo.ExportMarkdown, octavo.ExportQueued, 0, 0, 1},
		{claimed, octavo.ExportMarkdown, octavo.ExportProcessing, 1, 0, 1},
		{chosen, octavo.ExportMarkdown, octavo.ExportProcessing, 1, 1, 1},
		{pageRead, octavo.ExportMarkdown, octavo.ExportProcessing, 1, 1, 1},
		{pageRead, octavo.ExportPDF, octavo.ExportProcessing, 1, 1, 1},
		{halfWritten, octavo.ExportMarkdown, octavo.ExportProcessing, 1, 1, 1},
		{halfWritten, octavo.ExportHTML, octavo.ExportProcessing, 1, 1, 1},
		{fileKept, octavo.ExportMarkdown, octavo.ExportProcessing, 1, 1, 1},
		{rowWritten, octavo.ExportMarkdown, octavo.ExportReady, 1, 1, 1},
		{messageClaimed, octavo.ExportMarkdown, octavo.ExportReady, 1, 1, 1},
		{messageSent, octavo.ExportMarkdown, octavo.ExportReady, 1, 1, 2},
	} {
		for _, db := range []string{"sqlite", "postgres"} {
			t.Run(string(c.format)+"/"+c.stage+"/"+db, func(t *testing.T) {
				t.Parallel()
				folder := t.TempDir()
				database := filepath.Join(folder, "octavo.db")
				if db == "postgres" {
					database = testenv.Postgres(t)
				}
				killAt(t, c.stage, database, folder, c.format)
				// Before it is half written the file may not have been begun.
				if have := filesIn(t, folder); have > c.files || have < c.files && c.stage != chosen && c.stage != pageRead {
					t.Errorf("the dead left %d files, want %d", have, c.files)
				}
				r := newRigIn(t, database, folder, time.Now)
				r.judge(c.status, c.attempt, c.sent)
			})
		}
	}
}

// killAt runs this test in a process of its own, which kills itself.
func killAt(t *testing.T, stage, database, folder string, format octavo.ExportFormat) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledAtEveryStage$", "-test.count=1")
	cmd.Env = append(os.Environ(), stageVariable+"="+stage, databaseVariable+"="+database, folderVariable+"="+folder,
		formatVariable+"="+string(format), "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("have %v, want it killed\n%s", err, out)
	}
}

// dying kills its process at a stage.
type dying struct{ stage string }

func (d dying) at(stage string) {
	if d.stage == stage {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // it does not return
		select {}
	}
}

// dyingLog is the log of exports: the work on each begins with its attributes.
type dyingLog struct {
	slog.Handler
	dying
}

func (l dyingLog) WithAttrs([]slog.Attr) slog.Handler {
	l.at(claimed)
	return l
}

// dieAt starts an export and kills the process.
func dieAt(t *testing.T, stage string) {
	d := dying{stage}
	r := newRigIn(t, os.Getenv(databaseVariable), os.Getenv(folderVariable), time.Now)
	format := octavo.ExportFormat(os.Getenv(formatVariable))
	noise := rand.New(rand.NewPCG(1, 2))
	for _, slug := range []string{"a", "b", "c"} {
		var text strings.Builder
		for range 20_000 {
			text.WriteString(string(rune('a'+noise.IntN(26))) + string(rune('a'+noise.IntN(26))) + string(rune('a'+noise.IntN(26))) + " ")
		}
		r.page(exporttest.Published(slug, "# Title "+slug+"\n\n"+text.String()+"\n"))
	}
	r.Formats[format] = dyingFormat{r.Formats[format], d}
	r.Service.Blobs = dyingStore{r.Blobs, d}
	r.Mailer = postbox{os.Getenv(folderVariable), d}
	r.Options.Log = slog.New(dyingLog{slog.DiscardHandler, d})
	r.Observe = func(octavo.ExportFormat, octavo.ExportStatus, time.Duration, int64) { d.at(rowWritten) }
	_, err := r.Create(t.Context(), sqldb.Cause{Actor: ann.Actor}, ann, killedRequest(format), nil)
	exporttest.Must(t, err)
	d.at(accepted)
	r.run(r.Service)
	<-t.Context().Done() // the time of the test ends it, should nothing else
}

func killedRequest(format octavo.ExportFormat) octavo.ExportRequest {
	return octavo.ExportRequest{
		Format: format, Scope: octavo.ExportPublished, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}, Rendering: octavo.ExportRendering{EmbedAssets: true},
		Delivery: octavo.ExportDelivery{Channels: []octavo.ExportChannel{{Kind: octavo.ChannelEmail, Email: "ann@example.com"}}},
	}
}

type dyingFormat struct {
	book.Format
	dying
}

func (f dyingFormat) Write(ctx context.Context, out io.Writer, b *book.Book, done func()) error {
	f.at(chosen)
	return f.Format.Write(ctx, out, b, func() { done(); f.at(pageRead) })
}

type dyingStore struct {
	blob.Store
	dying
}

func (s dyingStore) Put(ctx context.Context, key string, r io.Reader) error {
	err := s.Store.Put(ctx, key, &dyingReader{r, 70 << 10, s.dying})
	s.at(fileKept)
	return err
}

// dyingReader is half read when so many bytes are.
type dyingReader struct {
	io.Reader
	left int
	dying
}

func (r *dyingReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		r.at(halfWritten)
	}
	n, err := r.Reader.Read(p)
	r.left -= n
	return n, err
}

// postbox keeps messages in a folder.
type postbox struct {
	folder string
	dying
}

func (p postbox) Send(_ context.Context, m mail.Message) error {
	p.at(messageClaimed)
	f, err := os.CreateTemp(p.folder, "message-"+m.ID+"-*")
	if err == nil {
		err = f.Close()
	}
	p.at(messageSent)
	return err
}

// filesIn counts the files of the blob store in a folder.
func filesIn(t testing.TB, folder string) (n int) {
	t.Helper()
	exporttest.Must(t, filepath.WalkDir(filepath.Join(folder, "files"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	}))
	return n
}

// judge continues the work of a killed process, and checks the outcome.
func (r *rig) judge(status octavo.ExportStatus, attempt, sent int) {
	r.Helper()
	ctx := r.Context()
	list, _, err := r.List(ctx, ann, "", 10)
	exporttest.Must(r, err)
	if len(list) != 1 {
		r.Fatalf("have %d exports, want the one", len(list))
	}
	left, err := r.Store.Exports.Get(ctx, list[0].ID)
	exporttest.Must(r, err)
	if left.Status != status || left.Attempt != attempt {
		r.Errorf("the dead left it %s at attempt %d, want %s at %d", left.Status, left.Attempt, status, attempt)
	}
	folder := filepath.Dir(r.filesFolder)
	o := r.Options
	o.Alone = true // what was under way is the dead one's
	o.Mailer = postbox{folder: folder}
	stop := r.run(exports.New(o))
	var e octavo.Export
	exporttest.Until(r, func() bool {
		e = r.await(left.ID)
		return e.Status == octavo.ExportFailed || e.Deliveries[0].Status == octavo.DeliverySucceeded
	})
	stop()
	have, err := r.download(e)
	exporttest.Must(r, err)
	var want bytes.Buffer
	_, err = r.maker.Render(ctx, killedRequest(e.Format), &want, func(int, int) {})
	exporttest.Must(r, err)
	if !bytes.Equal(have, want.Bytes()) || e.Progress.Done != 3 {
		r.Errorf("the result has %d bytes of %d pages, want the %d that it has without a death", len(have), e.Progress.Done, want.Len())
	}
	told, _, err := r.Store.Log.Events(ctx, changelog.EventQuery{After: -1, Types: []octavo.EventType{octavo.ExportIsReady, octavo.ExportHasFailed}, Limit: 10})
	if err != nil || len(told) != 1 || told[0].Kind != octavo.ExportIsReady {
		r.Errorf("have %d events, %v; want that it is ready, once", len(told), err)
	}
	messages, err := filepath.Glob(filepath.Join(folder, "message-"+string(e.ID)+"-0-*"))
	if err != nil || len(messages) != sent {
		r.Errorf("have the messages %v, %v; want %d", messages, err, sent)
	}
	later := func() time.Time { return time.Now().Add(25 * time.Hour) }
	_, err = assets.New(assets.Options{DB: r.Store.DB, Assets: r.Store.Assets, Blobs: r.Blobs, Random: r.Random, Now: later, Log: r.Options.Log}).Sweep(ctx)
	exporttest.Must(r, err)
	if n := filesIn(r, folder); n != 1 || r.results() != 1 {
		r.Errorf("have %d files a day later, want the result alone", n)
	}
}
