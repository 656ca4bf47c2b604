// What belongs to one is not mixed with what belongs to another: texts of two people at one
// browser, comments on two lines, two lists, two steps, two dialogs, two paths.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, invite, password, saving, setUp } from "./rig.mjs";

const button = (page, name) => page.getByRole("button", { name, exact: true });
const dialog = (page) => page.getByRole("dialog");
const item = (page, name) => page.getByRole("treeitem", { name, exact: true });

/** A published page, and a proposal that changes a line of it. */
async function proposed(server) {
  const { data: page } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "one\ntwo\nthree\nfour\n", status: "published" });
  const { data: proposal } = await server.api("POST", "/proposals", { title: "Two", changes: [{ op: "update", pageId: page.id, content: "one\n2\nthree\nfour\n" }] });
  return { page, proposal };
}

test("what somebody has typed and not sent is theirs alone", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t, { expected: ["401"] });
  const context = await person();
  const ann = await setUp(server, context);
  const { proposal } = await proposed(server);
  const { data: ben } = await server.api("POST", "/users", { name: "Ben", email: "ben@example.com", role: "editor" });
  const address = `${server.url}/studio/proposals/${proposal.id}`;
  await ann.goto(address);
  await ann.getByLabel("Your review").fill("Ann wrote this.");
  const dialogs = [];
  ann.on("dialog", (d) => (dialogs.push(d.type()), d.dismiss()));

  // Ben signs in beside, and the screen of Ann is not his, whatever he answers.
  const other = await context.newPage();
  await other.goto(server.url + "/studio");
  await other.getByRole("button", { name: /^Account/ }).click();
  await other.getByRole("menuitem", { name: "Sign out" }).click();
  await other.getByRole("link", { name: "Sign in" }).waitFor();
  await other.goto(ben.link);
  await other.getByLabel("Password", { exact: true }).fill(password);
  await other.getByRole("button").last().click();
  await other.waitForURL("**/studio");
  await ann.bringToFront();
  await ann.getByRole("button", { name: "Account: Ben" }).waitFor();
  await ann.getByLabel("Your review").waitFor();
  assert.equal(await ann.getByLabel("Your review").inputValue(), "");
  assert.deepEqual(dialogs, []);

  // When Ann is back in that tab, her text is, too.
  await ann.getByRole("button", { name: /^Account/ }).click();
  await ann.getByRole("menuitem", { name: "Sign out" }).click();
  await ann.getByRole("link", { name: "Sign in" }).click();
  await ann.getByLabel("E-mail address").fill("ann@example.com");
  await ann.getByLabel("Password", { exact: true }).fill(password);
  await ann.getByRole("button").last().click();
  await ann.waitForURL("**/studio**");
  await ann.goto(address);
  await ann.getByLabel("Your review").waitFor();
  assert.equal(await ann.getByLabel("Your review").inputValue(), "Ann wrote this.");

  // A browser that keeps no more still takes what is typed.
  await ann.evaluate(() => {
    for (let text = "x".repeat(1 << 20), n = 0; text !== ""; n++) {
      try {
        sessionStorage.setItem(`full${n}`, text);
      } catch {
        text = text.slice(0, text.length >> 1);
      }
    }
  });
  await ann.getByLabel("Your review").fill("Full. ".repeat(100));
  await button(ann.locator(".review-said"), "Comment").click();
  await ann.getByText("Full. Full.").first().waitFor();
});

