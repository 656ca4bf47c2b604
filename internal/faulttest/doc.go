// Package faulttest breaks the running program on purpose and looks whether it
// kept its word: an answered write is on disk and whole, a request that was
// repeated acted once, and what cannot be done is refused in a way that the
// client understands. It holds tests alone and no rule of the product; those
// rules are tested where they live.
//
// The faults: the process is killed, at any moment or as it enters a sync, the
// power goes, the disk is full or fails, PostgreSQL or the bucket is stopped,
// connections are cut, clocks are wrong, clients are hostile. TestChaos brings
// most of them upon three processes that are worked with meanwhile, and tells
// what it did and found in a report. Concurrent histories are checked for
// linearizability, and a trace of system calls shows that each answer comes
// after its sync.
//
// What is done is drawn from the flag -seed; only the moments at which
// processes meet are the machine's. The other flags make the same tests
// longer, see main_test.go; `make chaos` and `make soak` set them.
package faulttest
