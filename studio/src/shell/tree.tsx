import { computed, effect, signal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { addressOf, go, screen } from "../router.ts";
import { may } from "../session.ts";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { chooseTo, chosen, clear, cut, deletions, move, toggle, undo } from "./arrange.ts";
import { Chosen, Delete } from "./chosen.tsx";
import { pressed } from "./commands.ts";
import { drop, end as dragEnd, hover, over, start } from "./drag.ts";
import { ancestors, rowsOf, step } from "./outline.ts";
import { drafts, loadBelow, loadPages, outline, pages, treeState } from "./pages.ts";
import { stepOf } from "./places.ts";
import { filtered } from "./rank.ts";

const key = "octavo.open";

/** The pages below which the tree is open, kept for this tab. */
const open = signal<ReadonlySet<string>>(new Set(JSON.parse(sessionStorage.getItem(key) ?? "[]") as string[]));

function setOpen(ids: Iterable<string>, isOpen: boolean): void {
  const next = new Set(open.peek());
  for (const id of ids) {
    if (isOpen) next.add(id);
    else next.delete(id);
  }
  open.value = next;
  sessionStorage.setItem(key, JSON.stringify([...next].slice(-2000)));
}

const query = signal("");
const shown = computed(() => {
  const o = outline.value;
  if (query.value.trim() === "") return { rows: rowsOf(o, open.value), found: -1 };
  return filtered(o, query.value);
});

/** The page that the tree has its one tab stop on. */
const active = signal("");

/** The page on the screen, wherever one is. */
const current = computed(() => (screen.value.name === "page" || screen.value.name === "history" ? screen.value.id : ""));

/**
 * Opens what the page on the screen lies below, once for each that is shown. A tree with
 * one page at its top opens with that.
 */
function revealCurrent(): () => void {
  let revealed = "";
  return effect(() => {
    const id = current.value;
    const only = outline.value.siblings[0] === 1 ? outline.value.pages[0] : undefined;
    if (only && sessionStorage.getItem(key) === null) setOpen([only.id], true);
    if (id === revealed || !outline.value.at.has(id)) return;
    revealed = id;
    active.value = id;
    setOpen(ancestors(outline.value, id), true);
  });
}

const inLevels = computed(() => treeState.value.levels);

/** Where the tree comes in levels, reads those that are open. */
const loadOpen = () =>
  effect(() => {
    if (!inLevels.value) return;
    for (const id of open.value) if (outline.value.at.has(id)) void loadBelow(id);
  });

export function Tree({ onChoose }: { onChoose?: () => void }) {
  const { loaded, levels, fault } = treeState.value;
  const { rows, found } = shown.value;
  const label = useId();
  useEffect(revealCurrent, []);
  useEffect(loadOpen, []);
  return (
    <>
      <div class="tree-head">
        <label class="visually-hidden" for={label}>
          {t("filterPages")}
        </label>
        <input id={label} class="field" type="search" placeholder={t("filterPages")} autocomplete="off" spellcheck={false} value={query.value} onInput={(e) => (query.value = e.currentTarget.value)} />
        {may("pages:write") && (
          <p class="small">
            <a href={addressOf({ name: "imports", id: "" })} onClick={onChoose}>
              {t("importFiles")}
            </a>
          </p>
        )}
        <p class="tree-count small muted" aria-live="polite">
          {found >= 0 && t(found === 1 ? "pageFound" : "pagesFound", found)}
        </p>
        {levels && found >= 0 && <p class="small muted">{t("filterLoaded")}</p>}
        {fault !== undefined && !loaded && <ProblemNote problem={fault} retry={() => void loadPages()} />}
        {fault !== undefined && loaded && <p class="small muted">{t("treeOld")}</p>}
      </div>
      <Chosen />
      <Drafts {...(onChoose ? { onChoose } : {})} />
      {!loaded && fault === undefined && <p class="loading">{t("loading")}</p>}
      {loaded && pages.value.length === 0 && <p class="tree-none muted">{t("noPages")}</p>}
      {rows.length > 0 && <Rows rows={rows} narrowed={found >= 0} {...(onChoose ? { onChoose } : {})} />}
    </>
  );
}

/** Pages that are drafts of the person and of nobody else yet. */
function Drafts({ onChoose }: { onChoose?: () => void }) {
  const mine = drafts.value.filter((d) => d.changes.some((c) => c.op === "create"));
  const id = useId();
  if (mine.length === 0) return null;
  return (
    <section class="tree-drafts" aria-labelledby={id}>
      <h2 id={id}>{t("myDrafts")}</h2>
      <ul>
        {mine.map((d) => (
          <li key={d.id}>
            <a href={addressOf({ name: "new", parent: null, proposal: d.id })} onClick={onChoose}>
              <Icon name="draft" />
              <span class="tree-title">{d.changes.find((c) => c.op === "create")?.title || d.title || t("noTitle")}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const around = 12; // rows that are there beyond what is seen
const pause = 700; // milliseconds after which letters begin a new word

/** The rows that can be seen, of as many as there are. */
function Rows({ rows, narrowed, onChoose }: { rows: number[]; narrowed: boolean; onChoose?: () => void }) {
  const o = outline.value;
  const scroller = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 800, row: 32 });
  const typed = useRef({ text: "", at: 0 });
  const takeFocus = useRef(false);
  const [deleting, setDeleting] = useState<string[]>();
  const write = may("pages:write");
  const opened = narrowed ? openAll : open.value;

  const ids = rows.map((i) => o.pages[i]!.id);
  const before = useRef(ids);
  let row = ids.indexOf(active.value);
  const gone = row < 0 && !o.at.has(active.value);
  if (gone) {
    // The next row takes the place of the one that had the focus.
    const was = before.current.indexOf(active.value);
    const next = was < 0 ? undefined : (before.current.slice(was).find((id) => ids.includes(id)) ?? before.current.slice(0, was).findLast((id) => ids.includes(id)));
    row = next === undefined ? 0 : ids.indexOf(next);
  }
  row = Math.max(0, row);
  useLayoutEffect(() => {
    before.current = ids;
    if (gone) active.value = ids[row] ?? "";
  });
  const deleted = useRef(deletions.peek());
  useLayoutEffect(() => {
    if (deletions.value > deleted.current && document.activeElement === document.body) scroller.current!.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    deleted.current = deletions.value;
  }, [deletions.value]);

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setSeen({ top: element.scrollTop, height: element.clientHeight, row: 2 * parseFloat(getComputedStyle(document.documentElement).fontSize) });
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current!;
    const top = row * seen.row;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + seen.row > element.scrollTop + element.clientHeight) element.scrollTop = top + seen.row - element.clientHeight;
    const free = document.activeElement === document.body || element.contains(document.activeElement);
    if (takeFocus.current && free) element.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    takeFocus.current = false;
  }, [active.value, row, seen.row]);

  const focusOn = (id: string) => {
    takeFocus.current = true;
    active.value = id;
  };
  /** What keys do to pages, beyond going through the tree. */
  const arrange = (e: KeyboardEvent): boolean => {
    const i = rows[row];
    const page = i === undefined ? undefined : o.pages[i];
    if (!write || i === undefined || !page) return false;
    const these = chosen.peek().size > 0 ? [...chosen.peek()] : [page.id];
    if (e.key === " ") e.shiftKey ? chooseTo(ids, page.id, page.id, false) : toggle(page.id);
    else if (pressed(e, "Mod+A")) chosen.value = new Set(ids);
    else if (e.key === "Escape" && (chosen.peek().size > 0 || cut.peek().length > 0)) clear();
    else if (e.key === "Delete") setDeleting(these);
    else if (pressed(e, "Mod+X")) cut.value = these;
    else if (pressed(e, "Mod+Z")) void undo();
    else if (pressed(e, "Mod+V") && cut.peek().length > 0) {
      setOpen([page.id], true);
      void move(cut.peek(), { parentId: page.id });
    } else if (e.shiftKey && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
      const to = ids[row + (e.key === "ArrowDown" ? 1 : -1)];
      if (to === undefined) return true;
      chooseTo(ids, page.id, to, true);
      focusOn(to);
    } else if (e.altKey && e.key.startsWith("Arrow")) {
      const where = stepOf(o, i, e.key);
      if (where?.parentId) setOpen([where.parentId], true);
      if (where) void move([page.id], where).then(() => focusOn(page.id));
    } else return false;
    return true;
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (!narrowed && arrange(e)) return e.preventDefault();
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const letter = e.key.length === 1 && e.key !== " " && e.key !== "*" && e.key !== "?";
    if (letter) typed.current = { text: e.timeStamp - typed.current.at < pause ? typed.current.text + e.key : e.key, at: e.timeStamp };
    const done = step(o, rows, row, opened, e.key, letter ? typed.current.text : "");
    if (!done) return;
    e.preventDefault();
    if ("enter" in done) choose(done.enter);
    else if ("close" in done) setOpen([done.close], false);
    else if ("open" in done) setOpen(done.open, true);
    else {
      takeFocus.current = true;
      active.value = o.pages[rows[done.to]!]!.id;
    }
  };
  const choose = (i: number) => {
    onChoose?.();
    go({ name: "page", id: o.pages[i]!.id });
  };

  const first = Math.max(0, Math.floor(seen.top / seen.row) - around);
  const last = Math.min(rows.length, Math.ceil((seen.top + seen.height) / seen.row) + around);
  const there = Array.from({ length: last - first }, (_, n) => first + n);
  if (row < first) there.unshift(row);
  if (row >= last) there.push(row);
  return (
    <div class="tree-rows" ref={scroller}>
      <div role="tree" aria-label={t("pages")} aria-multiselectable={write} style={{ height: `${rows.length * 2}rem` }} onKeyDown={onKeyDown}>
        {there.map((n) => {
          const i = rows[n]!;
          const page = o.pages[i]!;
          const branch = page.children > 0;
          const here = page.id === current.value;
          return (
            <a
              key={page.id}
              role="treeitem"
              class={`tree-row${chosen.value.has(page.id) ? " chosen" : ""}${cut.value.includes(page.id) ? " cut" : ""}${over.value?.id === page.id ? ` drop-${over.value.part}` : ""}`}
              href={addressOf({ name: "page", id: page.id })}
              tabIndex={n === row ? 0 : -1}
              title={page.title}
              aria-level={o.level[i]}
              aria-posinset={o.place[i]}
              aria-setsize={o.siblings[i]}
              aria-expanded={branch ? opened.has(page.id) : undefined}
              aria-selected={chosen.value.size > 0 ? chosen.value.has(page.id) : here}
              aria-current={here ? "page" : undefined}
              style={{ top: `${n * 2}rem`, paddingInlineStart: `${0.25 + Math.min(o.level[i]! - 1, 10) * 0.9}rem` }}
              onFocus={() => (active.value = page.id)}
              onMouseDown={(e) => write && e.shiftKey && e.preventDefault()} // the focus stays where the range begins
              draggable={write && !narrowed}
              onDragStart={(e) => start(e, page.id)}
              onDragEnd={dragEnd}
              onDragOver={(e) => hover(e, o, i)}
              onDrop={(e) => drop(e, o, i)}
              onClick={(e) => {
                if (write && (e.ctrlKey || e.metaKey || (e.shiftKey && !narrowed))) {
                  e.preventDefault();
                  if (!e.shiftKey) return toggle(page.id);
                  chooseTo(ids, ids[row]!, page.id, false);
                  return focusOn(page.id);
                }
                onChoose?.();
              }}
            >
              <span
                class={`tree-toggle${branch ? "" : " leaf"}`}
                onClick={(e) => {
                  if (!branch || narrowed) return;
                  e.preventDefault();
                  e.stopPropagation();
                  setOpen([page.id], !opened.has(page.id));
                }}
              >
                {branch && <Icon name={opened.has(page.id) ? "down" : "right"} />}
              </span>
              <span class="tree-title">{page.title || t("noTitle")}</span>
              {page.status !== "published" && (
                <span class="tree-status">
                  <Icon name={page.status === "draft" ? "draft" : "archive"} />
                  {t(page.status === "draft" ? "statusDraft" : "statusArchived")}
                </span>
              )}
            </a>
          );
        })}
      </div>
      {deleting && <Delete ids={deleting} onClose={() => setDeleting(undefined)} />}
    </div>
  );
}

/** A tree that is narrowed is open everywhere. */
const openAll: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });
