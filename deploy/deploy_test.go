// Package deploy holds examples for running Octavo for others. What is here is
// a test alone: it holds the files beside it against the program.
package deploy

import (
	"encoding/json"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/testenv"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// options returns the names of all options of the server.
func options(t *testing.T) (flags []string) {
	t.Helper()
	parser, err := kong.New(&config.Options{}, config.Kong()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range parser.Model.Flags {
		flags = append(flags, flag.Name)
	}
	return flags
}

// TestOptionsExist: every flag and variable that the files name is one of the
// server.
func TestOptionsExist(t *testing.T) {
	t.Parallel()
	known := options(t)
	named := 0
	check := func(file, flag string) {
		named++
		if !slices.Contains(known, flag) {
			t.Errorf("%s names the option %s, which the server does not have", file, flag)
		}
	}
	variable, flag := regexp.MustCompile(`OCTAVO_[A-Z_]+`), regexp.MustCompile(`"--([a-z-]+)"`)
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(file, ".go") {
			return err
		}
		text := read(t, file)
		for _, name := range variable.FindAllString(text, -1) {
			check(file, strings.ReplaceAll(strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(name, "OCTAVO_"), "_FILE")), "_", "-"))
		}
		for _, found := range flag.FindAllStringSubmatch(text, -1) {
			check(file, found[1])
		}
		for line := range strings.SplitSeq(text, "\n") {
			if command, ok := strings.CutPrefix(line, "ExecStart="); ok {
				for _, word := range strings.Fields(command)[1:] {
					if name, ok := strings.CutPrefix(word, "--"); ok {
						check(file, name)
					}
				}
			}
		}
		return nil
	})
	if err != nil || named < 15 {
		t.Errorf("looked at %d options, %v; want more", named, err)
	}
}

// TestUnit: systemd understands the unit, and finds it well closed.
func TestUnit(t *testing.T) {
	t.Parallel()
	analyze := testenv.SystemdAnalyze(t)
	program, err := os.Executable() // in place of one that is not installed here
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "octavo.service")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(read(t, "octavo.service"), "/usr/local/bin/octavo", program)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify", "--man=no", file}, {"security", "--no-pager", "--offline=true", "--threshold=15", file}} {
		out, err := exec.CommandContext(t.Context(), analyze, args...).CombinedOutput()
		if err != nil || (args[0] == "verify" && len(out) > 0) {
			t.Errorf("systemd-analyze %s: %v\n%s", args[0], err, out)
		}
	}
}

// TestUnitRestarts: a server whose database comes up later than it does is
// not given up, which systemd does with what fails five times in ten seconds.
// No way to end is given up either: a program in Go that panics ends with 2, as
// one does whose options make no sense.
func TestUnitRestarts(t *testing.T) {
	t.Parallel()
	for file, text := range map[string]string{"octavo.service": read(t, "octavo.service"), "docs/operating/run.md": read(t, "../docs/operating/run.md")} {
		for _, want := range []string{"\nStartLimitIntervalSec=0\n", "\nRestart=on-failure\n", "\nRestartSec="} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", file, strings.TrimSpace(want))
			}
		}
		if strings.Contains(text, "RestartPreventExitStatus=") {
			t.Errorf("%s gives up a server that has panicked", file)
		}
	}
}

