// Package faulttest breaks the running program on purpose and checks its promises: an
// answered write is completely on disk, a repeated request acted once, and impossible
// requests are refused in a way that clients understand. It only has tests; rules of the
// product are tested beside their code. Start with chaos_test.go.
//
// The faults: the process is killed, at any moment or as it enters a sync, the power
// fails, the disk is full or fails, PostgreSQL or the bucket stops, connections are cut,
// clocks are wrong, clients are hostile. TestChaos applies most of them to three
// processes under load, and reports what it did and found. Concurrent histories are
// checked for linearizability, and a trace of system calls shows that each response
// leaves after its sync.
//
// The flag -seed determines all random choices; only the timing of processes is the
// machine's. Other flags make the same tests longer, see main_test.go; `make chaos` and
// `make soak` set them.
package faulttest
