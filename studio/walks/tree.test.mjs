// An editor reorganises fifty pages by the keyboard, and takes it back; pages are dragged;
// one is renamed with the links of the others.
import assert from "node:assert/strict";
import test from "node:test";
import { Eye } from "./eye.mjs";
import { Server, browse, content, picture, setUp } from "./rig.mjs";

const shape = async (server) => {
  const { data } = await server.api("GET", "/tree");
  const title = new Map(data.data.map((p) => [p.id, p.title]));
  return data.data.map((p) => `${p.parentId ? title.get(p.parentId) + "/" : ""}${p.title}`);
};
const item = (page, name) => page.getByRole("treeitem", { name, exact: true });

test("fifty pages are moved by keyboard and come back", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const operations = ["Home", ...Array.from({ length: 50 }, (_, i) => `Page ${String(i + 1).padStart(2, "0")}`), "Target"].map((title, i) => ({
    op: "create",
    position: (i + 1) * 1024,
    page: { title, slug: title.toLowerCase().replace(" ", "-"), content: `${title}\n`, status: "published" },
  }));
  await server.api("POST", "/pages/bulk", { atomic: true, operations });
  const before = await shape(server);
  await ann.reload();
  await item(ann, "Page 01").focus();
  for (let i = 0; i < 49; i++) await ann.keyboard.press("Shift+ArrowDown");
  await ann.getByText("50 pages chosen").waitFor();
  const eye = new Eye();
  await eye.look(ann, "tree-chosen", [1440]);
  await item(ann, "Page 50").focus();
  await ann.keyboard.press("Control+x");
  await picture(ann, "tree-cut");
  await ann.keyboard.press("End");
  await ann.keyboard.press("Control+v");
  await ann.getByText("50 pages were moved.").waitFor();
  assert.deepEqual(await shape(server), ["Home", "Target", ...before.slice(1, 51).map((p) => `Target/${p}`)]);
  await item(ann, "Target").focus();
  await ann.keyboard.press("Control+z");
  await ann.getByText("Taken back: 50 pages were moved.").waitFor();
  assert.deepEqual(await shape(server), before);

  await ann.keyboard.press("Home");
  await item(ann, "Page 02").focus();
  await ann.keyboard.press("Alt+ArrowUp");
  await ann.getByText("The page was moved.").waitFor();
  assert.deepEqual((await shape(server)).slice(1, 3), ["Page 02", "Page 01"]);
  await ann.keyboard.press("Alt+ArrowRight");
  await item(ann, "Home").and(ann.locator("[aria-expanded=true]")).waitFor();
  while ((await shape(server))[1] !== "Home/Page 02") await ann.waitForFunction(() => true);
  await item(ann, "Page 05").dragTo(item(ann, "Page 03"), { targetPosition: { x: 80, y: 2 } });
  while (!(await shape(server)).join().includes("Page 05,Page 03")) await ann.waitForFunction(() => true);

  for (const name of ["Page 10", "Page 11"]) await item(ann, name).click({ modifiers: ["Control"] });
  await ann.getByRole("button", { name: "Actions for the chosen pages" }).click();
  await ann.getByRole("menuitem", { name: "Add tags" }).click();
  await ann.getByLabel("Tags, with commas between them").fill("hot, green");
  await ann.getByRole("dialog").getByRole("button", { name: "Add tags" }).click();
  await ann.getByText("2 pages have the tags.").waitFor();
  assert.deepEqual((await server.api("GET", "/pages/by-slug/page-11")).data.frontmatter, { tags: ["hot", "green"] });
  await item(ann, "Page 12").focus();
  await ann.keyboard.press("Delete");
  await ann.getByRole("dialog").getByRole("button", { name: "Delete pages" }).click();
  await item(ann, "Page 12").waitFor({ state: "detached" });
  await ann.getByRole("button", { name: "Undo" }).click();
  await item(ann, "Page 12").waitFor();
  assert.deepEqual(eye.faults, []);
});

test("a deleted branch comes back whole, with what nobody here has seen", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const make = async (title, parentId) => {
    const { data } = await server.api("POST", "/pages", { title, slug: title.toLowerCase(), content: "", status: "published" });
    if (parentId) await server.api("POST", `/pages/${data.id}/move`, { parentId });
    return data.id;
  };
  const tea = await make("Tea");
  await make("Other");
  const green = await make("Green", tea);
  await ann.reload();
  await item(ann, "Tea").focus();
  await make("Sencha", green); // the tree does not know it yet
  await ann.keyboard.press("Delete");
  await ann.getByRole("dialog").getByRole("button", { name: "Delete pages" }).click();
  await item(ann, "Tea").waitFor({ state: "detached" });
  await ann.getByRole("button", { name: "Undo" }).click();
  await item(ann, "Tea").waitFor();
  assert.deepEqual(await shape(server), ["Tea", "Tea/Green", "Green/Sencha", "Other"]);
});

test("a page is renamed with the links of the others", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const { data: tea } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "# Tea\n\n## Green\n\nLeaves.\n", status: "published" });
  const { data: other } = await server.api("POST", "/pages", { title: "Other", slug: "other", content: "See [tea](tea) and [green](tea#green).\n", status: "published" });
  await ann.goto(`${server.url}/studio/pages/${tea.id}`);
  await content(ann).waitFor();
  const choose = async (name) => {
    await ann.getByRole("button", { name: "More actions", exact: true }).click();
    await ann.getByRole("menuitem", { name }).click();
  };
  await choose("Rename, with all links");
  await ann.getByRole("dialog").getByLabel("Slug").fill("hot-tea");
  await ann.getByRole("dialog").getByRole("button", { name: "Make a proposal" }).click();
  await ann.getByRole("button", { name: "Merge", exact: true }).click();
  await ann.getByText("Merged", { exact: true }).first().waitFor();
  assert.equal((await server.api("GET", `/pages/${other.id}`)).data.content, "See [tea](hot-tea) and [green](hot-tea#green).\n");

  await ann.goto(`${server.url}/studio/pages/${tea.id}`);
  await content(ann).waitFor();
  await choose("Split into two pages");
  await ann.getByRole("dialog").getByRole("button", { name: "Make a proposal" }).click();
  await ann.getByRole("button", { name: "Merge", exact: true }).click();
  await ann.getByText("Merged", { exact: true }).first().waitFor();
  assert.match((await server.api("GET", `/pages/${other.id}`)).data.content, /\[green\]\(green/);
});

test("taking back goes on after what somebody else has done", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t, { expected: ["404", "Failed to load resource"] });
  const ann = await setUp(server, await person());
  const id = {};
  for (const title of ["Home", "One", "Two", "Three"]) id[title] = (await server.api("POST", "/pages", { title, slug: title.toLowerCase(), content: `---\ntags: alone\n---\n`, status: "published" })).data.id;
  await ann.reload();
  for (const name of ["One", "Two", "Three"]) await item(ann, name).click({ modifiers: ["Control"] });
  await ann.keyboard.press("Control+x");
  await item(ann, "Home").focus();
  await ann.keyboard.press("Control+v");
  await ann.getByText("3 pages were moved.").waitFor();
  await server.api("DELETE", `/pages/${id.Two}`);
  await item(ann, "Home").focus();
  await ann.keyboard.press("Control+z");
  await ann.getByText("Taken back: 3 pages were moved.").waitFor();
  assert.deepEqual((await shape(server)).toSorted(), ["Home", "One", "Three"]);
});
