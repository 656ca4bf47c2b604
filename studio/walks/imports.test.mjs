// A zip is tried, imported, cancelled; names in it that mean harm are shown as what they are.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import test from "node:test";
import { crc32 } from "node:zlib";
import { Server, browse, invite, picture, setUp } from "./rig.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A zip of files that are not pressed together, by name. */
function zip(files) {
  const parts = [];
  const list = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const [n, body] = [Buffer.from(name), Buffer.from(text)];
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x800, 2); // names are UTF-8
    facts.writeUInt16LE(0x21, 8);
    facts.writeUInt32LE(crc32(body), 10);
    facts.writeUInt32LE(body.length, 14);
    facts.writeUInt32LE(body.length, 18);
    facts.writeUInt16LE(n.length, 22);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(at, 10);
    list.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), facts, where, n);
    const entry = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), facts, n, body]);
    parts.push(entry);
    at += entry.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}

const many = (n) => zip(Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}.md`, `# Page ${i}\n`])));

async function choose(page, name, buffer) {
  await page.getByLabel("Zip file").setInputFiles({ name, mimeType: "application/zip", buffer });
}

async function look(page, name) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await picture(page, `imports-${name}-${colorScheme}-${width}`);
      if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe + ";0");
      const { found, wide } = await page.evaluate(async () => {
        const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
        return { found: violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" "))}`), wide: document.documentElement.scrollWidth > innerWidth };
      });
      assert.deepEqual([found, wide], [[], false], `${name} ${colorScheme} ${width}`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("a dry run is followed by the import, and the pages are there", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const page = await setUp(server, await person());
  await page.getByRole("navigation").getByRole("link", { name: "Import files" }).click();
  await page.getByRole("heading", { name: "Import files" }).waitFor();
  await page.getByText("More options").click();
  await look(page, "form");
  await page.getByLabel("Kind of the file").selectOption("Docusaurus");
  await page.getByLabel("Name of the import set").fill("drinks");
  await choose(page, "notes.txt", Buffer.from("x"));
  await page.getByText("Choose a zip, a file whose name ends in .zip.").waitFor();
  const hostile = `<img src=x onerror=alert(1)>‮${"n".repeat(300)}.zip`;
  await choose(page, hostile, zip({ "tea/index.md": "# Tea\n", "tea/green.md": "# Green\n\n[gone](nowhere.md)\n", "tea/<b>bold&amp;‮.md": "# Bold\n", "../out.md": "# Out\n", "tea/x.css": "a{}" }));
  await page.getByRole("button", { name: "Start the dry run" }).click();
  await page.getByText("Dry run finished: nothing was changed").waitFor();
  await page.getByText("Created (3)").waitFor();
  await page.getByText("Not imported (2)").waitFor();
  assert.equal((await server.api("GET", "/pages")).data.data.length, 0);
  await look(page, "dry");
  // What is imported is what was tried, whichever file was chosen since.
  await page.getByRole("link", { name: "All imports" }).click();
  await choose(page, "other.zip", zip({ "coffee.md": "# Coffee\n" }));
  await page.locator(".import-earlier a").first().click();
  await page.getByText("Created (3)").waitFor();
  await page.getByRole("button", { name: "Import it now" }).click();
  await page.getByText("Finished", { exact: true }).waitFor();
  assert.equal(await page.locator("main img, main b").count(), 0);
  await page.getByRole("link", { name: "green.md" }).click();
  await page.getByRole("textbox", { name: "Title" }).and(page.locator("[value=Green], :not([value])")).waitFor();
  await page.getByRole("treeitem", { name: "Tea" }).waitFor();
  const { data } = await server.api("GET", "/pages");
  assert.deepEqual(data.data.map((p) => p.title).sort(), ["Bold", "Green", "Tea"]);
  const { data: jobs } = await server.api("GET", "/imports");
  assert.deepEqual(jobs.data.map((j) => [j.options.from, j.options.set]), [["docusaurus", "drinks"], ["docusaurus", "drinks"]]);

  await page.keyboard.press("Control+K");
  await page.keyboard.type("import files");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Earlier imports" }).waitFor();
  const earlier = page.locator(".import-earlier li");
  await earlier.nth(1).waitFor();
  await look(page, "list");
  await earlier.first().getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".import-earlier li").length === 1);
});

test("an import is cancelled, and what is written stays", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const page = await setUp(server, await person());
  await page.goto(server.url + "/studio/imports");
  await choose(page, "many.zip", many(8000));
  await page.getByLabel("Dry run: only show what would happen").uncheck();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText(/^Running: \d+ of \d+ steps$/).waitFor();
  await page.getByRole("button", { name: "Cancel the import" }).press("Enter");
  await page.getByText("Cancelled", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.localName), "h1");
  await page.getByRole("heading", { name: "Report" }).waitFor();
  const { data } = await server.api("GET", page.url().slice(page.url().indexOf("/imports")));
  assert.equal(data.status, "cancelled");
  assert.ok(data.report.sums.created < 8000, JSON.stringify(data.report));
});

test("an import becomes a proposal; who may not write imports nothing", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const page = await setUp(server, await person());
  await page.goto(server.url + "/studio/imports");
  await choose(page, "tea.zip", zip({ "tea.md": "# Tea\n" }));
  await page.getByLabel(/^Proposal that/).check();
  await page.getByLabel("Dry run: only show what would happen").uncheck();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("link", { name: "Open the proposal" }).click();
  await page.getByRole("heading", { name: "Import tea" }).waitFor();
  const ben = await invite(server, await person(), "Ben", "contributor");
  assert.equal(await ben.getByRole("link", { name: "Import files" }).count(), 0);
  await ben.goto(server.url + "/studio/imports");
  await ben.getByText("You may not import").waitFor();
});
