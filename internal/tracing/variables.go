package tracing

import (
	"cmp"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// defaultTimeout is the time limit for sending one batch (OTLP exporter specification).
const defaultTimeout = 10 * time.Second

// variables reads the environment and keeps the first error. Names and meanings are those
// of OpenTelemetry (Environment Variable Specification; OTLP Exporter Configuration).
type variables struct{ err error }

// exporter returns a variable of the exporter: the one for traces takes precedence over
// the general one.
func (*variables) exporter(name string) (value, variable string) {
	variable = "OTEL_EXPORTER_OTLP_TRACES_" + name
	if value = os.Getenv(variable); value == "" {
		variable = "OTEL_EXPORTER_OTLP_" + name
		value = os.Getenv(variable)
	}
	return strings.TrimSpace(value), variable
}

func (v *variables) wrong(variable, format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("%s: %s", variable, fmt.Sprintf(format, args...))
	}
}

// on reports whether tracing is enabled.
func (v *variables) on() bool {
	if strings.EqualFold(strings.TrimSpace(os.Getenv("OTEL_SDK_DISABLED")), "true") {
		return false
	}
	switch exporter := os.Getenv("OTEL_TRACES_EXPORTER"); exporter {
	case "", "otlp":
	case "none":
		return false
	default:
		v.wrong("OTEL_TRACES_EXPORTER", "%q is not served; use otlp, or none", exporter)
	}
	endpoint, _ := v.exporter("ENDPOINT")
	return endpoint != ""
}

// endpoint returns the address for traces. The variable for traces has the whole address,
// the general one the base.
func (v *variables) endpoint() *url.URL {
	text, variable := v.exporter("ENDPOINT")
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		v.wrong(variable, "must be an address such as http://localhost:4318")
		return &url.URL{}
	}
	if variable == "OTEL_EXPORTER_OTLP_ENDPOINT" {
		u = u.JoinPath("v1", "traces")
	}
	return u
}

func (v *variables) client(o Options) *sender {
	if protocol, variable := v.exporter("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		v.wrong(variable, "%q is not served; use http/protobuf", protocol)
	}
	s := &sender{address: v.endpoint(), header: v.headers(), timeout: v.timeout(), agent: "Octavo/" + o.Version}
	switch compression, variable := v.exporter("COMPRESSION"); compression {
	case "", "none":
	case "gzip":
		s.level = gzip.BestSpeed
	default:
		v.wrong(variable, "%q is not served; use gzip, or none", compression)
	}
	s.client = o.Client(s.timeout, v.tls())
	return s
}

// headers returns additional headers, such as an API key. Values are percent-encoded, as
// in W3C Baggage.
func (v *variables) headers() http.Header {
	list, variable := v.exporter("HEADERS")
	h := http.Header{}
	for pair := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || name == "" || err != nil {
			v.wrong(variable, "must be names and values such as api-key=secret, separated by commas") // without the value, which may be secret
			continue
		}
		h.Set(name, value)
	}
	return h
}

func (v *variables) timeout() time.Duration {
	text, variable := v.exporter("TIMEOUT")
	if text == "" {
		return defaultTimeout
	}
	ms, err := strconv.Atoi(text)
	if err != nil || ms <= 0 {
		v.wrong(variable, "must be a number of milliseconds")
	}
	return time.Duration(ms) * time.Millisecond
}

// tls returns the TLS settings for collector and client certificates; nil is the default.
func (v *variables) tls() *tls.Config {
	authority, authorityFrom := v.exporter("CERTIFICATE")
	certificate, from := v.exporter("CLIENT_CERTIFICATE")
	key, _ := v.exporter("CLIENT_KEY")
	if authority == "" && certificate == "" && key == "" {
		return nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if authority != "" {
		pem, err := os.ReadFile(authority)
		c.RootCAs = x509.NewCertPool()
		if err == nil && !c.RootCAs.AppendCertsFromPEM(pem) {
			err = errors.New("has no certificate in PEM form")
		}
		if err != nil {
			v.wrong(authorityFrom, "%v", err)
		}
	}
	if certificate != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			v.wrong(from, "%v", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c
}

// sampler returns which traces are recorded: all by default, except those that a caller
// marks as not sampled.
func (v *variables) sampler() sdktrace.Sampler {
	const variable, argument = "OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"
	name := cmp.Or(strings.ToLower(strings.TrimSpace(os.Getenv(variable))), "parentbased_always_on")
	base, parent := strings.CutPrefix(name, "parentbased_")
	var s sdktrace.Sampler
	switch base {
	case "always_on":
		s = sdktrace.AlwaysSample()
	case "always_off":
		s = sdktrace.NeverSample()
	case "traceidratio":
		ratio, err := strconv.ParseFloat(cmp.Or(strings.TrimSpace(os.Getenv(argument)), "1"), 64)
		if err != nil || !(ratio >= 0 && ratio <= 1) {
			v.wrong(argument, "must be a number from 0 to 1")
		}
		s = sdktrace.TraceIDRatioBased(ratio)
	default:
		v.wrong(variable, "%q is not served; use always_on, always_off or traceidratio, with or without parentbased_ before it", name)
		return nil
	}
	if parent {
		s = sdktrace.ParentBased(s)
	}
	return s
}

// checkNumbers refuses values that the SDK would silently ignore.
func (v *variables) checkNumbers() {
	for _, name := range []string{
		"OTEL_BSP_SCHEDULE_DELAY", "OTEL_BSP_EXPORT_TIMEOUT", "OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
		"OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT", "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT",
	} {
		if text := os.Getenv(name); text != "" {
			if n, err := strconv.Atoi(text); err != nil || n < 0 {
				v.wrong(name, "must be a whole number")
			}
		}
	}
}
