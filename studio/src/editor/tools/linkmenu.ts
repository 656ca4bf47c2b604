import { type Completion, type CompletionContext, type CompletionResult, type CompletionSource, pickedCompletion } from "@codemirror/autocomplete";
import type { EditorState, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Asset, List, Rendered } from "../../api/types.ts";
import { whyNot } from "./why.ts";
import { inCode, writing } from "./options.ts";
import { addressOfFile, addressOfPage, escapeLabel, findPages, headingsIn, type LinkPlace, linkPlace, pageAt } from "./links.ts";
import { say } from "./say.ts";

interface Heading {
  level: number;
  text: string;
  anchor: string;
}

const most = 50; // options that are shown

/** Ends a request when what it was made for is no longer wanted. */
function signalOf(context: CompletionContext): AbortSignal {
  const owner = new AbortController();
  context.addEventListener("abort", () => owner.abort(), { onDocChange: true });
  return owner.signal;
}

// What was read is kept for as long as what it was read of is there.
const own = new WeakMap<Text, Heading[]>();
const others = new WeakMap<object, Heading[]>();

async function headings(context: CompletionContext, address: string): Promise<Heading[]> {
  const { client, format, pageId, tree } = context.state.facet(writing);
  const signal = signalOf(context);
  if (!address) {
    const doc = context.state.doc;
    let list = own.get(doc);
    if (!list) {
      const body = { content: context.state.sliceDoc(), format, ...(pageId ? { pageId } : {}) };
      list = (await client.call<Rendered>("/render", { method: "POST", body, signal })).data.headings;
      own.set(doc, list);
    }
    return list;
  }
  const page = pageAt(tree(), address);
  if (!page) return [];
  let list = others.get(page);
  if (!list) {
    list = headingsIn((await client.call<string>(`/pages/${encodeURIComponent(page.id)}`, { accept: "text/html", signal })).data);
    others.set(page, list);
  }
  return list;
}

async function pictures(context: CompletionContext, { query, end }: LinkPlace): Promise<Completion[]> {
  const { client } = context.state.facet(writing);
  const { data } = await client.call<List<Asset>>("/assets?limit=100&contentType=image/*", { signal: signalOf(context) });
  const text = query.toLowerCase();
  return data.data
    .map((a) => ({ address: addressOfFile(a.url), name: a.name ?? "", size: a.width && a.height ? `${a.width} × ${a.height}` : a.contentType }))
    .filter((a) => a.name.toLowerCase().includes(text) || a.address.includes(text))
    .slice(0, most)
    .map((a) => ({ label: a.name || a.address, detail: a.size, apply: put(a.address, end) }));
}

/** Writes an address. What closes the link comes behind it where it is missing. */
const put =
  (address: string, end: LinkPlace["end"]): Completion["apply"] & object =>
  (view: EditorView, picked: Completion, from: number, to: number) => {
    const close = view.state.sliceDoc(to, to + 1) === end ? "" : end;
    view.dispatch({
      changes: { from, to, insert: address + close },
      selection: { anchor: from + address.length },
      annotations: pickedCompletion.of(picked),
      userEvent: "input.complete",
      scrollIntoView: true,
    });
  };

function pagesFor(state: EditorState, place: LinkPlace): Completion[] {
  return findPages(state.facet(writing).tree(), place.query, most).map((p) => {
    const whole = `[${escapeLabel(p.title)}](${addressOfPage(p)})`;
    const wiki: Completion["apply"] = (view, picked, from, to) => put(whole, "")(view, picked, from, to + (view.state.sliceDoc(to, to + 2) === "]]" ? 2 : 0));
    return { label: p.title, detail: addressOfPage(p), apply: place.kind === "wiki" ? wiki : put(addressOfPage(p), place.end), ...(place.kind === "page" ? { commitCharacters: ["#"] } : {}) };
  });
}

export const linkMenu: CompletionSource = (context): CompletionResult | null | Promise<CompletionResult | null> => {
  const { state, pos } = context;
  const line = state.doc.lineAt(pos);
  const place = linkPlace(state.sliceDoc(Math.max(line.from, pos - 500), pos));
  if (!place || inCode(state, pos)) return null;
  const from = pos - place.length;
  const hash = place.query.indexOf("#");
  if (place.kind === "picture") return asked(context, from, () => pictures(context, place));
  if (place.kind === "wiki" || hash < 0) return result(from, pagesFor(state, place));
  return asked(context, from + hash + 1, async () => {
    const text = place.query.slice(hash + 1).toLowerCase();
    const found = (await headings(context, place.query.slice(0, hash))).filter((h) => h.text.toLowerCase().includes(text) || h.anchor.includes(text));
    found.sort((a, b) => Number(b.text.toLowerCase().startsWith(text)) - Number(a.text.toLowerCase().startsWith(text)));
    return found.slice(0, most).map((h) => ({ label: h.text, detail: "#" + h.anchor, apply: put(h.anchor, place.end) }));
  });
};

const result = (from: number, options: Completion[]): CompletionResult | null => (options.length ? { from, options, filter: false } : null);

async function asked(context: CompletionContext, from: number, ask: () => Promise<Completion[]>): Promise<CompletionResult | null> {
  try {
    return result(from, await ask());
  } catch (e) {
    if (!context.aborted) context.state.facet(writing).onNotice(say(whyNot(e)));
    return null;
  }
}
