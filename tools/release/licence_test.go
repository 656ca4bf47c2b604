package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLicences: a licence is told by its text, and one that may not be linked
// is refused.
func TestLicences(t *testing.T) {
	t.Parallel()
	const bsd = "Redistribution and use in source and binary forms, with or without modification, are permitted"
	for _, x := range []struct{ file, text, want string }{
		{"LICENSE", "Apache License\n  Version 2.0, January 2004", "Apache-2.0"},
		{"LICENSE.txt", "MIT License\nPermission is hereby granted, free of charge, to any person … to deal in the Software without restriction", "MIT"},
		{"LICENSE", bsd + " … Neither the name of", "BSD-3-Clause"},
		{"LICENSE", bsd + ".", "BSD-2-Clause"},
		{"COPYING", "GNU GENERAL PUBLIC LICENSE\nVersion 3", "is under GPL, with which"},
		{"LICENSE", "GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3", "is under AGPL, with which"},
		{"LICENSE", "GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3", "is under LGPL, with which"},
		{"LICENSE", "All rights reserved.", "no file says"},
		{"README", "Apache License Version 2.0", "no file says"},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, x.file), []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		have, err := licenceIn(folder)
		if err != nil {
			have = err.Error()
		}
		if !strings.HasPrefix(have, x.want) {
			t.Errorf("%s %q: have %q, want %q", x.file, x.text, have, x.want)
		}
	}
}
