package main

// tokensCommand groups what is done to access tokens.
type tokensCommand struct {
	Issue  tokensIssueCommand  `cmd:"" help:"Issue a signed access token and print it."`
	Rotate tokensRotateCommand `cmd:"" help:"Make a new key to sign tokens with."`
}
