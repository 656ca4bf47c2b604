package main

// tokensCommand groups what is done to access tokens.
type tokensCommand struct {
	Issue  tokensIssueCommand  `cmd:"" help:"Issue a signed access token and print it."`
	Rotate tokensRotateCommand `cmd:"" help:"Create a new key that signs tokens."`
}
