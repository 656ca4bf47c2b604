package archtest

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// studioLines is the maximum number of TypeScript lines in Studio (ADR 34).
const studioLines = 18_000

// Packages that Studio may load, and files that may make requests or markup. All other
// requests go through api/client.ts, so they are operations of the API.
var (
	studioPackages = regexp.MustCompile(`^(preact|preact/hooks|@preact/signals|@codemirror/[a-z]+|@lezer/[a-z]+|yaml)$`)
	studioImport   = regexp.MustCompile(`(?:from|import)\s*\(?"([^"]+)"`)
	studioMarks    = map[*regexp.Regexp][]string{
		regexp.MustCompile(`\bfetch\(|XMLHttpRequest|sendBeacon|EventSource|WebSocket`):                     {"api/client.ts", "api/upload.ts", "session.ts", "preview/pictures.ts"},
		regexp.MustCompile(`createPolicy`):                                                                  {"trusted.ts"},
		regexp.MustCompile(`innerHTML|insertAdjacentHTML|document\.write|srcdoc`):                           {"preview/frame.ts"},
		regexp.MustCompile(`dangerouslySetInnerHTML|\beval\(|new Function\b|document\.cookie|localStorage`): {"shell/theme.ts", "shell/recent.ts", "preview/preview.tsx"},
	}
)

// studioIsAClient checks that Studio uses the API and nothing else.
func studioIsAClient(files []file) []string {
	var found []string
	lines := 0
	for _, f := range files {
		name, inside := strings.CutPrefix(f.path, "studio/src/")
		if !inside || !strings.HasPrefix(path.Ext(name), ".ts") {
			continue
		}
		n := bytes.Count(f.text, []byte("\n"))
		if lines += n; n > maxLines {
			found = append(found, fmt.Sprintf("%s: %d lines; divide it, %d is the most", f.path, n, maxLines))
		}
		for i, line := range strings.Split(string(f.text), "\n") {
			for _, m := range studioImport.FindAllStringSubmatch(line, -1) {
				if !strings.HasPrefix(m[1], ".") && !studioPackages.MatchString(m[1]) {
					found = append(found, fmt.Sprintf("%s:%d: imports %s, which ADR 34 does not name", f.path, i+1, m[1]))
				}
			}
			for mark, allowed := range studioMarks {
				if mark.MatchString(line) && !slices.Contains(allowed, name) && !strings.Contains(line, "this.fetch") {
					found = append(found, fmt.Sprintf("%s:%d: %s is for %s alone", f.path, i+1, mark.FindString(line), strings.Join(allowed, ", ")))
				}
			}
		}
	}
	if lines > studioLines {
		found = append(found, fmt.Sprintf("studio/src: %d lines, %d is the most", lines, studioLines))
	}
	return found
}

func TestStudioRuleBites(t *testing.T) {
	t.Parallel()
	bites(t, studioIsAClient, "studio/src/page/x.ts", `import { x } from "react";`+"\n", "imports react")
	bites(t, studioIsAClient, "studio/src/page/x.ts", `const a = await fetch("/v1/pages");`+"\n", "fetch( is for")
	bites(t, studioIsAClient, "studio/src/page/x.ts", `element.innerHTML = text;`+"\n", "innerHTML is for")
	bites(t, studioIsAClient, "studio/src/api/client.ts", `import { y } from "./y.ts"; fetch(y);`+"\n")
}