test("a comment stays at its line, and two texts of one change become one", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t, { expected: ["412"] });
  const ann = await setUp(server, await person());
  const { page, proposal } = await proposed(server);
  await ann.goto(`${server.url}/studio/proposals/${proposal.id}`);
  const line = (n) => ann.locator(".review-change .cm-lineNumbers .cm-gutterElement").filter({ hasText: String(n) }).last();
  await line(3).click();
  await ann.getByLabel("Comment on line 3").fill("About three.");
  await button(ann, "Suggest another text").click();
  await line(4).click();
  assert.equal(await ann.getByLabel("Comment on line 4").inputValue(), "");
  assert.equal(await ann.getByLabel("Text in place of these lines").count(), 0);
  await line(3).click();
  assert.equal(await ann.getByLabel("Comment on line 3").inputValue(), "About three.");
  assert.equal(await ann.getByLabel("Text in place of these lines").inputValue(), "three");
  await button(ann.locator(".review-change"), "Cancel").click();

  // Both have changed the text of the proposal: another line each, then the same line.
  const path = `/proposals/${proposal.id}/changes/${proposal.changes[0].id}`;
  const put = async (content) => {
    const { data, etag } = await server.api("GET", path);
    await server.api("PUT", path, { op: "update", pageId: page.id, baseRevision: data.baseRevision, content }, { "If-Match": etag });
  };
  const merge = ann.getByRole("region", { name: "Merge two versions" });
  await button(ann, "Edit the text").click();
  await content(ann).click();
  await ann.keyboard.press("Control+Home");
  await ann.keyboard.type("My ");
  await put("one\n2\nthree\nfour by Ben\n");
  await button(ann, "Save").click();
  await merge.getByText("There is no conflict").or(merge).first().waitFor();
  await button(merge, "Cancel and keep both").click();
  assert.match(await content(ann).innerText(), /^My one/);
  await button(ann, "Save").click();
  await put("Ben's one\n2\nthree\nfour by Ben\n");
  await button(merge, "Merge").click();
  await merge.getByText("Conflict 1 of 1").waitFor();
  await button(merge, "Take both").click();
  await button(merge, "Merge").click();
  await merge.waitFor({ state: "detached" });
  assert.equal((await server.api("GET", path)).data.content, "My one\nBen's one\n2\nthree\nfour by Ben\n");
});

test("a list that is shown again begins at its start", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const { data: page } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "Hot.\n", status: "published" });
  for (let n = 0; n < 130; n++) await server.api("POST", "/proposals", { title: "Change", changes: [{ op: "update", pageId: page.id, content: `${n}\n` }] });
  await ann.goto(`${server.url}/studio/proposals`);
  const rows = ann.locator(".list-table tbody tr:has(a)");
  await rows.nth(99).waitFor();
  await ann.getByRole("button", { name: "Show more" }).scrollIntoViewIfNeeded();
  await rows.nth(129).waitFor();
  await ann.getByLabel("Merged").check();
  await ann.getByText("There are none.").waitFor();
  await ann.getByLabel("Open", { exact: true }).check();
  await rows.nth(99).waitFor();
});

test("nobody and nothing is left out of what is long, or odd", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const { page } = await proposed(server);
  for (let n = 0; n < 101; n++) await server.api("POST", "/users", { name: `Person ${n}`, email: `p${n}@example.com`, role: "editor" });
  await ann.goto(`${server.url}/studio/pages/${page.id}`);
  await content(ann).click();
  await ann.keyboard.type("New. ");
  await saving(ann, "Saved");
  await button(ann, "Ask for review").click();
  await ann.getByRole("checkbox", { name: "Person 100" }).waitFor();
  assert.equal(await dialog(ann).getByRole("checkbox").count(), 101);

  await server.api("PATCH", "/site", { header: [{ label: "Odd", href: "/a|b" }] });
  await ann.goto(`${server.url}/studio/manage/site`);
  const links = ann.getByLabel("Links in the header");
  assert.equal(await links.inputValue(), "Odd | /a|b");
  await links.fill("Odd | /a|b\nDocs|/docs");
  await button(ann, "Save").click();
  await ann.getByText("Saved", { exact: true }).waitFor();
  assert.deepEqual((await server.api("GET", "/site")).data.header, [{ label: "Odd", href: "/a|b" }, { label: "Docs", href: "/docs" }]);
});

