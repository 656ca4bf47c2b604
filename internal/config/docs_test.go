package config_test

import (
	"os"
	"testing"

	"github.com/octavo-docs/octavo/internal/config"
)

func TestConfigurationPage(t *testing.T) {
	have, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := config.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Error("docs/configuration.md differs from the option table: run make generate")
	}
}
