package analysis

import "strings"

// synonymSets are words that documentation uses for each other, the words of a
// set between commas. Every word is in one set, and none is there that often
// means something else.
const synonymSets = `add create, delete remove erase, copy duplicate clone,
move transfer migrate, merge join combine, split divide,
fix repair solve resolve, undo revert rollback,
begin start, stop end quit cancel terminate, run execute launch, restart reload reboot,
enable activate, disable deactivate, deny reject block, export download, import upload,
install setup, secure protect security, loop iterate repeat, mock fake stub,
folder directory dir, picture image photo, dropdown select, popup modal dialog,
configuration config settings preferences, parameter argument params args option,
environment env, variable var, function func, database db, repository repo, null nil,
documentation docs, information info, application app, administrator admin, website site,
development dev, production prod, kubernetes k8s, javascript js, typescript ts,
login signin logon, authentication authorization auth, 2fa mfa, ssl tls,
permission access role, error exception failure, maximum max limit, minimum min,
fast quick performance speed, big large, empty blank, shortcut hotkey keybinding,
schedule cron, email mail, phone telephone mobile, cost price pricing fee, buy purchase,
pay payment, invoice bill billing receipt, salary compensation,
vacation holiday pto leave, colleague coworker teammate member`

// synonyms are the other words of the set, by the stem of each.
var synonyms = func() map[string][]string {
	others := make(map[string][]string)
	for set := range strings.SplitSeq(synonymSets, ",") {
		words := strings.Fields(set)
		for i, word := range words {
			others[Stem(word)] = append(words[:i:i], words[i+1:]...)
		}
	}
	return others
}()

// Synonyms returns what others may call what a word means, most often.
func Synonyms(word string) []string { return synonyms[Stem(word)] }
