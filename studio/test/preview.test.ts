import assert from "node:assert/strict";
import test from "node:test";
import { Text } from "@codemirror/state";
import { Problem, Unreachable } from "../src/api/client.ts";
import { blocksOf, plan } from "../src/preview/blocks.ts";
import { targetOf } from "../src/preview/links.ts";
import { problemsOf } from "../src/preview/notices.ts";
import { Rendering } from "../src/preview/rendering.ts";
import { lineOf, placeAt, scrollTo, topOf, type Scale } from "../src/preview/scale.ts";

const broken = (href: string) => `broken ${href}`;

test("blocks are divided where the server says", () => {
  const html = '<div data-line="1">\n<h1>A</h1>\n</div>\n<div data-line="3">\n<pre>x &lt;div data-line="9"></pre>\n</div>\n<div data-line="2">\n<p>b</p>\n</div>\n<section>c</section>\n';
  assert.deepEqual(blocksOf(html), [
    { line: 1, html: "<h1>A</h1>\n</div>\n" },
    { line: 3, html: '<pre>x &lt;div data-line="9"></pre>\n</div>\n' },
    { line: 3, html: "<p>b</p>\n</div>\n<section>c</section>\n" },
  ]);
  assert.deepEqual(blocksOf(""), []);
});

test("a plan makes one list of another, and keeps what typing leaves", () => {
  const lists = ["", "a", "b", "ab", "ba", "aab", "abc", "acb", "abcd", "xbcd", "axcd", "abcx", "bcd", "aabb", "abab", "dcba"].map((s) => [...s]);
  for (const old of lists) {
    for (const next of lists) {
      const made: string[] = [];
      let i = 0;
      for (const step of plan(old, next)) {
        if (step === "keep") assert.equal(old[i], next[made.length]);
        if (step !== "add") i++;
        if (step !== "drop") made.push(next[made.length]!);
      }
      assert.equal(i, old.length, `${old} → ${next}`);
      assert.deepEqual(made, next);
    }
  }
  assert.deepEqual(plan([..."abcd"], [..."abxcd"]), ["keep", "keep", "add", "keep", "keep"]);
  assert.deepEqual(plan([..."abcd"], [..."acd"]), ["keep", "drop", "keep", "keep"]);
  assert.deepEqual(plan([..."abcd"], [..."axcd"]), ["keep", "change", "keep", "keep"]);
});

const lines = [1, 3, 3, 10, 40];
const tops = [80, 100, 180, 200, 1000];
const scale: Scale = { count: 5, line: (i) => lines[i]!, top: (i) => tops[i]!, lines: 50, height: 1500 };

test("lines and pixels lie between blocks", () => {
  for (const [line, top] of [[1, 0], [2, 50], [10, 200], [25, 600], [40, 1000], [45.5, 1250], [51, 1500], [0, 0], [60, 1500]] as const) {
    assert.equal(topOf(scale, line), top, `line ${line}`);
  }
  for (let line = 4; line <= 51; line += 0.25) assert.ok(Math.abs(lineOf(scale, topOf(scale, line)) - line) < 1e-9, `line ${line}`);
  assert.equal(lineOf(scale, 5000), 51);
  assert.equal(topOf({ ...scale, count: 0 }, 26), 750);
});

test("ends meet ends, and each scroll position stands for one place", () => {
  for (const [height, screen] of [[5000, 800], [1000, 800], [1600, 800], [801, 800]] as const) {
    assert.equal(placeAt(0, height, screen), 0);
    assert.equal(placeAt(height - screen, height, screen), height);
    for (let s = 0; s <= height - screen; s += (height - screen) / 16) {
      assert.ok(Math.abs(scrollTo(placeAt(s, height, screen), height, screen) - s) < 1e-9, `${s} of ${height}`);
    }
  }
  assert.equal(placeAt(1000, 5000, 800), 1000); // the upper edge
  assert.equal(placeAt(0, 700, 800), 0);
  assert.equal(scrollTo(300, 700, 800), 0);
});

test("links lead to other tabs, to headings, or nowhere", () => {
  const place = { root: "/deep", api: "https://x.example/deep/v1" };
  for (const [href, want] of [
    ["https://x.example/deep/v1/pages/page_1/preview#a", { url: "/deep/studio/pages/page_1" }],
    ["https://x.example/deep/v1/pages/page_1/preview-not", { url: "https://x.example/deep/v1/pages/page_1/preview-not" }],
    ["#a%20b", { anchor: "a b" }],
    ["#%zz", { anchor: "%zz" }],
    ["https://else.example/", { url: "https://else.example/" }],
    ["gone", undefined],
    ["/gone", undefined],
    ["//else.example", undefined],
    ["javascript:alert(1)", undefined],
    ["mailto:x@example.com", undefined],
  ] as const) {
    assert.deepEqual(targetOf(href, place), want, href);
  }
});

