package analysis

import "testing"

func TestStemOfForms(t *testing.T) {
	t.Parallel()
	for _, forms := range [][]string{
		{"configure", "configures", "configured", "configuring", "configuration", "configurations"},
		{"install", "installs", "installed", "installing", "installation", "installer"},
		{"instrument", "instruments", "instrumenting", "instrumented", "instrumentation"},
		{"library", "libraries"},
		{"query", "queries", "queried"},
		{"deploy", "deploys", "deployed", "deploying", "deployment"},
		{"stop", "stops", "stopped", "stopping"},
		{"export", "exporter", "exporters", "exporting", "exported"},
		{"trace", "traces", "traced", "tracing", "tracer"},
		{"box", "boxes", "boxed"},
		{"class", "classes"},
		{"require", "requires", "requirement", "requirements", "required"},
		{"contribute", "contributing", "contribution"},
		{"migrate", "migrating", "migration", "migrations"},
	} {
		want := Stem(forms[0])
		for _, form := range forms[1:] {
			if have := Stem(form); have != want {
				t.Errorf("Stem(%q): have %q, want %q as of %q", form, have, want, forms[0])
			}
		}
	}
}

func TestStemKeepsApart(t *testing.T) {
	t.Parallel()
	for _, words := range [][2]string{
		{"string", "str"},
		{"thing", "the"},
		{"need", "ned"},
		{"status", "state"},
		{"process", "proc"},
		{"user", "us"},
		{"table", "tab"},
		{"analysis", "analyse"},
		{"naïve", "naive"},
		{"v2s", "v2"},
	} {
		if a, b := Stem(words[0]), Stem(words[1]); a == b {
			t.Errorf("Stem(%q) and Stem(%q): both %q", words[0], words[1], a)
		}
	}
}
