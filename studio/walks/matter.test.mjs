// The front matter and the details of a page in a real browser: by their names, with a
// keyboard, in both themes and on a narrow screen.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { promisify } from "node:util";
import { Server, browse, picture, setUp } from "./rig.mjs";

const here = (path) => new URL(path, import.meta.url).pathname;
const bundle = promisify(execFile)("go", ["-C", here("../../tools/studio"), "run", ".", "bench", "matter.bench.tsx"], { maxBuffer: 64 << 20 });
const axe = readFile(here("../node_modules/axe-core/axe.min.js"), "utf8");

const raw = `---
title: Tea # named here
tags:
  - tea # the first
  - hot
weight: 3
date: 2026-01-31
author: {name: Jane}
---
`;

async function openBench(t) {
  const server = await Server.start(t);
  const { person } = await browse(t, { timezoneId: "Europe/Berlin" });
  const context = await person();
  const page = await setUp(server, context);
  await context.route("**/studio/-/*/app.js", async (route) => route.fulfill({ contentType: "text/javascript", body: (await bundle).stdout }));
  const open = async (theme = "light") => {
    await page.goto(`${server.url}/studio?theme=${theme}`);
    await page.waitForFunction(() => globalThis.bench);
    await page.evaluate((text) => void (bench.raw.value = text), raw);
  };
  await open();
  const now = () => page.evaluate(() => bench.raw.value);
  const sound = async (where) => {
    await page.evaluate((await axe) + ";0");
    const { violations } = await page.evaluate(() => axe.run("main"));
    assert.deepEqual(violations.map((v) => [v.id, v.nodes.map((n) => n.html)]), [], where);
  };
  return { page, open, now, sound };
}

test("a form changes the lines of a key alone", async (t) => {
  const { page, now } = await openBench(t);
  await page.getByLabel("title", { exact: true }).fill("Tea: hot");
  await page.getByLabel("Tags", { exact: true }).last().fill("green");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Take out hot" }).click();
  await page.getByLabel("weight", { exact: true }).fill("4.");
  await page.getByText("This is not a number.").waitFor();
  await page.getByLabel("weight", { exact: true }).fill("4.5");
  await page.getByLabel("date", { exact: true }).fill("2026-02-28");
  await page.getByLabel("Hide from search engines").check();
  await page.getByLabel("Description").fill("About tea");
  await page.getByLabel("Another key").fill("owner");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByLabel("owner", { exact: true }).pressSequentially("Ann O: no");
  await page.getByLabel("owner", { exact: true }).press("Control+a");
  await page.keyboard.type("Ann Other");
  const want = raw
    .replace("Tea #", '"Tea: hot" #')
    .replace("  - hot\n", "  - green\n")
    .replace("weight: 3", "weight: 4.5")
    .replace("01-31", "02-28")
    .replace("Jane}\n", "Jane}\nnoindex: true\ndescription: About tea\nowner: Ann Other\n");
  assert.equal(await now(), want);
  await page.getByRole("button", { name: "Remove owner" }).click();
  await page.getByLabel("Description").fill("");
  assert.equal(await now(), want.replace("description: About tea\nowner: Ann Other\n", ""));
});

