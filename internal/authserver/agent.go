package authserver

import "strings"

// agentName returns a short name of the browser and system in a User-Agent field, so that
// people recognise their sessions. It returns an unknown one unchanged.
func agentName(agent string) string {
	browser, known := firstOf(agent, [][2]string{ // browsers that also name another one come first
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

// firstOf returns the name of the first mark found in text.
func firstOf(text string, marks [][2]string) (name string, known bool) {
	for _, m := range marks {
		if strings.Contains(text, m[0]) {
			return m[1], true
		}
	}
	return "", false
}
