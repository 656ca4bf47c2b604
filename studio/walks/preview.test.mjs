// The preview beside an editor, in a real browser and with a real server: that it shows
// what is typed, scrolls along, marks what is wrong, and lets nothing hostile through.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { promisify } from "node:util";
import { Server, browse, picture, setUp } from "./rig.mjs";

const here = (path) => new URL(path, import.meta.url).pathname;
const bundle = promisify(execFile)("go", ["-C", here("../../tools/studio"), "run", ".", "bench", "preview.bench.tsx"], { maxBuffer: 64 << 20 });

/** The bench, in place of Studio's program and with all of its policies. */
async function openBench(t, o = {}, flags = []) {
  const server = await Server.start(t, ...flags);
  const { person, faults } = await browse(t, o);
  const context = await person();
  const page = await setUp(server, context);
  await context.route("**/studio/-/*/app.js", async (route) => route.fulfill({ contentType: "text/javascript", body: (await bundle).stdout }));
  const open = async (query = "") => {
    await page.goto(`${server.url}/studio${query}`);
    await page.waitForFunction(() => globalThis.bench && document.querySelector("iframe")?.contentDocument?.querySelector("article"));
  };
  await open();
  const frame = page.frameLocator('iframe[title="Preview"]');
  const show = (text, format) => page.evaluate(([text, format]) => bench.open(text, format), [text, format]);
  return { server, context, page, frame, faults, open, show };
}

