// What the editor says. The names of phrases are those of CodeMirror.

const en = {
  empty: "Write here. Escape, then Tab leaves the text.",
};

const de: typeof en = {
  empty: "Hier schreiben. Escape, dann Tab verlässt den Text.",
};

export const editor = { en, de };

/** CodeMirror speaks English by itself. */
export const phrases: Record<string, Record<string, string>> = {
  en: {},
  de: {
    "Control character": "Steuerzeichen",
    "Selection deleted": "Auswahl gelöscht",
    "Folded lines": "Eingeklappte Zeilen",
    "Unfolded lines": "Ausgeklappte Zeilen",
    to: "bis",
    "folded code": "eingeklappter Abschnitt",
    unfold: "ausklappen",
    "Fold line": "Abschnitt einklappen",
    "Unfold line": "Abschnitt ausklappen",
    "Go to line": "Gehe zu Zeile",
    go: "los",
    Find: "Suchen",
    Replace: "Ersetzen",
    next: "nächste",
    previous: "vorherige",
    all: "alle",
    "match case": "Groß-/Kleinschreibung",
    regexp: "regulärer Ausdruck",
    "by word": "ganze Wörter",
    replace: "ersetzen",
    "replace all": "alle ersetzen",
    close: "schließen",
    "current match": "aktueller Treffer",
    "replaced $ matches": "$ Treffer ersetzt",
    "replaced match on line $": "Treffer in Zeile $ ersetzt",
    "on line": "in Zeile",
  },
};
