// Package archtest tests the structure of this repository: which package may import which,
// how long a file may be, and what only a few places may do. A new package needs one line
// in the table of areas (layers_test.go); a new exception needs its reason in the list of
// its rule. Each rule is a function from a tree of files to its violations. It runs on the
// repository, where it must find none, and on small invented trees, where it must find
// some. Behaviour of packages is tested beside them.
package archtest