/** A text of so many bytes, of all that pages have. */
function long(bytes) {
  let text = "# Long\n\n";
  for (let i = 1; text.length < bytes; i++) {
    text += `## Part ${i}\n\n${`Sentence ${i} with *emphasis* and \`code\`. `.repeat(1 + (i % 9))}\n\n- one\n- two\n- three\n\n`;
    if (i % 3 === 0) text += "```go\n" + `fmt.Println(${i})\n`.repeat(i % 14) + "```\n\n";
    if (i % 5 === 0) text += "| a | b |\n|---|---|\n" + `| ${i} | x |\n`.repeat(i % 8) + "\n";
  }
  return text;
}

// Playwright itself listens to clicks in frames, which a sandbox does not let run.
test("what is typed is shown, and what is the same stays", async (t) => {
  const { server, page, frame, show, open } = await openBench(t, { expected: ["ERR_CONNECTION_REFUSED", "Blocked script execution"] }, ["--site", "public"]);
  const pixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await show(`First\n\n![p](${pixel}) beside\n\nLast\n`);
  await frame.locator("h1", { hasText: "Title" }).waitFor();
  await frame.locator("img").evaluate((e) => (e.mine = true));
  await page.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# Own title\n\nMore *words*\n\n");
  await frame.locator("em", { hasText: "words" }).waitFor();
  await frame.locator("h1", { hasText: "Own title" }).waitFor();
  assert.equal(await frame.locator("h1").count(), 1);
  await page.evaluate(() => bench.view.dispatch({ changes: { from: bench.view.state.doc.toString().indexOf(" beside"), insert: " inside" } }));
  await frame.getByText("inside beside").waitFor();
  assert.ok(await frame.locator("img").evaluate((e) => e.mine), "the picture is another one");
  assert.deepEqual(await frame.locator("article > [data-line]").evaluateAll((all) => all.map((e) => Number(e.dataset.line))), [1, 3, 5, 7, 9]);
  assert.equal(await frame.locator("body").evaluate((e) => getComputedStyle(e).margin), "0px", "the style of the site is there");

  // Tabs work without scripts, and what is opened stays open.
  await show("<Tabs>\n<Tab title=\"a\">\nfirst\n</Tab>\n<Tab title=\"b\">\nsecond\n</Tab>\n</Tabs>\n", "mdx");
  await frame.locator("summary", { hasText: "b" }).click();
  await frame.getByText("second").waitFor();
  await page.evaluate(() => bench.view.dispatch({ changes: { from: bench.view.state.doc.toString().indexOf("second"), insert: "the " } }));
  await frame.getByText("the second").waitFor();

  // The colours are Studio's.
  const background = () => frame.locator("html").evaluate((e) => getComputedStyle(e).backgroundColor);
  assert.equal(await background(), "rgb(255, 255, 255)");
  await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
  await frame.locator("html.oct-dark").waitFor();
  assert.equal(await background(), "rgb(20, 23, 28)");

  // Draft and live, one at a time.
  const { data } = await server.api("POST", "/pages", { title: "Lives", slug: "lives", content: "What readers see", status: "published" });
  await open(`?live=${data.id}`);
  await show("What is drafted", "markdown");
  await frame.getByText("What is drafted").waitFor();
  await page.getByRole("button", { name: "Live" }).click();
  await frame.getByText("What readers see").waitFor();
  await frame.locator("h1", { hasText: "Lives" }).waitFor();
  await page.getByRole("button", { name: "Draft" }).click();
  await frame.getByText("What is drafted").waitFor();

  // Without a server the last preview stays, until there is one again.
  await server.kill();
  await page.evaluate(() => bench.view.dispatch({ changes: { from: 0, insert: "Again: " } }));
  await page.getByText("The server cannot be reached.").waitFor();
  await frame.getByText("What is drafted").waitFor();
  await server.again();
  await frame.getByText("Again: What is drafted").waitFor();
  assert.equal(await page.getByText("The server cannot be reached.").count(), 0);
});

test("both sides scroll together, whichever leads", async (t) => {
  const { page, frame, show } = await openBench(t);
  await show(long(200_000));
  await frame.locator("article > [data-line]").nth(1000).waitFor({ state: "attached" });
  // Which part of the text is at the upper edge of each side.
  const parts = () => page.evaluate(() => {
    const scroller = bench.view.scrollDOM;
    const block = bench.view.lineBlockAtHeight(scroller.getBoundingClientRect().top - bench.view.documentTop);
    const line = bench.view.state.doc.lineAt(block.from).number;
    const all = [...document.querySelector("iframe").contentDocument.querySelectorAll("article > [data-line]")];
    const first = all.find((e) => e.getBoundingClientRect().bottom > 0);
    const next = all[all.indexOf(first) + 1];
    return { line, from: Number(first.dataset.line), to: Number(next?.dataset.line ?? line) };
  });
  const agree = async (what) => {
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
    const { line, from, to } = await parts();
    assert.ok(line >= from - 2 && line <= to + 2, `${what}: line ${line} in the editor, ${from} to ${to} in the preview`);
    return line;
  };
  const editor = page.locator(".cm-scroller");
  const both = await editor.boundingBox();
  const side = { editor: [both.x + 100, both.y + 300], preview: [both.x + both.width + 200, both.y + 300] };
  for (const [name, [x, y]] of Object.entries(side)) {
    await page.mouse.move(x, y);
    let last = await agree(name);
    for (const by of [700, 2500, 9000, 20000, -4000, 30000]) {
      await page.mouse.wheel(0, by);
      await page.waitForFunction((last) => {
        const v = bench.view;
        return v.state.doc.lineAt(v.lineBlockAtHeight(v.scrollDOM.getBoundingClientRect().top - v.documentTop).from).number !== last;
      }, last);
      last = await agree(`${name} by ${by}`);
    }
    for (const by of [1e7, -1e7]) { // ends meet
      let left;
      for (let i = 0; i < 20 && !(left?.[0] < 2 && left[1] < 2); i++) {
        await page.mouse.wheel(0, by); // again, since heights are estimated until they are seen
        left = await page.evaluate((down) => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() =>
          go([bench.view.scrollDOM, document.querySelector("iframe").contentDocument.scrollingElement].map((e) => (down ? e.scrollHeight - e.clientHeight - e.scrollTop : e.scrollTop)))))), by > 0);
      }
      assert.ok(left[0] < 2 && left[1] < 2, `${name} leads by ${by}: ${left} pixels left`);
    }
  }

  // A picture that comes late moves the preview, not what is seen.
  await page.mouse.move(...side.editor);
  await page.mouse.wheel(0, 5000);
  await page.waitForFunction(() => bench.view.scrollDOM.scrollTop > 4000);
  await agree("before the picture");
  await frame.locator("article > [data-line]").first().evaluate((e) => (e.style.height = "3000px"));
  await agree("after the picture");

  await page.getByLabel("Scroll together").uncheck();
  const was = await frame.locator("html").evaluate((e) => e.scrollTop);
  await page.mouse.move(...side.editor);
  await page.mouse.wheel(0, 3000);
  await page.waitForFunction(() => bench.view.scrollDOM.scrollTop > 7000);
  assert.equal(await frame.locator("html").evaluate((e) => e.scrollTop), was);
  assert.equal(await page.evaluate(() => localStorage.getItem("octavo-scroll-together")), "off");
  await picture(page, "preview-scrolled");
});

test("what is wrong is marked while it is typed", async (t) => {
  const { page, frame, show } = await openBench(t);
  await show("# A\n\nSee [x](gone).\n");
  await page.locator(".cm-lintRange-warning", { hasText: "gone" }).waitFor();
  await page.evaluate(() => bench.view.dispatch({ changes: [{ from: 0, insert: "Before\n\n" }, { from: bench.view.state.doc.length, insert: "\nAnd [y](#none) here\n" }] }));
  await page.locator(".cm-lintRange-warning", { hasText: "#none" }).waitFor();
  const problems = page.locator(".problems");
  await problems.getByText("2 notices").click();
  assert.deepEqual(await problems.locator("li").allTextContents(), ["Line 5 link leads to no page: gone", "Line 7 no heading has the anchor of the link: #none"]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => bench.view.state.sliceDoc(bench.view.state.selection.main.head).slice(0, 5)), "#none");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("F8");
  assert.equal(await page.evaluate(() => bench.view.state.sliceDoc(bench.view.state.selection.main.from).slice(0, 4)), "gone");
  await picture(page, "preview-marks");

  // A link opens another tab, and never the frame.
  await show("[a](https://elsewhere.example/) and [b](#end)\n\n" + "x\n\n".repeat(200) + "## End\n");
  await page.context().route("https://elsewhere.example/", (r) => r.fulfill({ body: "elsewhere" }));
  const popup = page.waitForEvent("popup");
  await frame.getByRole("link", { name: "a" }).click();
  assert.equal((await popup).url(), "https://elsewhere.example/");
  await frame.getByRole("link", { name: "b" }).click();
  await page.waitForFunction(() => document.querySelector("iframe").contentDocument.scrollingElement.scrollTop > 1000);
});

test("nothing hostile runs, loads or leads away", async (t) => {
  const { payloads, places } = JSON.parse(await readFile(here("../../internal/document/html/testdata/hostile.json"), "utf8"));
  const { server, context, page, frame, show, faults } = await openBench(t, { expected: ["Failed to load resource", "violates the following Content Security Policy directive: \"frame-src 'none'\""] });
  const asked = [];
  context.on("request", (r) => asked.push([r.resourceType(), r.url()]));
  const navigated = [];
  page.on("framenavigated", (f) => f !== page.mainFrame() && navigated.push(f.url()));
  page.on("dialog", (d) => (faults.push(d.message()), d.dismiss()));
  await page.evaluate(() => {
    globalThis.reports = [];
    const note = (e) => reports.push(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`);
    document.addEventListener("securitypolicyviolation", note);
    document.querySelector("iframe").contentDocument.addEventListener("securitypolicyviolation", note);
  });
  for (const place of places) {
    const all = payloads.map((p) => place.replaceAll("%s", p));
    for (const format of ["markdown", "mdx"]) {
      for (const texts of [all, all.toReversed()]) await show(texts.join("\n\n"), format);
    }
    const clicked = page.evaluate(() => {
      globalThis.open = () => null;
      for (const link of document.querySelector("iframe").contentDocument.querySelectorAll("a")) link.click();
    });
    await clicked;
  }
  assert.deepEqual(await page.evaluate(() => reports), []);
  assert.deepEqual(navigated, []);
  assert.deepEqual(asked.filter(([kind, url]) => kind !== "image" && url !== `${server.url}/v1/render` && url !== `${server.url}/studio/token`), []);

  // Where no listener runs, the policy keeps the frame from going elsewhere, and it comes back.
  await show("[a](https://elsewhere.example/) [b](/docs) [c](gone)");
  await page.evaluate(() => document.addEventListener("securitypolicyviolation", (e) => (globalThis.blocked = e.violatedDirective)));
  const before = asked.length;
  for (const name of ["a", "b", "c"]) {
    await page.evaluate((name) => {
      const inside = document.querySelector("iframe").contentDocument;
      inside.defaultView.addEventListener("click", (e) => e.stopImmediatePropagation(), true);
      [...inside.querySelectorAll("a")].find((a) => a.textContent === name).click();
    }, name);
    await page.waitForFunction(() => globalThis.blocked === "frame-src");
    await page.evaluate(() => delete globalThis.blocked);
    await frame.getByRole("link", { name }).waitFor();
  }
  assert.deepEqual(asked.slice(before).map(([, url]) => url).filter((url) => !url.endsWith("/preview.css")), []);
});
