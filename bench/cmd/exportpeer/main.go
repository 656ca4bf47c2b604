// Command exportpeer makes what exports are compared with, by the libraries
// alone:
//
//	exportpeer fpdf FOLDER FILE   sets the lines of text files by go-pdf/fpdf
//	exportpeer zip FOLDER FILE    stores the files of a folder in a zip
//
// It measures nothing: who starts it does.
package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: exportpeer fpdf|zip FOLDER FILE")
		os.Exit(2)
	}
	work := map[string]func(folder, file string) error{"fpdf": book, "zip": store}[os.Args[1]]
	if work == nil {
		fmt.Fprintln(os.Stderr, "exportpeer: fpdf and zip are what there is")
		os.Exit(2)
	}
	if err := work(os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintf(os.Stderr, "exportpeer: %v\n", err)
		os.Exit(1)
	}
}

// files returns the files of a folder.
func files(folder string) ([]string, error) { return filepath.Glob(filepath.Join(folder, "*")) }

// book sets text on A4, with a bookmark for each file, a line below the other.
func book(folder, file string) error {
	names, err := files(folder)
	if err != nil {
		return err
	}
	pdf := fpdf.New("P", "pt", "A4", "")
	pdf.AddUTF8FontFromBytes("go", "", goregular.TTF)
	pdf.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	pdf.SetAutoPageBreak(true, 40)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		pdf.AddPage()
		pdf.Bookmark(filepath.Base(name), 0, -1)
		pdf.SetFont("go", "B", 18)
		pdf.CellFormat(0, 30, filepath.Base(name), "", 1, "L", false, 0, "")
		pdf.SetFont("go", "", 10)
		_, body, _ := strings.Cut(string(text), "\n---\n")
		for line := range strings.Lines(body) {
			pdf.CellFormat(0, 15, strings.TrimSpace(line), "", 1, "L", false, 0, "")
		}
	}
	return pdf.OutputFileAndClose(file)
}

// store puts files into a zip as they are.
func store(folder, file string) (err error) {
	names, err := files(folder)
	if err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	archive := zip.NewWriter(out)
	for _, name := range names {
		if err := add(archive, name); err != nil {
			return err
		}
	}
	return archive.Close()
}

func add(archive *zip.Writer, name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	entry, err := archive.CreateHeader(&zip.FileHeader{Name: filepath.Base(name), Method: zip.Store})
	if err != nil {
		return err
	}
	_, err = io.Copy(entry, in)
	return err
}
