// Pages are dragged by the mouse: into another, beside one, several at once, and not where
// they cannot go. What is chosen by keys grows and shrinks. The focus stays in the tree
// when its page is deleted.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, setUp } from "./rig.mjs";

const item = (page, name) => page.getByRole("treeitem", { name, exact: true });
const chosenOf = (page) => page.locator(".tree-row.chosen .tree-title").allTextContents();
const focused = (page) => page.evaluate(() => document.activeElement.querySelector(".tree-title")?.textContent ?? document.activeElement.tagName);

/** A server with a tree of pages, below each other as their indentation says. */
async function tree(t, lines) {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const above = [];
  for (const line of lines) {
    const title = line.trim();
    const level = (line.length - title.length) / 2;
    const { data } = await server.api("POST", "/pages", { title, slug: title.toLowerCase(), content: "", status: "published" });
    if (level > 0) await server.api("POST", `/pages/${data.id}/move`, { parentId: above[level - 1] });
    above[level] = data.id;
  }
  const shape = async () => {
    const { data } = (await server.api("GET", "/tree")).data;
    const level = new Map();
    return data.map((p) => {
      level.set(p.id, p.parentId ? level.get(p.parentId) + 1 : 0);
      return "  ".repeat(level.get(p.id)) + p.title;
    });
  };
  const moves = [];
  ann.on("request", (q) => q.url().endsWith("/move") && moves.push(q.url()));
  await ann.reload();
  return { server, ann, shape, moves };
}

