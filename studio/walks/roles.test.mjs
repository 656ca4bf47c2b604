// What a role may not do is neither shown nor possible: each role goes to every address,
// and asks the API for what the screens of others ask for.
import assert from "node:assert/strict";
import test from "node:test";
import { Eye } from "./eye.mjs";
import { Server, browse, content, invite, picture, setUp } from "./rig.mjs";

const scopes = { reader: [], contributor: ["pages:propose"], editor: ["pages:propose", "pages:write"], admin: ["pages:propose", "pages:write", "admin"] };

/** Every part of Manage, with the scope that it needs. */
const parts = {
  activity: ["Activity", "pages:propose"], assets: ["Files", "pages:propose"], links: ["Broken links", "pages:propose"], exports: ["Exports", "pages:propose"],
  deleted: ["Deleted pages", "pages:write"], redirects: ["Redirects", "pages:write"], feedback: ["Feedback", "pages:write"],
  queries: ["Searches", "admin"], site: ["Site settings", "admin"], people: ["People", "admin"], keys: ["API keys", "admin"],
  applications: ["Applications", "admin"], webhooks: ["Webhooks", "admin"], audit: ["Audit log", "admin"], health: ["Health", "admin"],
};

/** What changes something, with the scope that it needs. No path names what there is, so that nothing is changed where it is allowed. */
const calls = [
  ["pages:propose", "POST", "/proposals", {}], ["pages:propose", "POST", "/proposals/refactor", {}], ["pages:propose", "GET", "/proposals"],
  ["pages:write", "POST", "/pages", {}], ["pages:write", "PATCH", "/pages/PAGE", { title: 1 }], ["pages:write", "DELETE", "/pages/page_01h455vb4pex5vsknk084sn02q"], ["pages:write", "POST", "/pages/PAGE/move", { parentId: 1 }], ["pages:write", "POST", "/pages/bulk", {}], ["pages:write", "POST", "/pages/PAGE/restore"],
  ["pages:write", "POST", "/proposals/PROPOSAL/merge", { x: 1 }], ["pages:write", "POST", "/proposals/PROPOSAL/reviews", { verdict: "approve" }], ["pages:write", "GET", "/pages?deleted=true"], ["pages:write", "POST", "/redirects", {}], ["pages:write", "DELETE", "/redirects?from=/nothing"], ["pages:write", "GET", "/feedback"], ["pages:write", "GET", "/imports"],
  ["admin", "GET", "/users"], ["admin", "POST", "/users", {}], ["admin", "PATCH", "/users/USER", { role: 1 }], ["admin", "GET", "/api-keys"], ["admin", "POST", "/api-keys", {}], ["admin", "GET", "/clients"], ["admin", "POST", "/clients", {}], ["admin", "GET", "/webhooks"], ["admin", "POST", "/webhooks", {}],
  ["admin", "PATCH", "/site", { title: 1 }], ["admin", "GET", "/audit"], ["admin", "GET", "/search/queries"], ["admin", "DELETE", "/proposals/PROPOSAL/reviews/rev_01h455vb4pex5vsknk084sn02q"],
];

