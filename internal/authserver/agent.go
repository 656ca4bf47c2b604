package authserver

import "strings"

// agentName says in a few words which browser a User-Agent field names, and on
// which system, for people to recognise where they are signed in. One that is
// not known is left as it is.
func agentName(agent string) string {
	browser, known := firstOf(agent, [][2]string{ // those that name another one too come before it
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"Chrome/", "Chrome"},
		{"CriOS/", "Chrome"},
		{"Safari/", "Safari"},
	})
	if !known {
		return agent
	}
	if system, known := firstOf(agent, [][2]string{
		{"Android", "Android"},
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Windows", "Windows"},
		{"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"},
		{"Linux", "Linux"},
	}); known {
		return browser + " on " + system
	}
	return browser
}

// firstOf returns the name that belongs to the first mark that text holds.
func firstOf(text string, marks [][2]string) (name string, known bool) {
	for _, m := range marks {
		if strings.Contains(text, m[0]) {
			return m[1], true
		}
	}
	return "", false
}
