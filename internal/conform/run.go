package conform

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// requestTimeout limits a request with its response.
const requestTimeout = 30 * time.Second

// maxTries limits the attempts of a request if the server responds 429.
const maxTries = 3

type Options struct {
	// Scripts contains the scripts as *.txt at its root. They run in order of their names.
	Scripts fs.FS
	// Select chooses scripts by file name; nil means all.
	Select func(name string) bool
	// Document is the OpenAPI document, YAML or JSON.
	Document []byte
	// BaseURL is the public address of the server, without version or trailing slash.
	// Addresses in responses must begin with it.
	BaseURL string
	// Transport sends the requests; nil means an HTTP transport for the run.
	Transport http.RoundTripper
	// Credentials are the credentials by name. Octavo's scripts use reader, writer, admin,
	// published and expired (bearer tokens), reader-key, writer-key and published-key (API
	// keys in a header), and search-key (an API key of kind search, in the query).
	Credentials map[string]Credential
	// Parameters are additional names that scripts may require and use.
	Parameters map[string]string
	// Unique is a text of lower-case letters and digits that is unique to the run.
	Unique string
	// Wait waits before a request is sent again after an unexpected 429. With nil such a
	// response is treated like any other.
	Wait func(ctx context.Context, d time.Duration) error
	// Closed makes undeclared members and header fields of responses fail. A server that is
	// newer than the document may have some.
	Closed bool
	// RequireAll makes a script fail, and not skip, if the run lacks something that it needs.
	RequireAll bool
}

// run is the state of a run.
type run struct {
	Options
	base      string
	transport http.RoundTripper
	document  *document
}

// Run runs the scripts. The error means that the run was impossible: an unreadable script
// or document, or the end of ctx. An unreachable server makes scripts fail.
func Run(ctx context.Context, o Options) (Report, error) {
	scripts, err := load(o.Scripts, o.Select)
	if err != nil {
		return Report{}, err
	}
	r := &run{Options: o, base: strings.TrimRight(o.BaseURL, "/"), transport: o.Transport}
	if u, err := url.Parse(r.base); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return Report{}, fmt.Errorf("the base address %q is no http or https URL", o.BaseURL)
	}
	if o.Unique == "" || strings.Trim(o.Unique, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return Report{}, fmt.Errorf("the unique part %q is not made of lower-case letters and digits", o.Unique)
	}
	if r.document, err = loadDocument(o.Document, o.Closed); err != nil {
		return Report{}, err
	}
	if r.transport == nil {
		own := &http.Transport{DisableCompression: true, Proxy: http.ProxyFromEnvironment}
		defer own.CloseIdleConnections()
		r.transport = own
	}
	var report Report
	for _, script := range scripts {
		report.Scripts = append(report.Scripts, r.script(ctx, script))
		if err := ctx.Err(); err != nil {
			return report, fmt.Errorf("run %s: %w", script.Name, err)
		}
	}
	return report, nil
}

// load parses the selected scripts and reports all errors.
func load(files fs.FS, selected func(string) bool) ([]*Script, error) {
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		return nil, fmt.Errorf("list the scripts: %w", err)
	}
	var scripts []*Script
	var faults []error
	for _, name := range names {
		if selected != nil && !selected(name) {
			continue
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read a script: %w", err)
		}
		script, err := Parse(name, string(text))
		if err != nil {
			faults = append(faults, err)
			continue
		}
		scripts = append(scripts, script)
	}
	if len(scripts) == 0 && len(faults) == 0 {
		return nil, errors.New("there are no scripts to run")
	}
	return scripts, errors.Join(faults...)
}

// script runs one script up to the first block that fails.
func (r *run) script(ctx context.Context, s *Script) ScriptReport {
	report := ScriptReport{Name: s.Name, Blocks: len(s.blocks)}
	if missing := r.missing(s); len(missing) > 0 {
		report.Skipped = "the run has no " + strings.Join(missing, ", ")
		if r.RequireAll {
			report.Failures = []Failure{{Script: s.Name, Line: 1, Request: "requires", Have: report.Skipped, Want: "everything"}}
		}
		return report
	}
	v := &values{named: maps.Clone(r.Parameters), credentials: r.Credentials}
	if v.named == nil {
		v.named = map[string]string{}
	}
	v.named["base"], v.named["unique"] = r.base, r.Unique
	for _, b := range s.blocks {
		for range b.repeat {
			report.Failures = r.block(ctx, s.Name, b, v)
			if len(report.Failures) > 0 {
				return report
			}
		}
		report.Passed++
	}
	return report
}

// missing lists what the script needs and the run lacks.
func (r *run) missing(s *Script) []string {
	var list []string
	for _, name := range s.Needs {
		_, credential := r.Credentials[name]
		_, parameter := r.Parameters[name]
		if !credential && !parameter {
			list = append(list, name)
		}
	}
	return list
}

// block sends a request and checks all expectations.
func (r *run) block(ctx context.Context, script string, b *block, v *values) []Failure {
	target, a, err := r.patiently(ctx, b, v)
	request := b.method + " " + v.masked(b.target)
	if err != nil {
		return []Failure{{script, b.line, request, "", "no answer: " + err.Error(), "an answer"}}
	}
	var failures []Failure
	fail := func(line int, step string, m mismatch) {
		failures = append(failures, Failure{script, line, request, step, r.mask(m.have), r.mask(m.want)})
	}
	for _, s := range b.steps {
		if m := s.try(a, v, r.document); m != nil {
			fail(s.line, v.masked(s.text), *m)
		}
	}
	if b.undocumented {
		return failures
	}
	for _, m := range r.document.checkAnswer(b.method, target, a) {
		fail(b.line, "the document", m)
	}
	return failures
}

// patiently sends a request again if the quota of its credential is exhausted, unless the
// block expects that.
func (r *run) patiently(ctx context.Context, b *block, v *values) (target string, a *answer, err error) {
	for range maxTries {
		target, a, err = r.send(ctx, b, v)
		if err != nil || a.status != http.StatusTooManyRequests || r.Wait == nil || b.expects("429") {
			return target, a, err
		}
		seconds, bad := strconv.Atoi(a.header.Get("Retry-After"))
		if bad != nil || seconds < 1 || seconds > 120 {
			return target, a, nil //nolint:nilerr // without Retry-After it is an ordinary response
		}
		if err := r.Wait(ctx, time.Duration(seconds)*time.Second); err != nil {
			return target, nil, fmt.Errorf("wait for a new quota: %w", err)
		}
	}
	return target, a, err
}

// mask hides secrets in a report.
func (r *run) mask(text string) string {
	for _, credential := range r.Credentials {
		if credential.Secret != "" {
			text = strings.ReplaceAll(text, credential.Secret, "***")
		}
	}
	return text
}
