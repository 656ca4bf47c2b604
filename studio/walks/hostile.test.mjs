// Whatever titles, names, front matter and texts hold: it is shown, and nothing of it runs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { Server, browse, content, picture, saving, setUp } from "./rig.mjs";

const { payloads, places } = JSON.parse(await readFile(new URL("../../internal/document/html/testdata/hostile.json", import.meta.url), "utf8"));
const short = payloads.filter((p) => p.length <= 100 && !/[\x00-\x1f]/.test(p) && p.trim() === p);
const name = '<img src=x onerror="alert(1)">';

test("nothing hostile runs, on any screen", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person, faults } = await browse(t, { expected: ["Failed to load resource", "409", "Blocked script execution"] });
  const context = await person();
  const asked = [];
  context.on("request", (r) => asked.push(r));
  await context.exposeFunction("report", (text) => faults.push(text));
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (e) => report(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
    globalThis.alert = () => report("a script ran");
  });
  const page = await setUp(server, context, name);
  page.on("dialog", (d) => (faults.push(`dialog: ${d.message()}`), d.dismiss()));
  page.on("framenavigated", (f) => f !== page.mainFrame() && !f.url().startsWith("about:") && faults.push(`a frame went to ${f.url()}`));

  const text = places.flatMap((place) => payloads.map((p) => place.replaceAll("%s", p))).join("\n\n");
  const half = Math.floor(text.length / 2);
  const ids = [];
  for (const [n, title] of short.entries()) {
    const frontmatter = { description: title, tags: [title], [title.slice(0, 60)]: title };
    const { data } = await server.api("POST", "/pages", { title, slug: `p${n}`, content: n === 0 ? `Begin\n\n${text}` : `${title}\n`, frontmatter, status: "published" });
    ids.push(data.id);
  }
  await server.api("PATCH", `/pages/${ids[0]}`, { content: `Begin\n\n${text.slice(half)}\n\n${text.slice(0, half)}`, title: short[1] });

  // Home, tree, palette, and the title of the document.
  await page.goto(server.url + "/studio");
  await page.getByRole("heading", { name: `Welcome, ${name}` }).waitFor();
  await page.getByRole("treeitem", { name: short[2], exact: true }).waitFor();
  for (const query of ["<", "alert", "javascript", "svg onload"]) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run a command" }).fill(query);
    await page.getByRole("option").first().waitFor();
    await page.getByText("Loading").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Search or run a command" }).waitFor({ state: "detached" });
  }
  await picture(page, "hostile-home");

  // A page, its panels and its preview.
  await page.goto(`${server.url}/studio/pages/${ids[0]}`);
  await content(page).getByText("Begin").click();
  await page.waitForFunction((title) => document.title.startsWith(title), short[1]);
  await page.frameLocator('iframe[title="Preview"]').getByText("Begin").first().waitFor();
  for (const tab of ["Details", "Front matter", "Notices"]) await page.getByRole("tab", { name: new RegExp(tab) }).click();
  await page.keyboard.press("Control+Home");
  await page.getByRole("tab", { name: "Front matter" }).click();
  await page.getByLabel("Description").waitFor();
  await picture(page, "hostile-page");

  // A conflict of everything with everything.
  await content(page).getByText("Begin").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(`Mine\n\n${payloads.join("\n\n")}\n`);
  await page.getByRole("textbox", { name: "Title" }).fill(short[3]);
  await saving(page, "Saved");
  await server.api("PATCH", `/pages/${ids[0]}`, { content: `Theirs\n\n${payloads.toReversed().join("\n\n")}\n`, title: short[4] });
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const merge = page.getByRole("region", { name: "Merge two versions" });
  await merge.waitFor();
  await merge.getByRole("button", { name: "Take both" }).click();
  await merge.getByRole("radio", { name: /^Theirs/ }).first().check();
  await picture(page, "hostile-merge");
  for (let n = 0; n < 200 && (await merge.count()) > 0; n++) {
    await merge.getByRole("button", { name: "Merge", exact: true }).click();
    if ((await merge.count()) > 0) await merge.getByRole("button", { name: "Take theirs" }).click();
  }
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("The page is published.").waitFor();

  // Its history: as text, and rendered.
  await page.goto(`${server.url}/studio/pages/${ids[0]}/history`);
  await page.getByRole("heading", { name: /compared with/ }).waitFor();
  for (const n of [3, 2]) {
    await page.getByRole("button", { name: `Revision ${n}` }).click();
    for (const view of ["Side by side", "Unified", "Rendered"]) await page.getByRole("radio", { name: view }).check();
    await page.getByText(/Blocks changed/).waitFor();
  }
  await picture(page, "hostile-history");
  const away = asked.filter((r) => r.resourceType() !== "image" && !r.url().startsWith(server.url + "/"));
  assert.deepEqual(away.map((r) => `${r.resourceType()} ${r.url()}`), []);
});