test("each step is taken back once, and only what is there is chosen", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const id = {};
  for (const title of ["A", "B", "C", "D", "E"]) id[title] = (await server.api("POST", "/pages", { title, slug: title.toLowerCase(), content: "x\n", status: "published" })).data.id;
  await server.api("POST", `/pages/${id.E}/move`, { parentId: id.A });
  await ann.reload();
  await item(ann, "A").focus();
  await ann.keyboard.press("Alt+ArrowDown");
  await ann.getByText("The page was moved.").waitFor();
  await ann.keyboard.press("Alt+ArrowDown");
  await button(ann, "Undo").and(ann.locator(":enabled")).waitFor();
  const order = async () => (await server.api("GET", "/tree")).data.data.map((p) => p.title).join("");
  while ((await order()) !== "BCAED") await ann.waitForTimeout(50);
  await button(ann, "Undo").and(ann.locator(":enabled")).waitFor();
  await item(ann, "A").focus();
  await ann.keyboard.press("Control+z");
  await ann.keyboard.press("Control+z");
  await button(ann, "Undo").waitFor({ state: "detached" });
  assert.equal(await order(), "AEBCD");

  // A range goes on where it can be seen.
  const chosen = () => ann.locator(".tree-row.chosen .tree-title").allTextContents();
  await item(ann, "A").focus();
  await ann.keyboard.press("ArrowRight");
  await item(ann, "E").click({ modifiers: ["Control"] });
  await item(ann, "A").focus();
  await ann.keyboard.press("ArrowLeft");
  await item(ann, "E").waitFor({ state: "detached" });
  await item(ann, "C").click({ modifiers: ["Shift"] });
  assert.deepEqual(await chosen(), ["A", "B", "C"]);

  // What somebody else deletes is not chosen any more, and holds up nothing.
  await server.api("DELETE", `/pages/${id.C}`);
  await ann.evaluate(() => dispatchEvent(new Event("focus")));
  await item(ann, "C").waitFor({ state: "detached" });
  await ann.getByText("3 pages chosen").waitFor();
  await ann.getByRole("button", { name: "Actions for the chosen pages" }).click();
  await ann.getByRole("menuitem", { name: "Add tags" }).click();
  await ann.getByLabel("Tags, with commas between them").fill("hot");
  await button(dialog(ann), "Add tags").click();
  await ann.getByText("3 pages have the tags.").waitFor();
});

test("a redirect is renamed and never lost, and a dialog is closed by its own answer alone", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  for (const from of ["/old", "/other"]) await server.api("POST", "/redirects", { from, to: "/a" });
  await ann.goto(`${server.url}/studio/manage/redirects`);
  const act = async (row, what) => {
    await button(ann, `Actions: ${row}`).click();
    await ann.getByRole("menuitem", { name: what }).click();
  };
  const list = async () => (await server.api("GET", "/redirects")).data.data.map((r) => r.from);
  await act("/old", "Edit");
  await dialog(ann).getByLabel("From").fill("/old/");
  await button(dialog(ann), "Save").click();
  await dialog(ann).waitFor({ state: "detached" });
  assert.deepEqual(await list(), ["/old", "/other"]);
  await act("/old", "Edit");
  await dialog(ann).getByLabel("From").fill("/%6fther/");
  await button(dialog(ann), "Save").click();
  await dialog(ann).getByText("/other leads somewhere already.").waitFor();
  assert.deepEqual(await list(), ["/old", "/other"]);
  await ann.keyboard.press("Escape");

  let answer;
  const held = new Promise((go) => (answer = go));
  await server.api("POST", "/api-keys", { name: "K1", kind: "service", scopes: ["pages:read"] });
  await server.api("POST", "/api-keys", { name: "K2", kind: "service", scopes: ["pages:read"] });
  await ann.route((url) => url.pathname.startsWith("/v1/api-keys/"), async (route) => (await held, route.continue()));
  await ann.goto(`${server.url}/studio/manage/keys`);
  await act("K1", "Revoke");
  await button(dialog(ann), "Revoke").click();
  await ann.keyboard.press("Escape");
  await dialog(ann).waitFor({ state: "detached" });
  await button(ann, "New key").click();
  await dialog(ann).getByLabel("Name").fill("K3");
  const done = ann.waitForResponse((r) => r.request().method() === "DELETE");
  answer();
  await (await done).finished();
  await ann.evaluate(() => new Promise((go) => setTimeout(go))); // what follows the answer is done
  assert.equal(await dialog(ann).getByLabel("Name").inputValue(), "K3");
  await ann.keyboard.press("Escape");
  await ann.getByText("Revoked", { exact: true }).waitFor();
});