// TestDockerfile: the image is made from nothing, for nobody in particular, of
// parts that are named.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	var last struct {
		from, user, entry string
		adds              []string
	}
	stages := map[string]bool{}
	text := strings.ReplaceAll(read(t, "Dockerfile"), "\\\n", " ")
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		switch words[0] {
		case "ARG":
			if !strings.Contains(line, ":") || strings.HasSuffix(line, ":latest") {
				t.Errorf("%s: an image has no version", line)
			}
		case "FROM":
			last.from, last.user, last.adds = words[1], "", nil
			if len(words) == 4 {
				stages[words[3]] = true
			}
		case "USER":
			last.user = words[1]
		case "COPY":
			from, ok := strings.CutPrefix(words[1], "--from=")
			if ok && !stages[from] {
				t.Errorf("%s: there is no stage %s", line, from)
			}
		case "ENTRYPOINT", "CMD", "VOLUME":
			if err := json.Unmarshal([]byte(strings.TrimPrefix(line, words[0])), new([]string)); err != nil {
				t.Errorf("%s: is not a list, and needs a shell that is not there", line)
			}
			last.entry = line
		case "RUN":
			if last.from == "scratch" {
				t.Errorf("%s: nothing can run there", line)
			}
		case "ENV", "WORKDIR", "EXPOSE":
		default:
			t.Errorf("%s: is not among what this image is made of", line)
		}
	}
	if last.from != "scratch" || !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(last.user) || last.entry == "" {
		t.Errorf("have an image from %q for the user %q, want scratch and numbers that are not root's", last.from, last.user)
	}
}

// TestMetricsExist: the alerts, the dashboard and the documentation name
// metrics that a server has, and the documentation all that are Octavo's own.
func TestMetricsExist(t *testing.T) {
	t.Parallel()
	m := metrics.New("test")
	s := octavotest.Start(t, octavotest.Options{Metrics: m, Search: true, Deliver: true})
	for named := false; !named; runtime.Gosched() { // until the follower of webhooks runs
		n, err := s.Store.Numbers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		named = slices.ContainsFunc(n.Followers, func(f changelog.FollowerNumbers) bool { return f.Name != "" })
	}
	m.Request("getPage", 200, time.Second, 1)
	m.Commit(1, time.Second)
	m.Delivery("succeeded", time.Second, time.Second)
	m.Search(time.Second, 1, false)
	m.SearchRegion("eu")
	m.Export("pdf", "ready", time.Second, 1)
	m.ExportMessage("succeeded")
	m.Import("ready", time.Second)
	m.NotificationMessage("succeeded")
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	known := map[string]bool{"up": true}
	for _, found := range regexp.MustCompile(`(?m)^# TYPE (\S+) (\S+)$`).FindAllStringSubmatch(w.Body.String(), -1) {
		known[found[1]] = true
		if found[2] == "histogram" {
			known[found[1]+"_bucket"], known[found[1]+"_sum"], known[found[1]+"_count"] = true, true, true
		}
	}
	name := regexp.MustCompile(`\b(octavo|go|process)_[a-z0-9_]+\b`)
	documented := read(t, "../docs/operating/run.md")
	for file, text := range map[string]string{
		"prometheus/rules.yaml": read(t, "prometheus/rules.yaml"), "prometheus/dashboard.json": read(t, "prometheus/dashboard.json"), "docs/operating/run.md": documented,
	} {
		found := name.FindAllString(text, -1)
		for _, n := range found {
			if !known[n] && n != "go_" && n != "process_" {
				t.Errorf("%s names the metric %s, which there is not", file, n)
			}
		}
		if len(found) < 15 {
			t.Errorf("%s: found %d names of metrics, want more", file, len(found))
		}
	}
	for n := range known {
		if base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(n, ""); strings.HasPrefix(n, "octavo_") && !strings.Contains(documented, "`"+base+"`") {
			t.Errorf("docs/operating/run.md says nothing of %s", base)
		}
	}
	checkSelectors(t, w.Body.String(), read(t, "prometheus/rules.yaml"), strings.ReplaceAll(read(t, "prometheus/dashboard.json"), `\"`, `"`))
	promtool := exec.CommandContext(t.Context(), testenv.Promtool(t), "check", "metrics")
	promtool.Stdin = strings.NewReader(w.Body.String())
	if out, err := promtool.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}