/** Waits until the tree of the server is this, and tells what it is else. */
async function becomes(shape, want, what) {
  for (let n = 0; n < 100; n++) {
    if ((await shape()).join("\n") === want.join("\n")) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.deepEqual(await shape(), want, what);
}

test("pages are dragged into, before and after others, and come back", async (t) => {
  const first = ["A", "  A1", "  A2", "B", "C", "D"];
  const { ann, shape, moves } = await tree(t, first);
  await item(ann, "A").press("ArrowRight");
  await item(ann, "A1").waitFor();
  const edge = { top: { x: 90, y: 2 }, middle: { x: 90, y: 16 }, bottom: { x: 90, y: 30 } };
  const drag = (from, to, part) => item(ann, from).dragTo(item(ann, to), { targetPosition: edge[part] });
  const done = async (want, what) => {
    await becomes(shape, want, what);
    await ann.getByRole("button", { name: "Undo" }).and(ann.locator(":enabled")).waitFor();
  };
  const after = [
    [() => drag("C", "B", "middle"), ["A", "  A1", "  A2", "B", "  C", "D"], "into a page"],
    [() => drag("D", "A", "top"), ["D", "A", "  A1", "  A2", "B", "  C"], "before the first"],
    [() => drag("B", "D", "bottom"), ["D", "B", "  C", "A", "  A1", "  A2"], "after a page, with what lies below it"],
    [() => drag("A2", "A1", "top"), ["D", "B", "  C", "A", "  A2", "  A1"], "among its neighbours"],
    [() => drag("A1", "D", "top"), ["A1", "D", "B", "  C", "A", "  A2"], "out of its parent"],
  ];
  const states = [first];
  for (const [act, want, what] of after) {
    await act();
    await done(want, what);
    states.push(want);
  }

  for (const name of ["A1", "D"]) await item(ann, name).click({ modifiers: ["Control"] });
  await ann.getByText("2 pages chosen").waitFor();
  await drag("D", "B", "middle");
  const several = ["B", "  C", "  A1", "  D", "A", "  A2"];
  await done(several, "several at once, in their order");
  states.push(several);

  const asked = moves.length;
  await drag("B", "B", "middle");
  await item(ann, "B").press("ArrowRight");
  await item(ann, "C").waitFor();
  for (const part of ["top", "middle", "bottom"]) await drag("B", "C", part);
  await ann.mouse.move(700, 500);
  await new Promise((settled) => setTimeout(settled, 500));
  assert.equal(moves.length, asked, "onto itself and below itself");
  assert.equal(await ann.locator("[class*=drop-]").count(), 0, "no mark is left");
  assert.deepEqual(await shape(), several);

  for (const want of states.slice(0, -1).toReversed()) {
    await ann.getByRole("button", { name: "Undo" }).click();
    await becomes(shape, want, "undone");
    await ann.locator(".tree-done button:enabled, .tree-done:not(:has(button))").first().waitFor();
  }
  assert.deepEqual(await shape(), first);
});

test("what is chosen grows and shrinks from where it began", async (t) => {
  const { ann } = await tree(t, ["A", "B", "C", "D", "E", "F"]);
  await item(ann, "C").focus();
  for (const key of ["ArrowDown", "ArrowDown"]) await ann.keyboard.press(`Shift+${key}`);
  assert.deepEqual(await chosenOf(ann), ["C", "D", "E"]);
  await ann.keyboard.press("Shift+ArrowUp");
  assert.deepEqual(await chosenOf(ann), ["C", "D"]);
  for (let i = 0; i < 2; i++) await ann.keyboard.press("Shift+ArrowUp");
  assert.deepEqual(await chosenOf(ann), ["B", "C"]);
  for (let i = 0; i < 3; i++) await ann.keyboard.press("Shift+ArrowUp");
  assert.deepEqual(await chosenOf(ann), ["A", "B", "C"]);
  await ann.keyboard.press("Escape");
  assert.deepEqual(await chosenOf(ann), []);

  // What was chosen before stays beside a range that begins elsewhere.
  await ann.keyboard.press("Space");
  for (const key of ["ArrowDown", "ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowUp"]) await ann.keyboard.press(key);
  assert.deepEqual(await chosenOf(ann), ["A", "C", "D"]);
  await item(ann, "D").press("Space");
  assert.deepEqual(await chosenOf(ann), ["A", "C"]);
  await ann.keyboard.press("Escape");
  await item(ann, "B").press("Space");
  for (const key of ["ArrowDown", "ArrowDown", "Shift+Space"]) await ann.keyboard.press(key);
  assert.deepEqual(await chosenOf(ann), ["B", "C", "D"]);
  await item(ann, "F").click({ modifiers: ["Shift"] });
  assert.deepEqual(await chosenOf(ann), ["B", "C", "D", "E", "F"]);
  assert.equal(await focused(ann), "F");
  await ann.keyboard.press("Control+a");
  await ann.getByText("6 pages chosen").waitFor();
});

test("the focus goes to the next row when its page is deleted, and to the one before at the end", async (t) => {
  const { ann, server } = await tree(t, ["A", "B", "  B1", "C", "D"]);
  const remove = async (name) => {
    await item(ann, name).press("Delete");
    await ann.getByRole("dialog").getByRole("button", { name: "Delete pages", exact: true }).click();
    await item(ann, name).waitFor({ state: "detached" });
  };
  const has = (name) => ann.waitForFunction((want) => document.activeElement.querySelector(".tree-title")?.textContent === want, name);
  await remove("B");
  await has("C");
  await remove("D");
  await has("C");
  await item(ann, "A").click({ modifiers: ["Control"] });
  await ann.getByRole("button", { name: "Actions for the chosen pages" }).click();
  await ann.getByRole("menuitem", { name: /^Delete/ }).click();
  await ann.getByRole("dialog").getByRole("button", { name: "Delete pages", exact: true }).click();
  await item(ann, "A").waitFor({ state: "detached" });
  await has("C");

  // So it is in a list, too.
  for (const from of ["/one", "/two", "/three"]) await server.api("POST", "/redirects", { from, to: "/c" });
  await ann.goto(`${server.url}/studio/manage/redirects`);
  const act = async (row) => {
    await ann.getByRole("button", { name: `Actions: ${row}` }).click();
    await ann.getByRole("menuitem", { name: "Remove", exact: true }).click();
    await ann.getByRole("heading", { name: `Remove ${row}?` }).waitFor();
    await ann.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await ann.getByRole("cell", { name: row, exact: true }).waitFor({ state: "detached" });
    await ann.waitForFunction(() => document.activeElement !== document.body);
    return ann.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.tagName);
  };
  await ann.locator("tbody tr").nth(2).waitFor();
  const rows = await ann.locator("tbody tr td:first-child").allTextContents();
  assert.equal(await act(rows[1]), `Actions: ${rows[2]}`);
  assert.equal(await act(rows[2]), `Actions: ${rows[0]}`);
  assert.equal(await act(rows[0]), "H1");
});
