// The editor in a real browser: that it keeps bytes, can be used by keyboard, and is fast.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import { promisify } from "node:util";
import { browse, content, picture } from "./rig.mjs";

const here = (path) => new URL(path, import.meta.url).pathname;
const bundle = promisify(execFile)("go", ["-C", here("../../tools/studio"), "run", ".", "bench", "editor.bench.ts"], { maxBuffer: 64 << 20 });

const policy = "default-src 'none'; script-src 'self'; style-src 'nonce-bench'; require-trusted-types-for 'script'; trusted-types 'none'";
const html = '<!doctype html><html lang="en"><title>Bench</title><meta name="octavo-nonce" nonce="bench"><button>Before</button><main></main><button>After</button><script src="/bench.js"></script>';

async function openBench(t) {
  const { person } = await browse(t);
  const context = await person({ permissions: ["clipboard-read", "clipboard-write"] });
  await context.route("**/*", async (route) =>
    new URL(route.request().url()).pathname === "/bench.js"
      ? route.fulfill({ contentType: "text/javascript", body: (await bundle).stdout })
      : route.fulfill({ contentType: "text/html", headers: { "Content-Security-Policy": policy }, body: html }),
  );
  const page = await context.newPage();
  await page.goto("https://bench.test/");
  await page.waitForFunction(() => globalThis.bench);
  const open = (text, more) => page.evaluate(([text, more]) => bench.open(text, more), [text, more]);
  const text = () => page.evaluate(() => bench.text());
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return { context, page, open, text, press };
}

test("each end of a line is one step, and stays what it was", async (t) => {
  const { page, open, text, press } = await openBench(t);
  for (const [end, other] of [["\r\n", "\n"], ["\r", "\r\n"], ["\n", "\r\n"]]) {
    const whole = `\uFEFFone${end}two${end}${end}three`;
    await open(whole);
    await content(page).click();
    await press("Control+Home", "End");
    await page.keyboard.type("!");
    assert.equal(await text(), whole.replace("one", "one!"));
    await press("Delete");
    assert.equal(await text(), `\uFEFFone!two${end}${end}three`);
    await press("Enter", "Backspace", "Enter");
    assert.equal(await text(), `\uFEFFone!${end}two${end}${end}three`);
    await press("Control+End", "Home", "Backspace");
    assert.equal(await text(), `\uFEFFone!${end}two${end}three`);
    await page.evaluate((s) => navigator.clipboard.writeText(s), `a${other}b`);
    await press("Control+v");
    assert.equal(await text(), `\uFEFFone!${end}two${end}a${end}bthree`);
    await press("Control+a", "Control+c");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "one!\ntwo\na\nbthree");
    await press("Control+Home", "ArrowLeft", "Backspace");
    for (let n = 0; n < 6; n++) await press("Control+z");
    assert.equal(await text(), whole);
  }
});

test("Tab moves items of lists, and never holds whoever does not write one", async (t) => {
  const { page, open, text, press } = await openBench(t);
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await open("text\n\n- one\n- two");
  await page.getByRole("button", { name: "Before" }).focus();
  await press("Tab", "Control+Home", "Tab");
  assert.equal(await focused(), "After");
  await press("Shift+Tab", "Control+End", "Tab");
  assert.equal(await text(), "text\n\n- one\n  - two");
  await press("Enter");
  await page.keyboard.type("three");
  await press("Shift+Tab");
  assert.equal(await text(), "text\n\n- one\n  - two\n- three");
  await press("Escape", "Tab");
  assert.equal(await focused(), "After");
});

test("it is named, finds and folds", async (t) => {
  const { page, open, text, press } = await openBench(t);
  await open("# One\n\ntext\n\n# Two\n\ntext\n", { lang: "de" });
  const box = content(page);
  assert.equal(await box.getAttribute("lang"), "de");
  assert.equal(await box.getAttribute("spellcheck"), "true");
  await box.click();
  await press("Control+Home", "Control+f");
  await page.getByRole("textbox", { name: "Find" }).fill("text");
  await page.getByRole("textbox", { name: "Replace with" }).fill("word");
  await page.getByRole("button", { name: "Replace all" }).click();
  assert.equal(await text(), "# One\n\nword\n\n# Two\n\nword\n");
  await press("Escape", "Control+Home", "Control+Shift+BracketLeft");
  await page.getByLabel("folded code").waitFor();
  assert.equal(await page.locator(".cm-line", { hasText: "word" }).count(), 1);
  await picture(page, "editor");
  await open("left\n\n\u05E9\u05DC\u05D5\u05DD and more\n");
  assert.deepEqual(await page.locator(".cm-line").evaluateAll((all) => all.map((e) => getComputedStyle(e).direction)), ["ltr", "ltr", "rtl", "ltr"]);
});

test("what is hostile opens, and can be written in", async (t) => {
  const { page, open, text } = await openBench(t);
  for (const [name, hostile] of Object.entries({
    "one line": "word ".repeat(380_000), "quotations": ">".repeat(3000) + " x", "lists": Array.from({ length: 300 }, (_, n) => " ".repeat(2 * n) + "- x").join("\n"),
    "brackets": "[".repeat(20_000), "stars": "*a ".repeat(20_000), "braces": "{".repeat(20_000), "tags": "<a b={".repeat(5_000), "rows": "|a".repeat(20_000) + "|\n" + "|-".repeat(20_000) + "|",
    "returns": "\r".repeat(50_000), "controls": "\0\u001B\uFEFF\uD800".repeat(5_000),
  })) {
    const took = await open(hostile, { format: "mdx" });
    await page.evaluate(() => bench.at(0));
    await page.keyboard.type("z");
    const key = await page.evaluate(() => bench.keys[0]);
    t.diagnostic(`${name}: open ${took.toFixed(0)} ms, a key ${key.toFixed(0)} ms`);
    assert.equal((await text()).length, hostile.length + 1, name);
    assert.ok(took < 20_000 && key < 20_000, `${name}: ${took} ms, ${key} ms`);
  }
});