for (const role of Object.keys(scopes))
  test(`what may not be done as ${role} is neither shown nor possible`, async (t) => {
    const server = await Server.start(t, "--site", "public");
    const { person } = await browse(t, { expected: ["Failed to load resource"] });
    const first = await setUp(server, await person());
    const { data: page } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "# Hot\n", status: "published" });
    const { data: proposal } = await server.api("POST", "/proposals", { title: "Colder", changes: [{ op: "update", pageId: page.id, content: "# Cold\n" }] });
    const context = await person();
    const ben = role === "admin" ? first : await invite(server, context, "Ben", role, role === "reader" ? "**/account*" : undefined);
    const has = (scope) => scopes[role].includes(scope);
    const { data: users } = await server.api("GET", "/users");
    const given = await ben.context().request.post(server.url + "/studio/token", { data: {}, headers: { Origin: server.url } });
    const token = (await given.json()).access_token;

    // What the API refuses is refused for the scope; what it lets through it finds wrong otherwise, or answers.
    const wrong = [];
    for (const [scope, method, path, body] of calls) {
      const address = path.replace("PAGE", page.id).replace("PROPOSAL", proposal.id).replace("USER", users.data[0].id);
      const r = await fetch(server.url + "/v1" + address, { method, headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) }, ...(body && { body: JSON.stringify(body) }) });
      if ((r.status === 403) === has(scope) || r.status >= 500) wrong.push(`${method} ${path}: ${r.status} ${await r.text()}`);
    }
    assert.deepEqual(wrong, []);
    assert.equal((await server.api("GET", `/pages/${page.id}`)).data.revision, page.revision);

    const refused = [];
    ben.on("response", (r) => r.status() === 403 && refused.push(r.url()));
    const open = async (path) => {
      await ben.goto(server.url + path);
      await ben.getByRole("heading", { level: 1 }).first().waitFor();
      await ben.waitForLoadState("networkidle");
    };
    const count = (kind, name) => ben.getByRole(kind, { name, exact: true }).count();
    for (const [part, [title, scope]] of Object.entries(parts)) {
      await open(`/studio/manage/${part}`);
      const nav = ben.getByRole("navigation", { name: "Manage" });
      assert.equal(await nav.getByRole("link", { name: title, exact: true }).count(), has(scope) ? 1 : 0, `${title} in the list`);
      const shown = await ben.locator(".admin-part :is(table, form, dl, button)").count();
      assert.ok(has(scope) || shown === 0, `${title}: ${shown}`);
    }
    assert.equal(await ben.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "Import files" }).count(), has("pages:write") ? 1 : 0);

    await open("/studio/imports");
    assert.equal(await ben.locator("form.import-form").count(), has("pages:write") ? 1 : 0);

    // The tree: writers arrange it, others read it.
    await open("/studio");
    const row = ben.getByRole("treeitem", { name: "Tea" });
    await row.focus();
    assert.equal(await row.getAttribute("draggable"), String(has("pages:write")));
    await ben.keyboard.press("Space");
    assert.equal(await ben.getByText("1 page chosen").count(), has("pages:write") ? 1 : 0);
    if (!has("pages:write")) {
      for (const key of ["Delete", "Control+x", "Control+v", "Alt+ArrowDown", "Control+z"]) await ben.keyboard.press(key);
      assert.equal(await ben.getByRole("dialog").count(), 0);
    }
    await ben.keyboard.press("Escape");
    assert.equal(await count("link", "New page"), has("pages:propose") ? 1 : 0);
    await ben.getByRole("button", { name: /^Account/ }).click();
    assert.equal(await count("menuitem", "Manage"), has("pages:propose") ? 1 : 0, "Manage in the menu");
    assert.equal(await count("menuitem", "Proposals"), has("pages:propose") ? 1 : 0, "Proposals in the menu");
    await ben.keyboard.press("Escape");

    // The palette offers what is allowed.
    await ben.keyboard.press("Control+k");
    for (const [title, scope] of Object.values(parts)) {
      await ben.getByRole("combobox").last().fill(`Manage: ${title}`);
      assert.equal(await ben.getByRole("option", { name: `Manage: ${title}`, exact: true }).count(), has(scope) ? 1 : 0, `${title} in the palette`);
    }
    await ben.keyboard.press("Escape");

    await open(`/studio/proposals/${proposal.id}`);
    assert.equal(await ben.getByRole("heading", { level: 1, name: "Not for your role" }).count(), has("pages:propose") ? 0 : 1);
    for (const [name, scope] of [["Merge", "pages:write"], ["Approve", "pages:write"], ["Request changes", "pages:write"], ["Close without merging", "pages:write"], ["Edit the text", "pages:write"]])
      assert.equal(await count("button", name), has(scope) ? 1 : 0, `${name} at a proposal`);

    await open(`/studio/pages/${page.id}`);
    const mayWrite = has("pages:propose") ? 1 : 0;
    if (mayWrite) await content(ben).waitFor();
    else await ben.frameLocator("iframe").getByRole("heading", { name: "Hot" }).waitFor();
    const eye = new Eye();
    if (!mayWrite) await eye.look(ben, "reading");
    await picture(ben, `roles-${role}-page`);
    for (const name of ["Publish", "Publish changes", "Delete page"]) assert.ok(has("pages:write") || (await count("button", name)) === 0, `${name} at a page`);
    assert.equal(await ben.locator(".cm-content[contenteditable=true]").count(), mayWrite, "a reader does not write");
    await ben.goto(`${server.url}/studio/new`);
    await ben.waitForLoadState("networkidle");
    if (!mayWrite) await eye.look(ben, "not-allowed");
    assert.deepEqual(eye.faults, []);
    await picture(ben, `roles-${role}-new`);
    assert.equal(await ben.locator(".cm-content[contenteditable=true]").count(), mayWrite, "nor begins a page");
    await ben.goto(`${server.url}/studio/pages/${page.id}/history`);
    await ben.getByRole("heading", { level: 1 }).waitFor();
    await ben.waitForLoadState("networkidle");
    assert.ok(has("pages:write") || (await ben.getByRole("button", { name: /^Restore/ }).count()) === 0 || has("pages:propose"), "nothing is restored");
    await picture(ben, `roles-${role}-history`);
    assert.deepEqual(refused, [], "no screen asks for what it may not have");
  });
