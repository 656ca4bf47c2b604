// Command exportpeer makes what exports are compared with, by the libraries
// alone:
//
//	exportpeer fpdf FOLDER FILE   sets the chapters in text files by go-pdf/fpdf
//	exportpeer zip FOLDER FILE    stores the files of a folder in a zip
//
// It measures nothing; the program that starts it does.
package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
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

// The sheet and its text, as Octavo has them.
const (
	side, top, bottom = 72, 76, 72
	size, leading     = 10, 15
	space             = 6.5 // below a paragraph
)

// book sets chapters on A4, each from a new sheet on with a bookmark: a title and
// paragraphs, which are broken into lines. Sheets have a running head and their
// number.
func book(folder, file string) error {
	names, err := files(folder)
	if err != nil {
		return err
	}
	pdf := fpdf.New("P", "pt", "A4", "")
	pdf.AddUTF8FontFromBytes("go", "", goregular.TTF)
	pdf.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	pdf.SetMargins(side, top, side)
	pdf.SetAutoPageBreak(true, bottom)
	title := ""
	pdf.SetHeaderFunc(func() {
		pdf.SetFont("go", "", 8)
		pdf.SetXY(side, 40)
		pdf.CellFormat(0, 10, title, "", 0, "R", false, 0, "")
		pdf.SetXY(side, top)
		pdf.SetFont("go", "", size)
	})
	pdf.SetFooterFunc(func() {
		pdf.SetFont("go", "", 8)
		pdf.SetXY(side, -45)
		pdf.CellFormat(0, 10, strconv.Itoa(pdf.PageNo()), "", 0, "C", false, 0, "")
	})
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		chapter := strings.Split(strings.TrimSpace(string(text)), "\n\n")
		title = chapter[0]
		pdf.AddPage()
		pdf.Bookmark(title, 0, -1)
		pdf.SetFont("go", "B", 23)
		pdf.CellFormat(0, 34, title, "", 1, "L", false, 0, "")
		pdf.Ln(10)
		pdf.SetFont("go", "", size)
		for _, paragraph := range chapter[1:] {
			pdf.MultiCell(0, leading, paragraph, "", "L", false)
			pdf.Ln(space)
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
