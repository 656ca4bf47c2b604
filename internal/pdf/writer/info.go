package writer

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// Info is the metadata of the file.
type Info struct {
	Title    string
	Language string    // BCP 47 tag
	Made     time.Time // the zero time omits dates
	Producer string

	ref Ref
}

// finish writes the catalog and the objects it refers to.
func (w *Writer) finish() {
	pages := w.finishPages()
	w.finishStructure()
	w.finishInfo()
	metadata := w.Reserve()
	w.Raw(metadata, "/Type/Metadata/Subtype/XML", w.info.packet())
	body := fmt.Sprintf("<</Type/Catalog%s/Metadata %v/StructTreeRoot %v/MarkInfo<</Marked true>>/ViewerPreferences<</DisplayDocTitle true>>",
		pages, metadata, w.treeRoot)
	if w.info.Language != "" {
		body += "/Lang" + Text(w.info.Language)
	}
	if dests := w.finishDestinations(); dests != 0 {
		body += "/Names<</Dests " + dests.String() + ">>"
	}
	if outline := w.finishOutline(); outline != 0 {
		body += "/PageMode/UseOutlines/Outlines " + outline.String()
	}
	w.Object(w.catalog, body+">>")
}

func (w *Writer) finishInfo() {
	i := &w.info
	i.ref = w.Reserve()
	var b strings.Builder
	for _, entry := range []struct{ key, value string }{
		{"/Title", i.Title}, {"/Producer", i.Producer},
	} {
		if entry.value != "" {
			b.WriteString(entry.key + Text(entry.value))
		}
	}
	if !i.Made.IsZero() {
		made := Text(i.Made.UTC().Format("D:20060102150405+00'00'"))
		b.WriteString("/CreationDate" + made + "/ModDate" + made)
	}
	w.Object(i.ref, "<<"+b.String()+">>")
}

// packet formats the metadata as XMP.
func (i *Info) packet() []byte {
	var b strings.Builder
	b.WriteString("<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n" +
		`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"` +
		` xmlns:pdf="http://ns.adobe.com/pdf/1.3/">` + "\n")
	element := func(open, value, end string) {
		if value != "" {
			b.WriteString(open + escape(value) + end + "\n")
		}
	}
	element(`<dc:title><rdf:Alt><rdf:li xml:lang="x-default">`, i.Title, `</rdf:li></rdf:Alt></dc:title>`)
	element(`<dc:language><rdf:Bag><rdf:li>`, i.Language, `</rdf:li></rdf:Bag></dc:language>`)
	element(`<pdf:Producer>`, i.Producer, `</pdf:Producer>`)
	if !i.Made.IsZero() {
		made := i.Made.UTC().Format(time.RFC3339)
		element(`<xmp:CreateDate>`, made, `</xmp:CreateDate>`)
		element(`<xmp:ModifyDate>`, made, `</xmp:ModifyDate>`)
	}
	b.WriteString("</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>")
	return []byte(b.String())
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}