test("a source that cannot be read is kept, and the form shows what was", async (t) => {
  const { page, now, sound } = await openBench(t);
  await page.getByRole("button", { name: "Source", exact: true }).click();
  const source = page.getByLabel("Source of the front matter");
  const wrong = raw.replace("weight: 3", "weight: x: 3");
  await source.fill(wrong);
  assert.equal(await now(), wrong);
  assert.equal(await page.evaluate(() => bench.fault.value.line), 6);
  assert.match(await source.evaluate((e) => document.getElementById(e.getAttribute("aria-describedby").split(" ")[1]).textContent), /^Line 6This is not a key/);
  await page.getByRole("button", { name: "Line 6" }).click();
  assert.equal(await source.evaluate((e) => e.value.slice(e.selectionStart, e.selectionEnd)), "weight: x: 3");
  await sound("source with a fault");
  await picture(page, "matter-fault");
  await page.getByRole("button", { name: "Form", exact: true }).click();
  assert.equal(await page.getByLabel("weight", { exact: true }).inputValue(), "3");
  assert.ok(await page.getByLabel("weight", { exact: true }).isDisabled());
  await page.getByRole("alert").filter({ hasText: "Line 6" }).waitFor();
  await page.evaluate((text) => void (bench.raw.value = text), raw);
  await page.evaluate(() => bench.refuse("/changes/0/frontmatterRaw", "is not valid (line 6, column 9)"));
  await page.getByRole("alert").filter({ hasText: "is not valid (line 6, column 9)" }).waitFor();
  await page.evaluate((text) => void (bench.raw.value = text), wrong);
  await sound("form beside a fault");
});

test("typing in the source leaves the line ends and the caret where they are", async (t) => {
  const { page, now } = await openBench(t);
  const windows = raw.replaceAll("\n", "\r\n");
  await page.evaluate((text) => void (bench.raw.value = text), windows);
  await page.getByRole("button", { name: "Source", exact: true }).click();
  const source = page.getByLabel("Source of the front matter");
  await source.evaluate((e) => (e.focus(), e.setSelectionRange(10, 10)));
  await page.keyboard.type("ab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("c");
  assert.equal(await now(), windows.slice(0, 11) + "ab\r\nc" + windows.slice(11));
});

test("the details: address, place, times, deleting", async (t) => {
  const { page } = await openBench(t);
  const work = () => page.evaluate(() => bench.work.value);
  const slug = page.getByLabel("Address");
  await slug.fill("Hot tea");
  await page.getByText("Small letters a to z").waitFor();
  assert.equal((await work()).slug, "tea");
  await slug.fill("hot-tea");
  await page.getByText("Links to the old address tea go on working").waitFor();
  assert.equal((await work()).slug, "hot-tea");
  await page.evaluate(() => bench.refuse("/changes/0/slug", "is taken"));
  await page.getByText("is taken").waitFor();
  assert.equal(await slug.getAttribute("aria-invalid"), "true");
  assert.ok((await slug.evaluate((e) => e.getAttribute("aria-describedby"))).includes("fault"));

  const parent = page.getByRole("combobox", { name: "Page above" });
  await parent.focus();
  await page.keyboard.press("ArrowDown");
  assert.deepEqual(await page.getByRole("listbox").getByRole("option").allTextContents(), ["None: top level", "Guide", "CoffeeGuide", "Appendix"]);
  await picture(page, "details-parent");
  await page.keyboard.type("cof");
  await page.keyboard.press("Enter");
  assert.equal((await work()).parentId, "coffee");
  assert.equal(await parent.inputValue(), "Coffee");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("listbox").count(), 0);

  await page.getByLabel("Publish at", { exact: true }).fill("2026-07-01T09:00");
  assert.equal((await work()).publishAt, "2026-07-01T07:00:00.000Z");
  await page.getByText("Times are those of Europe/Berlin.").first().waitFor();
  await page.getByRole("button", { name: "Clear: Publish at" }).click();
  assert.equal((await work()).publishAt, null);

  await page.getByRole("button", { name: "Delete page" }).click();
  await page.getByLabel("Delete them, too (2)").check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Restore with 2 below" }).click();
  assert.deepEqual(await page.evaluate(() => bench.said), [["delete", "cascade"], ["restore", true]]);
});

test("in both themes and on a narrow screen nothing is found wrong", async (t) => {
  const { page, open, sound } = await openBench(t);
  for (const theme of ["light", "dark"])
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 2200 });
      await open(theme);
      await page.getByRole("button", { name: "Delete page" }).click();
      await sound(`${theme} ${width}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
      await picture(page, `matter-${theme}-${width}`);
    }
});
