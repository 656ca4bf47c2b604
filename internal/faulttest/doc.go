// Package faulttest breaks the running program on purpose and checks its promises: an
// answered write is completely on disk, a repeated request acted once, and impossible
// requests are refused in a way that clients understand. It only has tests; rules of the
// product are tested beside their code.
package faulttest
