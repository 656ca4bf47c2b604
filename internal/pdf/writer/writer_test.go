package writer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zlib"
)

func TestValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ have, want string }{
		{Text("plain"), "(plain)"},
		{Text(`a(b)\`), `(a\(b\)\\)`},
		{Text("é"), "<FEFF00E9>"},
		{Text("😀"), "<FEFFD83DDE00>"},
		{Text("a\nb"), "<FEFF0061000A0062>"},
		{Name("Plain"), "/Plain"},
		{Name("a b/#"), "/a#20b#2F#23"},
		{Number(0), "0"},
		{Number(12), "12"},
		{Number(-1.5), "-1.5"},
		{Number(0.05), ".05"},
		{Number(-0.3), "-.3"},
		{Number(7.255), "7.26"},
		{string(AppendPrecise(nil, 0.0014)), ".001"},
		{Number(0.001), "0"},
		{Number(2.9996), "3"},
		{literal("a(b)é"), `(a\(b\)\303\251)`},
		{Rect{1, 2, 3.25, 4}.String(), "[1 2 3.25 4]"},
	} {
		if c.have != c.want {
			t.Errorf("have %s, want %s", c.have, c.want)
		}
	}
}

func TestBranches(t *testing.T) {
	t.Parallel()
	items := []OutlineItem{{Level: 0}, {Level: 1}, {Level: 2}, {Level: 1}, {Level: 0}, {Level: 3}}
	want := []branch{
		{first: 1, last: 5, count: 2},
		{first: 2, last: 4, next: 5, count: 2},
		{parent: 1, first: 3, last: 3, next: 4, count: 1},
		{parent: 2},
		{parent: 1, previous: 2},
		{first: 6, last: 6, previous: 1, count: 1},
		{parent: 5},
	}
	for i, have := range branches(items) {
		if have != want[i] {
			t.Errorf("branches: item %d: have %+v, want %+v", i, have, want[i])
		}
	}
}

// sample writes a file with so many pages, each with a link to the next.
func sample(out io.Writer, pages int, beside bool) error {
	w := New(out, Info{Title: "Sämple", Language: "en", Made: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if beside {
		defer w.Beside()()
	}
	for i := range pages {
		p := w.Begin(i == pages-1)
		section := w.Root().Child("Sect", Properties{Title: fmt.Sprint("Section ", i)})
		paragraph := section.Child("P", Properties{})
		content := fmt.Sprintf("/P<</MCID %d>>BDC\nEMC\n", p.Mark(paragraph))
		link := paragraph.Child("Link", Properties{})
		content += fmt.Sprintf("/Link<</MCID %d>>BDC\nEMC\n", p.Mark(link))
		p.LinkTo(Rect{10, 10, 20, 20}, fmt.Sprint("page-", i+1), "next", link)
		section.Child("P", Properties{}).Release() // has no content
		for _, e := range []*Element{link, paragraph, section} {
			e.Release()
		}
		name := fmt.Sprint("page-", i)
		w.Destination(name, p, 800)
		w.Bookmark(OutlineItem{Level: i % 3, Title: name, Destination: name})
		p.End(595, 842, []byte(content))
		if i%3 == 1 {
			w.Raw(w.Reserve(), "", []byte("a picture as it is"))
		}
		if i%5 == 1 {
			w.StreamOf(w.Reserve(), "", all([]byte("a picture")))
		}
		if i%7 == 1 && w.Broken() != nil {
			break
		}
	}
	for _, name := range w.Missing() {
		w.Alias(name, "page-0")
	}
	return w.Close("<<>>")
}

// objects reads all objects of a file by its cross-reference stream.
func objects(t *testing.T, file []byte) map[int]string {
	t.Helper()
	tail := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(file)
	if tail == nil {
		t.Fatal("the file has no end")
	}
	start, _ := strconv.Atoi(string(tail[1]))
	table := stream(t, file[start:])
	all := map[int]string{}
	var above [8]byte
	for number := 0; len(table) > 0; number++ {
		for i := range above {
			above[i] += table[1+i]
		}
		table = table[9:]
		at := int(above[1])<<32 | int(above[2])<<24 | int(above[3])<<16 | int(above[4])<<8 | int(above[5])
		switch above[0] {
		case 1:
			body := file[at:]
			head := fmt.Sprintf("%d 0 obj\n", number)
			if !bytes.HasPrefix(body, []byte(head)) {
				t.Fatalf("object %d is not at %d", number, at)
			}
			all[number] = string(body[len(head):bytes.Index(body, []byte("stream\n"))])
		case 2:
			all[number] = fmt.Sprintf("in %d %d", at, int(above[6])<<8|int(above[7]))
		}
	}
	for number, body := range all {
		var holder, index int
		if n, _ := fmt.Sscanf(body, "in %d %d", &holder, &index); n != 2 {
			continue
		}
		from := bytes.Index(file, fmt.Appendf(nil, "\n%d 0 obj\n", holder))
		packed := string(stream(t, file[from+1:]))
		count, first := 0, 0
		if _, err := fmt.Sscanf(all[holder], "<</Type/ObjStm/N %d/First %d", &count, &first); err != nil {
			t.Fatalf("object %d is no object stream: %s", holder, all[holder])
		}
		head := strings.Fields(packed[:first])
		offset, _ := strconv.Atoi(head[2*index+1])
		end := len(packed) - first
		if index+1 < count {
			end, _ = strconv.Atoi(head[2*index+3])
		}
		if head[2*index] != strconv.Itoa(number) {
			t.Fatalf("object stream %d, %d: have object %s, want %d", holder, index, head[2*index], number)
		}
		defer func() { all[number] = packed[first+offset : first+end] }()
	}
	return all
}

// stream returns the data of the object that starts there.
func stream(t *testing.T, body []byte) []byte {
	t.Helper()
	from := bytes.Index(body, []byte("stream\n"))
	r, err := zlib.NewReader(bytes.NewReader(body[from+7:]))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var reference = regexp.MustCompile(`(\d+) 0 R`)

func TestFile(t *testing.T) {
	t.Parallel()
	for _, pages := range []int{1, 3, 700} {
		var file, again bytes.Buffer
		if err := errors.Join(sample(&file, pages, false), sample(&again, pages, true)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file.Bytes(), again.Bytes()) {
			t.Errorf("%d pages: two files differ, one of which a goroutine writes", pages)
		}
		all := objects(t, file.Bytes())
		kinds := map[string]int{}
		for number, body := range all {
			for _, m := range reference.FindAllStringSubmatch(body, -1) {
				if n, _ := strconv.Atoi(m[1]); all[n] == "" {
					t.Errorf("%d pages: object %d refers to %d, which is missing: %s", pages, number, n, body)
				}
			}
			for _, kind := range []string{"/Type/Page/", "/Type/StructElem", "/Subtype/Link", "/Type/Outlines", "/Type/Catalog"} {
				kinds[kind] += strings.Count(body, kind)
			}
		}
		want := map[string]int{"/Type/Page/": pages, "/Type/StructElem": 3*pages + 1, "/Subtype/Link": pages, "/Type/Outlines": 1, "/Type/Catalog": 1}
		for kind, n := range want {
			if kinds[kind] != n {
				t.Errorf("%d pages: %s: have %d, want %d", pages, kind, kinds[kind], n)
			}
		}
	}
}

// full is an output that fails after so many bytes.
type full int

var errFull = errors.New("no room")

func (f *full) Write(b []byte) (int, error) {
	if *f -= full(len(b)); *f < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// gate is an output with room that waits until it is opened, if it can be.
type gate struct {
	full
	open chan struct{}
}

func (g *gate) Write(b []byte) (int, error) {
	if g.open != nil {
		<-g.open
	}
	return g.full.Write(b)
}

// TestNoWaiting checks that streams are taken while the output is held up, that
// its error is told when it is known, and that no goroutine stays.
func TestNoWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &gate{full: 1000}
		w := New(g, Info{})
		g.open = make(chan struct{})
		stop := w.Beside()
		for range queued {
			w.Stream(w.Reserve(), "", []byte("some"))
		}
		synctest.Wait()
		if err := w.Broken(); err != nil {
			t.Errorf("while the output is held up: have %v", err)
		}
		close(g.open)
		for range 10 * queued {
			w.Stream(w.Reserve(), "", []byte("more"))
		}
		if err := w.Broken(); !errors.Is(err, errFull) {
			t.Errorf("have %v, want %v", err, errFull)
		}
		stop()
		if err := w.Broken(); !errors.Is(err, errFull) {
			t.Errorf("in the end: have %v, want %v", err, errFull)
		}
	})
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, room := range []full{0, 100, 5000} {
		for _, beside := range []bool{false, true} {
			left := room
			if have := sample(&left, 100, beside); !errors.Is(have, errFull) {
				t.Errorf("room for %d bytes, beside %t: have %v, want %v", room, beside, have, errFull)
			}
		}
	}
	w := New(io.Discard, Info{})
	w.Reserve()
	if have := w.Close("<<>>"); have == nil {
		t.Error("an object that was reserved and not written: have no error")
	}
}
