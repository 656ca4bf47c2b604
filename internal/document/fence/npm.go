package fence

import "strings"

// commands are those of npm, for Yarn and pnpm.
var commands = map[string][2]string{
	"npm install": {"yarn add", "pnpm add"}, "npm i": {"yarn add", "pnpm add"}, "npm uninstall": {"yarn remove", "pnpm remove"},
	"npm run": {"yarn run", "pnpm run"}, "npm test": {"yarn test", "pnpm test"}, "npm start": {"yarn start", "pnpm start"},
	"npm exec": {"yarn exec", "pnpm exec"}, "npx": {"yarn dlx", "pnpm dlx"}, "npm init": {"yarn create", "pnpm create"}, "npm create": {"yarn create", "pnpm create"},
}

// options of npm that Yarn has by another name or not at all.
var options = strings.NewReplacer(" --save-dev ", " --dev ", " -D ", " --dev ", " --save ", " ", " -S ", " ")

// Managers returns commands of npm for Yarn and pnpm, as npm2yarn of Docusaurus does; ok is
// false if it does not know them all.
func Managers(text string) (yarn, pnpm string, ok bool) {
	var ofYarn, ofPnpm strings.Builder
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		n := min(len(words), 2)
		if n > 1 && words[0] == "npx" {
			n = 1
		}
		to, known := commands[strings.Join(words[:n], " ")]
		rest := strings.Join(append(words[n:], ""), " ") + "\n"
		switch {
		case !known && n > 0 && words[0] == "npm", known && (strings.ContainsAny(line, "&|;\\") || strings.Contains(" "+rest, " -g ") || strings.Contains(rest, "--global")):
			return "", "", false
		case !known:
			ofYarn.WriteString(line)
			ofPnpm.WriteString(line)
			continue
		case len(words) == 2 && strings.HasSuffix(to[0], " add"): // what the project needs
			to = [2]string{"yarn install", "pnpm install"}
		}
		ok = true
		ofYarn.WriteString(strings.TrimSpace(options.Replace(to[0]+" "+rest)) + "\n")
		ofPnpm.WriteString(strings.TrimSpace(to[1]+" "+rest) + "\n")
	}
	return ofYarn.String(), ofPnpm.String(), ok
}
