package conform

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validate validates a value against the schema at a pointer.
func (d *document) validate(pointer string, value any) error {
	schema := d.compiled[pointer]
	if schema == nil {
		fragment := url.URL{Fragment: pointer}
		compiled, err := d.compiler.Compile(documentURL + fragment.String())
		if err != nil {
			return fmt.Errorf("compile the schema at %s: %w", pointer, err)
		}
		schema, d.compiled[pointer] = compiled, compiled
	}
	err := schema.Validate(value)
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		list := faults(invalid)
		slices.Sort(list)
		return errors.New(strings.Join(list, "; "))
	}
	return err
}

// faults lists the errors, each with a JSON Pointer.
func faults(err *jsonschema.ValidationError) []string {
	if len(err.Causes) == 0 {
		unit := err.BasicOutput()
		message := err.Error()
		if unit.Error != nil {
			message = unit.Error.String()
		}
		return []string{fmt.Sprintf("at %q %s", unit.InstanceLocation, message)}
	}
	var list []string
	for _, cause := range err.Causes {
		list = append(list, faults(cause)...)
	}
	return list
}
