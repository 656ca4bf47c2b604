package search

import (
	"strings"
	"testing"
)

// judged is a set of small pages, by id, and which of them is right for a query.
type judged struct {
	pages map[string]string // "title | text", or "title | # heading | text" and so on
	first map[string]string // the page by query; with # the section too
}

func (j *judged) index(t *testing.T) *Index {
	t.Helper()
	index := New(Config{})
	for n, id := range sortedKeys(j.pages) {
		parts := strings.Split(j.pages[id], " | ")
		d := &Document{ID: id, Title: parts[0], Slug: id, Published: true, Sections: []Section{{}}}
		for _, part := range parts[1:] {
			if heading, is := strings.CutPrefix(part, "# "); is {
				d.Sections = append(d.Sections, Section{Anchor: strings.ReplaceAll(strings.ToLower(heading), " ", "-"), Heading: heading, Level: 2})
				continue
			}
			d.Sections[len(d.Sections)-1].Text += part + "\n"
		}
		mustApply(t, index, int64(n), put(d))
	}
	return index
}

func TestJudgedResultsFirst(t *testing.T) {
	t.Parallel()
	for name, j := range map[string]judged{
		"the word before what begins with it": {
			map[string]string{
				"begun": "Emacsify", "said": "Text | Work with emacs or ed.", "edits": "Edition", "script": "JavaScript | What runs in JavaScript.", "beans": "Beans | Java is an island.",
				"gopher": "Gophers", "go": "Programs | Written in Go.",
			},
			map[string]string{"emacs": "said", "ed": "said", "java": "beans", "the emacs": "said", "go": "go", "emacsi": "begun", "gophe": "gopher"},
		},
		"words in a row before one of them in a title": {
			map[string]string{"one": "Wombats | Of a wombat.", "row": "Other matters | Somebody may tickle wombat and quokka.", "six": "Version 6 | IP and so on.", "ip": "Networks | With IP 6 for all."},
			map[string]string{"tickle wombat": "row", "IP 6": "ip", "wombat": "one"},
		},
		"parts of names": {
			map[string]string{
				"parsed": "Parsed | Parsed things, parsed stuff.", "call": "Helper | `docs.tree.make_parsed_tree()` does it.",
				"config": "Config | Configure with config.", "get": "Get", "dotted": "Other | Call `app.config.get()` then.",
				"pages": "Pages | Pages everywhere.", "path": "Routes | `GET /v9/pages/{id}` answers.", "colon": "More | `std::pages::flat_map`", "flat": "Flat | A map is flat.",
			},
			map[string]string{
				"make_parsed_tree": "call", "make_parsed_tree()": "call", "tree.make_parsed_tree": "call", "app.config.get()": "dotted", "config.get": "dotted", "/v9/pages": "path", "flat_map": "colon",
			},
		},
		"names with capitals": {
			map[string]string{"check": "Checks | # XSPELL check | It checks words with xSpell.", "list": "Words | # The `xSpell` list | It has words."},
			map[string]string{"xSpell": "list", "xspell": "check"},
		},
		"apostrophes and ampersands": {
			map[string]string{
				"t": "Tables", "don": "Don", "rules": "Rules | Please don't, and do not.", "ll": "Llamas", "well": "Well | A well of water.", "later": "Later | Then we’ll see.",
				"a": "Animals | A zoo.", "support": "Support | See the Q&A.", "quality": "Testing | QA is testing.", "d": "Dogs", "work": "Work | R&D is fun.",
			},
			map[string]string{"don't": "rules", "don’t": "rules", "don‘t": "rules", "we'll": "later", "Q&A": "support", "r&d": "work", "QA": "quality"},
		},
		"C alone": {
			map[string]string{"c": "C | The C library.", "cpp": "C++ | The C++ library.", "csharp": "C# | The C# library.", "new": "Standards | C++17 is one."},
			map[string]string{"C": "c", "c": "c", "C++": "cpp", "c#": "csharp", "C library": "c", "C++ library": "cpp", "c++17": "new"},
		},
		"points of letters": {
			map[string]string{"ar": "صفحة | هذا هو الكِتَابُ الجديد", "he": "דף | שָׁלוֹם עולם", "other": "Other | nothing"},
			map[string]string{"الكتاب": "ar", "الكِتاب": "ar", "الكتـاب": "ar", "שלום": "he"},
		},
		"other words in titles": {
			map[string]string{
				"fake": "Mocking | Requests are answered here.", "answers": "Answers | What an answer holds, and answers to requests.",
				"spaces": "Workspaces | Many packages in one place.", "trees": "Work trees | A monorepo of git.", "page": "Reading a page | Every page has text.", "paging": "Pagination | Parts of a list.",
				"off": "Disabling wombats | They are quiet then.", "turn": "Turns | Wombats turn left, then off.", "pay": "Billing | Of cards.", "credit": "Credits | A list of cards and authors.",
			},
			map[string]string{"fake requests": "fake", "monorepo packages": "spaces", "read a page": "page", "turn off wombats": "off", "credit card": "pay"},
		},
		"passing remarks": {
			map[string]string{
				"state": "State | # Sharing state | Components take it from there.", "remark": "Notes | Somebody may share state between components here, and more of it.",
				"forms": "Letters | # Spelling check | Spelling and checks, spelling and checks.", "asked": "Style | # Spell checking | Of words.",
				"panel": "The panel | It shows walls, and walls open here.", "said": "Doors | Then open the panel of doors.",
			},
			map[string]string{"share state between components": "state", "spell checking": "asked", "how to open the panel": "panel"},
		},
		"a title whose words others write as one": {
			map[string]string{
				"agent": "Wombat agent | It starts quokkas.", "jar": "Wombat files | # An agent | A quokka takes quokka-wombat, quokka-wombat-agent or wombat-agent.",
				"one": "One | A wombat and a quokka.", "two": "Two | An agent.", "three": "Three | An agent, a quokka.",
			},
			map[string]string{"quokka wombat agent": "agent"},
		},
		"news below what it is about": {
			map[string]string{
				"blog-2022-07-01-v3": "Version 3 is out | # loader.meta.glob | The loader.meta.glob support was rewritten.",
				"features":           "Features | # Glob loading | The function loader.meta.glob takes modules from the file system.",
				"changelog":          "Changelog | # Dark mode | Dark mode was added. Dark mode is dark.", "looks": "Looks | Choose colours. There is a dark mode.",
				"announcing-hats": "Announcing hats | Hats for all.", "hats": "Clothes | # Hats | Hats are worn.",
			},
			map[string]string{
				"loader.meta.glob": "features#glob-loading", "dark mode": "looks", "hats": "hats#hats", "when was dark mode released": "changelog#dark-mode", "announcing hats": "announcing-hats",
				"version 3": "blog-2022-07-01-v3", "hats news": "announcing-hats",
			},
		},
		"parts of options in a sentence": {
			map[string]string{
				"options": "Options | # bundle.write | Keeps it. | # --plugin-dir | A folder. | # writeBundle | A plugin may write.",
				"plugins": "Plugin API | How a plugin is made, and how to write one.",
			},
			map[string]string{"how to write a plugin": "plugins", "bundle.write": "options#bundle.write", "--plugin-dir": "options#--plugin-dir"},
		},
		"the page with a section that has a long question": {
			map[string]string{
				"herrings": "Small herrings | Herrings are fish. | # Keeping | They swim at night. | # Feeding | They stop eating early.",
				"walrus":   "Animals | # Food | Keep a walrus from the pond at night, or it goes on eating small herrings.",
				"pond":     "Ponds | Of water.", "night": "Nights | Walrus songs. | # Small | Little.", "stop": "Stops | Buses stop.",
			},
			map[string]string{"how do I keep a walrus from eating small herrings at night": "walrus", "small herrings": "herrings"},
		},
		"the section that answers": {
			map[string]string{
				"run": "Running | # Start | The limit of memory. A process has its own time limits. | # Memory | Set the memory limit here. | # More | Memory has a limit.",
			},
			map[string]string{"memory limit": "run#memory", "time limits": "run#start"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			index := j.index(t)
			for query, want := range j.first {
				have, anchor := "nothing", ""
				answer := mustSearch(t, index, Query{Text: query, Limit: 5})
				if len(answer.Hits) > 0 {
					have, anchor = answer.Hits[0].ID, answer.Hits[0].Anchor
				}
				if strings.Contains(want, "#") {
					have += "#" + anchor
				}
				if have != want {
					t.Errorf("%s: have %s first, want %s of %v", query, have, want, idsOf(answer))
				}
			}
		})
	}
}