// checkSelectors compares the labels and names in selectors of metrics with those that
// exist: an alert on an unknown label would never fire.
func checkSelectors(t *testing.T, served string, texts ...string) {
	t.Helper()
	label := regexp.MustCompile(`([a-z]+)(=~|!=|!~|=)"([^"]*)"`)
	labels := map[string][]string{}
	for _, found := range regexp.MustCompile(`(?m)^(octavo_\w+)\{(.*)\} \S+$`).FindAllStringSubmatch(served, -1) {
		for _, pair := range label.FindAllStringSubmatch(found[2], -1) {
			labels[found[1]] = append(labels[found[1]], pair[1])
		}
	}
	document := read(t, "../api/openapi.yaml")
	selected := 0
	for _, found := range regexp.MustCompile(`(octavo_\w+)\{([^}]*)\}`).FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		for _, pair := range label.FindAllStringSubmatch(found[2], -1) {
			if pair[1] == "job" { // Prometheus gives it
				continue
			}
			selected++
			if !slices.Contains(labels[found[1]], pair[1]) {
				t.Errorf("%s selects by %s, which the metric has not", found[0], pair[1])
			}
			for value := range strings.SplitSeq(pair[3], "|") {
				if pair[1] == "operation" && !strings.Contains(document, "operationId: "+value+"\n") ||
					pair[1] == "follower" && value != webhooks.FollowerName {
					t.Errorf("%s selects the %s %s, which there is not", found[0], pair[1], value)
				}
			}
		}
	}
	if selected < 4 {
		t.Errorf("looked at %d selectors, want more", selected)
	}
	grouped := 0
	for _, found := range regexp.MustCompile(`by \(([a-z, ]+)\) \((?:[a-z_]+\()?(octavo_\w+)`).FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		for label := range strings.SplitSeq(found[1], ", ") {
			if label == "job" || label == "instance" {
				continue
			}
			grouped++
			if !slices.Contains(labels[found[2]], label) {
				t.Errorf("%s… groups by %s, which the metric has not", found[0], label)
			}
		}
	}
	if grouped < 10 {
		t.Errorf("looked at %d labels that are grouped by, want more", grouped)
	}
}

// TestAlerts: the rules are sound, and tell of what they are to tell of.
func TestAlerts(t *testing.T) {
	t.Parallel()
	promtool := testenv.Promtool(t)
	for _, args := range [][]string{{"check", "rules", "prometheus/rules.yaml"}, {"test", "rules", "prometheus/rules_test.yaml"}} {
		if out, err := exec.CommandContext(t.Context(), promtool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestSearchRoutes: the routes described beside the manifests send every search path to a
// process with that role.
func TestSearchRoutes(t *testing.T) {
	t.Parallel()
	text := read(t, "README.md")
	for _, path := range []string{"`/search/eu/`", "`/v1/search`", "`/v2/search`"} {
		if !strings.Contains(text, path) {
			t.Errorf("README.md does not say where %s goes", path)
		}
	}
}

// TestManifestRoles: the manifests together leave out no role.
func TestManifestRoles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var roles []string
	for _, file := range files {
		decoder := yaml.NewDecoder(strings.NewReader(read(t, file)))
		for {
			var object struct {
				Spec struct {
					Template struct {
						Spec struct {
							Containers []struct {
								Args []string `yaml:"args"`
							} `yaml:"containers"`
						} `yaml:"spec"`
					} `yaml:"template"`
				} `yaml:"spec"`
			}
			if err := decoder.Decode(&object); err != nil {
				break // the end; tools/manifests judges the form
			}
			for _, c := range object.Spec.Template.Spec.Containers {
				if i := slices.Index(c.Args, "--process-roles"); i >= 0 {
					roles = append(roles, strings.Split(c.Args[i+1], ",")...)
				}
			}
		}
	}
	slices.Sort(roles)
	if want := []string{"api", "auth", "search", "worker"}; !reflect.DeepEqual(roles, want) {
		t.Errorf("have the roles %v, want %v", roles, want)
	}
}
