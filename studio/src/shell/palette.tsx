import { signal } from "@preact/signals";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import type { TreePage } from "../api/types.ts";
import { go } from "../router.ts";
import { client } from "../session.ts";
import { Modal } from "../ui/dialog.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { t } from "../words.ts";
import { commands, pressed, spelled } from "./commands.ts";
import { byId, pages } from "./pages.ts";
import { fold, passage, ranked, score } from "./rank.ts";
import { recent } from "./recent.ts";

export const paletteOpen = signal(false);

/** The palette opens from everywhere, before the text or anything else sees the key. */
export function followPaletteKey(): () => void {
  const onKey = (e: KeyboardEvent) => {
    if (!pressed(e, "Mod+K")) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    if (!e.repeat) paletteOpen.value = !paletteOpen.value;
  };
  addEventListener("keydown", onKey, true);
  return () => removeEventListener("keydown", onKey, true);
}

interface Option {
  id: string;
  group: string;
  icon: IconName;
  title: string;
  more?: string;
  shortcut?: string;
  excerpt?: { text: string; marked: boolean }[];
  run: () => void;
}

interface Hit {
  id: string;
  title: string;
  highlight?: string;
}

const typing = 150; // milliseconds without a key after which the text is searched
const mostPages = 12;

export function Palette() {
  return paletteOpen.value ? <Opened /> : null;
}

function Opened() {
  const id = useId();
  const [query, setQuery] = useState("");
  const [hits, setHits] = useState<{ query: string; found: Hit[]; fault?: unknown }>({ query: "", found: [] });
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const asked = query.trim();

  useEffect(() => {
    if (asked.length < 2) return;
    const end = new AbortController();
    const timer = setTimeout(() => {
      client.call<Hit[]>(`/search?limit=8&q=${encodeURIComponent(asked)}`, { signal: end.signal }).then(
        (a) => setHits({ query: asked, found: a.data }),
        (fault: unknown) => end.signal.aborted || setHits({ query: asked, found: [], fault }),
      );
    }, typing);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [asked]);

  const all = pages.value;
  const near = useMemo(() => optionsFor(asked, all, byId.value), [asked, all, commands.value]);
  const inText = asked.length < 2 ? [] : hits.found.filter((h) => !near.some((n) => n.id === h.id));
  const options: Option[] = [
    ...near,
    ...inText.map((h) => ({ ...pageOption(h, t("inText")), id: `text-${h.id}`, ...(h.highlight ? { excerpt: passage(h.highlight) } : {}) })),
  ];
  const at = Math.min(chosen, options.length - 1);

  const close = () => (paletteOpen.value = false);
  const run = (o: Option | undefined) => {
    if (!o) return;
    close();
    // The dialog is gone and the focus back before the command may move it.
    setTimeout(o.run);
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const onKeyDown = (e: KeyboardEvent) => {
    if (e.isComposing) return;
    const n = options.length;
    if (e.key === "Enter") run(options[at]);
    else if (e.key === "Escape") close(); // at once: the dialog tells later that it is closed
    else if (e.key === "ArrowDown" && n > 0) setChosen((at + 1) % n);
    else if (e.key === "ArrowUp" && n > 0) setChosen((at + n - 1) % n);
    else if (e.key === "PageDown" && n > 0) setChosen(Math.min(at + 8, n - 1));
    else if (e.key === "PageUp" && n > 0) setChosen(Math.max(at - 8, 0));
    else return;
    e.preventDefault();
  };
  const groups = [...new Set(options.map((o) => o.group))];
  const waiting = asked.length >= 2 && hits.query !== asked;
  return (
    <Modal class="palette" label={t("palette")} onClose={close}>
      <div class="palette-head">
        <Icon name="search" />
        <input
          class="field"
          role="combobox"
          aria-label={t("searchOrRun")}
          placeholder={t("searchOrRun")}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={options[at] ? `${id}-${at}` : undefined}
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          value={query}
          onKeyDown={onKeyDown}
          onInput={(e) => {
            setQuery(e.currentTarget.value);
            setChosen(0);
          }}
        />
        <button type="button" class="button plain icon-only" aria-label={t("close")} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="palette-list" id={`${id}-list`} ref={list} role="listbox" aria-label={t("results")} tabIndex={-1} hidden={options.length === 0}>
        {groups.map((g) => (
          <div key={g} role="group" aria-label={g}>
            <div class="palette-group" aria-hidden="true">
              {g}
            </div>
            {options.map((o, n) =>
              o.group !== g ? null : (
                <div key={o.id} id={`${id}-${n}`} role="option" class="palette-option" aria-selected={n === at} onPointerMove={() => n !== at && setChosen(n)} onClick={() => run(o)}>
                  <Icon name={o.icon} />
                  <span class="palette-text">
                    <span>{o.title}</span>
                    {o.more && <span class="small muted"> {o.more}</span>}
                    {o.excerpt && (
                      <span class="palette-excerpt">
                        {o.excerpt.map((p, k) => (p.marked ? <mark key={k}>{p.text}</mark> : p.text))}
                      </span>
                    )}
                  </span>
                  {o.shortcut && <kbd>{o.shortcut}</kbd>}
                </div>
              ),
            )}
          </div>
        ))}
      </div>
      <p class="palette-foot small muted" aria-live="polite">
        {hits.fault !== undefined && hits.query === asked ? t("searchFailed", (hits.fault as Error).message) : options.length === 0 && asked ? (waiting ? t("loading") : t("noResults", asked)) : asked ? t("resultsFound", options.length) : t("paletteHelp")}
      </p>
    </Modal>
  );
}

function pageOption(page: { id: string; title: string; slug?: string }, group: string): Option {
  return { id: page.id, group, icon: "page", title: page.title || t("noTitle"), ...(page.slug ? { more: page.slug } : {}), run: () => go({ name: "page", id: page.id }) };
}

/** What is known without asking the server. */
function optionsFor(asked: string, all: readonly TreePage[], known: ReadonlyMap<string, TreePage>): Option[] {
  const actions = commands.value
    .filter((c) => c.when?.() ?? true)
    .map((c): Option => ({ id: c.id, group: t("actions"), icon: "right", title: c.title, ...(c.shortcut ? { shortcut: spelled(c.shortcut) } : {}), run: c.run }));
  if (asked === "") {
    const last = recent().flatMap((id) => known.get(id) ?? []);
    return [...last.map((p) => pageOption(p, t("recentPages"))), ...actions];
  }
  const words = fold(asked).split(/\s+/);
  const meant = actions.map((a) => ({ a, score: score(fold(a.title), words) })).filter((m) => m.score > 0).sort((x, y) => y.score - x.score);
  const found = ranked(all, asked, mostPages).map((p) => pageOption(p, t("pages")));
  const acts = meant.map((m) => m.a);
  // A command that begins with what was typed is what was meant.
  return meant[0] && meant[0].score >= 800 ? [...acts, ...found] : [...found, ...acts];
}
