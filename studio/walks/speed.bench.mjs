// How fast Studio is, in a browser with all of its screen. Run it by hand while nothing
// else runs: node studio/walks/speed.bench.mjs. It fails where a figure misses its goal.
import test from "node:test";
import { Server, browse, content, saving, setUp } from "./rig.mjs";

/** A text of so many bytes, of all that pages have. */
function long(bytes) {
  let text = "# Long\n\nFirst line.\n\n";
  for (let i = 1; text.length < bytes; i++) {
    text += `## Part ${i}\n\n${`Sentence ${i} with *emphasis* and \`code\`, [a link](x.md). `.repeat(1 + (i % 9))}\n\n- one\n- two\n\n`;
    if (i % 5 === 0) text += `| a | b |\n|---|---|\n| ${i} | x |\n\n`;
  }
  return text;
}

const part = (all, p) => all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * p))] ?? 0;

test("speed", { timeout: 600_000 }, async (t) => {
  const server = await Server.start(t, "--site", "public");
  const missed = [];
  const tell = (what, have, most) => {
    const line = `${what}: ${have.toFixed(1)} ms, at most ${most} ms`;
    t.diagnostic(line);
    if (have > most) missed.push(line);
  };
  const id = {};
  for (const [name, size] of [["small", 20_000], ["large", 200_000], ["huge", 1_900_000]]) {
    id[name] = (await server.api("POST", "/pages", { title: name, slug: name, content: long(size), status: "published" })).data.id;
  }
  const { person } = await browse(t, { expected: ["Failed to load resource"] });
  const context = await person();
  await context.addInitScript(() => {
    if (top !== globalThis) return;
    globalThis.at = {};
    const note = (name, found) => found && (at[name] ??= performance.now());
    new MutationObserver(() => {
      note("shell", document.querySelector(".shell"));
      note("editor", document.querySelector('[aria-label="Content"] .cm-line'));
      note("tree", document.querySelector('[role="treeitem"]'));
    }).observe(document, { subtree: true, childList: true });
    globalThis.events = [];
    globalThis.tasks = [];
    new PerformanceObserver((list) => events.push(...list.getEntries())).observe({ type: "event", durationThreshold: 16 });
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
  });
  const page = await setUp(server, context);
  const session = await context.newCDPSession(page);
  const slow = (rate) => session.send("Emulation.setCPUThrottlingRate", { rate });
  const painted = () => page.evaluate(() => new Promise((go) => requestAnimationFrame(() => setTimeout(go))));

  const starts = [];
  await slow(4);
  for (let n = 0; n < 5; n++) {
    await page.goto(`${server.url}/studio/pages/${id.small}`);
    await page.waitForFunction(() => globalThis.at.editor);
    starts.push(await page.evaluate(() => at.editor - at.shell));
  }
  tell("a quarter of the processor: the editor after the shell, median of 5", part(starts, 0.5), 1000);

  for (const [rate, paint] of [[1, 50], [4, 150]]) {
    await slow(1);
    await page.goto(`${server.url}/studio/pages/${id.large}`);
    await content(page).getByText("First line.").click();
    await page.keyboard.press("End");
    await saving(page, "Saved");
    await slow(rate);
    await page.evaluate(() => void (events.length = 0));
    const keys = "Words that are *typed* here, with `code` and more. ".repeat(4);
    await page.keyboard.type(keys, { delay: 60 });
    await painted();
    const seen = await page.evaluate(() => events.map((e) => ({ name: e.name, id: e.interactionId, handled: e.processingEnd - e.processingStart, whole: e.duration })));
    const longest = (of) => {
      const by = new Map();
      for (const e of seen) if (e.id) by.set(e.id, Math.max(by.get(e.id) ?? 0, of(e)));
      return [...by.values(), ...Array(Math.max(0, keys.length - by.size)).fill(0)];
    };
    const handled = longest((e) => e.handled);
    const whole = longest((e) => e.whole);
    t.diagnostic(`200 KB, 1/${rate}: handlers p50 ${part(handled, 0.5).toFixed(1)} max ${part(handled, 1).toFixed(1)} ms; to the next paint p50 ${part(whole, 0.5)} max ${part(whole, 1)} ms; 0 is less than 16`);
    if (rate === 1) tell("200 KB: handlers of a key, p95", part(handled, 0.95), 8);
    tell(`200 KB, 1/${rate} of the processor: a key to the next paint, p95`, part(whole, 0.95), paint);
  }

  await slow(1);
  await page.goto(`${server.url}/studio/pages/${id.small}`);
  await page.frameLocator('iframe[title="Preview"]').getByText("First line.").waitFor();
  await content(page).getByText("First line.").click();
  await page.keyboard.press("End");
  await page.evaluate(() => {
    globalThis.typed = 0;
    addEventListener("keydown", () => (typed = performance.now()), true);
    globalThis.shows = (word) =>
      new Promise((done) => {
        const article = document.querySelector("iframe").contentDocument.querySelector("article");
        const look = () => article.textContent.includes(word) && (seen.disconnect(), done(performance.now() - typed));
        const seen = new MutationObserver(look);
        seen.observe(article, { subtree: true, childList: true, characterData: true });
        look();
      });
  });
  const previews = [];
  for (let n = 0; n < 40; n++) {
    const shown = page.evaluate((word) => shows(word), `w${n}x`);
    await page.keyboard.type(` w${n}x`, { delay: 20 });
    previews.push(await shown);
  }
  tell("20 KB: the preview after the last key, p95", part(previews, 0.95), 200);
  await saving(page, "Saved");

  await page.goto(server.url + "/studio");
  await page.getByRole("treeitem", { name: "huge" }).waitFor();
  const opened = await page.evaluate(async (id) => {
    const start = performance.now();
    document.querySelector(`a[href$="${id}"], [role="treeitem"] a[href$="${id}"]`).click();
    while (!document.querySelector('[aria-label="Content"] .cm-line')) await new Promise((go) => requestAnimationFrame(go));
    await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    return performance.now() - start;
  }, id.huge);
  tell("1.9 MB opens", opened, 2000);

  for (let n = 0; n < 10; n++) {
    const operations = Array.from({ length: 1000 }, (_, i) => ({ op: "create", page: { title: `Page ${n} ${i}`, slug: `page-${n}-${i}`, content: "x\n", status: "published" } }));
    await server.api("POST", "/pages/bulk", { atomic: true, operations });
  }
  await page.goto(server.url + "/studio");
  await page.waitForFunction(() => globalThis.at.tree);
  await painted();
  const tree = await page.evaluate(() => ({ after: at.tree - at.shell, tasks: tasks.filter((e) => e.startTime + e.duration > at.shell).map((e) => e.duration) }));
  tell("10,000 pages: the tree after the shell", tree.after, 500);
  tell(`10,000 pages: the longest task of ${tree.tasks.length} long ones`, Math.max(0, ...tree.tasks), 50);

  await page.goto(`${server.url}/studio/manage/health`);
  await page.getByRole("link", { name: "Activity" }).waitFor();
  const listed = await page.evaluate(async () => {
    const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    const start = performance.now();
    [...document.querySelectorAll(".admin-parts a")].find((a) => a.textContent === "Activity").click();
    while (!document.querySelector(".list-table tbody tr")) await frame();
    await frame();
    const after = performance.now() - start;
    const from = performance.now();
    const main = document.querySelector("main");
    let rows = 0;
    for (let still = 0; still < 100; still = main.scrollTop + main.clientHeight < main.scrollHeight - 50 ? 0 : still + 1) {
      main.scrollTop += 800;
      await frame();
    }
    rows = document.querySelectorAll(".list-table tbody").length * 100;
    return { after, rows, tasks: tasks.filter((e) => e.startTime > from).map((e) => e.duration) };
  });
  tell(`a list of ${listed.rows} rows opens`, listed.after, 500);
  tell(`the longest task of ${listed.tasks.length} while it is scrolled`, Math.max(0, ...listed.tasks), 50);

  const many = (word) => Array.from({ length: 10_000 }, (_, i) => (i % 2 ? `${word} ${i}.` : `Line ${i}.`)).join("\n");
  const { data: before } = await server.api("POST", "/pages", { title: "Many", slug: "many", content: many("Old"), status: "published" });
  await server.api("POST", "/proposals", { title: "Many lines", changes: [{ op: "update", pageId: before.id, content: many("New") }] });
  await page.goto(`${server.url}/studio/proposals`);
  await page.getByRole("link", { name: "Many lines" }).waitFor();
  const compared = await page.evaluate(async () => {
    const start = performance.now();
    [...document.querySelectorAll("a")].find((a) => a.textContent === "Many lines").click();
    while (!document.querySelector(".review-change .cm-line")) await new Promise((go) => requestAnimationFrame(go));
    await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    return performance.now() - start;
  });
  tell("a diff of 5,000 changed lines opens", compared, 500);
  if (missed.length > 0) throw new Error(missed.join("\n"));
});
