// Package archtest holds the shape of this repository as tests: which package
// may import which, how long a file may be, and what only a few places may do.
// A new package needs one line in the table of areas (layers_test.go); a new
// exception needs its reason in the list of its rule.
//
// Each rule is a function from a tree of files to the violations in it. It is
// run over the repository, where it must find none, and over small made-up
// trees, where it must find what it is for. What a package does is tested
// beside the package, never here.
package archtest