test("notices and broken links find their places", () => {
  const doc = Text.of(["# A", "🙂 see [x](gone) and [y](#no), [z](#no)", "", "[r][s]", "[s]: away"]);
  const at = (message: string) => (p: { from: number; to: number; message: string }) => p.message === message && doc.sliceString(p.from, p.to);
  const found = problemsOf(doc, {
    notices: [{ line: 2, column: 7, message: "unresolved link: gone" }, { line: 4, column: 1, message: "unresolved link: away" }, { line: 99, column: 9, message: "odd: thing" }],
    links: [
      { href: "gone", line: 2, state: "broken" }, { href: "#no", line: 2, state: "broken" }, { href: "#no", line: 2, state: "broken" },
      { href: "fine", line: 2, state: "ok" }, { href: "https://x.example", line: 2, state: "external" },
    ],
  }, broken);
  const texts = (message: string) => found.map(at(message)).filter((text) => text !== false);
  assert.deepEqual(texts("unresolved link: gone"), ["gone"]);
  assert.deepEqual(texts("broken #no"), ["#no", "#no"]);
  assert.notEqual(found[1]!.from, found[2]!.from);
  assert.deepEqual(texts("unresolved link: away"), ["[r][s]"]);
  assert.equal(found.length, 5);
  assert.ok(found.every((p) => p.from <= p.to && p.to <= doc.length));
});

/** A server that answers when it is told to. */
function server() {
  const calls: { body: { content: string }; signal: AbortSignal; answer: (e?: Error) => void }[] = [];
  const call = (_: string, o: { body?: unknown; signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const body = o.body as { content: string };
      o.signal!.addEventListener("abort", () => reject(new Error("aborted")));
      calls.push({ body, signal: o.signal!, answer: (e) => (e ? reject(e) : resolve({ data: { html: body.content, headings: [], links: [], notices: [] }, etag: "" })) });
    });
  return { calls, client: { call: call as never } };
}

const settled = () => new Promise((go) => setImmediate(go));

test("the newest text is rendered after the last key, one request at a time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { calls, client } = server();
  let text = "a";
  const r = new Rendering(client, () => ({ content: text }));
  r.changed(text.length);
  t.mock.timers.tick(50);
  text = "ab";
  r.changed(text.length);
  t.mock.timers.tick(50);
  assert.equal(calls.at(0), undefined);
  t.mock.timers.tick(50);
  assert.deepEqual(calls.map((c) => c.body.content), ["ab"]);
  text = "abc";
  r.changed(text.length);
  t.mock.timers.tick(100);
  assert.deepEqual(calls.map((c) => c.signal.aborted), [true, false]);
  calls[1]!.answer();
  await settled();
  assert.equal(r.answer.value?.html, "abc");
  text = "x".repeat(1_900_000);
  r.changed(text.length);
  t.mock.timers.tick(60_000);
  assert.deepEqual([calls.length, r.waiting.value], [2, true]);
  void r.now();
  assert.deepEqual([calls.length, r.waiting.value], [3, false]);
  r.close();
  assert.ok(calls[2]!.signal.aborted);
});

test("the last answer stays while the server does not answer, and is asked for again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { calls, client } = server();
  const r = new Rendering(client, () => ({ content: "a" }));
  void r.now();
  calls[0]!.answer();
  await settled();
  const problem = (status: number, detail: string) => new Problem({ type: "https://x/y", title: "T", status, detail });
  for (const [fault, words, again] of [
    [new Unreachable("x"), /cannot be reached/, true],
    [problem(429, "Slow down."), /Too many requests/, true],
    [problem(413, "Large."), /too long/, false],
    [problem(400, "No such format."), /^No such format\.$/, false],
  ] as const) {
    const before = calls.length;
    void r.now();
    calls.at(-1)!.answer(fault);
    await settled();
    assert.match(r.trouble.value!, words);
    assert.equal(r.answer.value?.html, "a");
    t.mock.timers.tick(60_000);
    assert.equal(calls.length - before, again ? 2 : 1, String(words));
    if (!again) continue;
    calls.at(-1)!.answer();
    await settled();
    assert.equal(r.trouble.value, undefined);
  }
  r.close();
});
