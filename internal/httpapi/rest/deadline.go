package rest

import "time"

// deadline returns the end of d for a connection, whose deadlines use this machine's
// clock. The clock of the API may be that of a database.
func deadline(d time.Duration) time.Time { return time.Now().Add(d) }