test("every screen takes the place of the one before, and Back brings that back", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const { proposal } = await proposed(server);
  const at = async (name, path) => {
    await ann.getByRole("heading", { level: 1, name }).waitFor();
    assert.equal(new URL(ann.url()).pathname, `/studio${path}`);
  };
  const menu = async (name) => {
    await ann.getByRole("button", { name: /^Account/ }).click();
    await ann.getByRole("menuitem", { name, exact: true }).click();
  };
  await menu("Manage");
  await at("Activity", "/manage");
  await ann.getByRole("link", { name: /^Inbox/ }).click();
  await at("Inbox", "/inbox");
  await menu("Proposals");
  await at("Proposals", "/proposals");
  await menu("Manage");
  await at("Activity", "/manage");
  await ann.goBack();
  await at("Proposals", "/proposals");
  await ann.goBack();
  await at("Inbox", "/inbox");
  await ann.goForward();
  await ann.getByRole("link", { name: "Two", exact: true }).click();
  await at("Two", `/proposals/${proposal.id}`);

  // Whoever stays with what is not sent stays where they are, and can leave later.
  await ann.getByLabel("Your review").fill("Not yet.");
  const asked = [];
  ann.on("dialog", (d) => (asked.push(d.type()), d.dismiss()));
  await ann.evaluate(() => history.back());
  while (asked.length === 0) await ann.waitForFunction(() => true);
  await at("Two", `/proposals/${proposal.id}`);
  assert.equal(await ann.getByLabel("Your review").inputValue(), "Not yet.");
  await ann.getByLabel("Your review").fill("");
  await ann.goBack();
  await at("Proposals", "/proposals");
  assert.deepEqual(asked, ["confirm"]);
});

test("a screen that could not be loaded comes when the server is back", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t, { expected: ["Failed to load", "ERR_"] });
  const ann = await setUp(server, await person());
  await ann.getByRole("heading", { level: 1, name: "Welcome, Ann" }).waitFor();
  await server.kill();
  await ann.getByRole("button", { name: /^Account/ }).click();
  await ann.getByRole("menuitem", { name: "Proposals" }).click();
  await ann.locator("#screen").getByText("The server cannot be reached").waitFor();
  await server.again();
  await ann.getByRole("heading", { level: 1, name: "Proposals" }).waitFor();
});

test("a reader follows links in their tab, and a contributor changes no file of others", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t, { expected: ["Blocked script execution"] });
  await setUp(server, await person());
  await server.api("POST", "/pages", { title: "B", slug: "b", content: "Second.\n", status: "published" });
  const { data: a } = await server.api("POST", "/pages", { title: "A", slug: "a", content: "First, then [go on](b).\n", status: "published" });
  const form = new FormData();
  form.append("file", new Blob(["plain"], { type: "text/plain" }), "notes.txt");
  const sent = await fetch(server.url + "/v1/assets", { method: "POST", headers: { Authorization: `Bearer ${await server.token()}` }, body: form });
  assert.ok(sent.ok);

  const rita = await invite(server, await person(), "Rita", "reader", "**/account*");
  await rita.goto(`${server.url}/studio/pages/${a.id}`);
  await rita.frameLocator("main iframe").getByRole("link", { name: "go on" }).click();
  await rita.getByRole("heading", { level: 1, name: "B" }).waitFor();
  await rita.frameLocator("main iframe").getByText("Second.").waitFor();
  await rita.goBack();
  await rita.getByRole("heading", { level: 1, name: "A" }).waitFor();
  assert.equal(rita.context().pages().length, 1);

  const cleo = await invite(server, await person(), "Cleo", "contributor");
  await cleo.goto(`${server.url}/studio/manage/assets`);
  await button(cleo, "Actions: notes.txt").click();
  assert.deepEqual(await cleo.getByRole("menuitem").allTextContents(), ["Open", "Copy the address", "Where it is used", "Replace"]);
});
