// An administrator runs the site without the command line.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import test from "node:test";
import { Server, browse, password, picture, setUp } from "./rig.mjs";

const open = async (page, server, part) => {
  await page.goto(`${server.url}/studio/manage/${part}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
};
const button = (page, name) => page.getByRole("button", { name, exact: true });
const dialog = (page) => page.getByRole("dialog");
const act = async (page, row, item) => {
  await button(page, `Actions: ${row}`).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

test("people are invited, changed and removed", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const ann = await setUp(server, await person());
  await open(ann, server, "people");
  await button(ann, "Invite").click();
  await dialog(ann).getByLabel("E-mail address").fill("ben@example.com");
  await dialog(ann).getByLabel("Name").fill("Ben <b>");
  await dialog(ann).getByLabel("Role").selectOption("Editor");
  await button(dialog(ann), "Invite").click();
  const link = await dialog(ann).locator(".admin-secret").textContent();
  await picture(ann, "manage-link");
  await button(dialog(ann), "I have kept it").click();
  await ann.getByRole("cell", { name: "Ben <b>", exact: true }).waitFor();
  await picture(ann, "manage-people");

  const ben = await (await person()).newPage();
  await ben.goto(link);
  await ben.getByLabel("Password", { exact: true }).fill(password);
  await ben.getByRole("button").last().click();
  await ben.waitForURL("**/studio");

  await act(ann, "Ben <b>", "Edit");
  await dialog(ann).getByLabel("Role").selectOption("Reader");
  await button(dialog(ann), "Save").click();
  await ann.getByRole("cell", { name: "Reader" }).waitFor();
  await act(ann, "Ben <b>", "Disable");
  await ann.getByText("Disabled").waitFor();
  await act(ann, "Ben <b>", "Remove");
  await button(dialog(ann), "Remove").click();
  await ann.getByRole("cell", { name: "Ben <b>", exact: true }).waitFor({ state: "detached" });
});

test("keys, applications and a webhook with its deliveries", async (t) => {
  const heard = [];
  const receiver = createServer((q, r) => {
    heard.push(q.headers["webhook-id"]);
    r.writeHead(heard.length === 1 ? 500 : 204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  t.after(() => receiver.close());
  const server = await Server.start(t, "--allow-private-destinations", "127.0.0.0/8");
  const { person } = await browse(t);
  const ann = await setUp(server, await person());

  await open(ann, server, "keys");
  await button(ann, "New key").click();
  await dialog(ann).getByLabel("Name").fill("Build");
  await picture(ann, "manage-key");
  await button(dialog(ann), "Create").click();
  const key = await dialog(ann).locator(".admin-secret").textContent();
  const asked = await fetch(`${server.url}/v1/pages`, { headers: { "X-API-Key": key } });
  assert.equal(asked.status, 200);
  await button(dialog(ann), "I have kept it").click();
  await act(ann, "Build", "Revoke");
  await button(dialog(ann), "Revoke").click();
  await ann.getByText("Revoked").waitFor();
  assert.equal((await fetch(`${server.url}/v1/pages`, { headers: { "X-API-Key": key } })).status, 401);

  await open(ann, server, "applications");
  await button(ann, "New application").click();
  await dialog(ann).getByLabel("Name").fill("Board");
  await dialog(ann).getByLabel("Redirect URIs").fill("http://localhost:9/back");
  await button(dialog(ann), "Create").click();
  await button(dialog(ann), "I have kept it").click();
  await ann.getByRole("cell", { name: "Board", exact: true }).waitFor();

  await open(ann, server, "webhooks");
  await button(ann, "New webhook").click();
  const url = `http://127.0.0.1:${receiver.address().port}/`;
  await dialog(ann).getByLabel("Address").fill(url);
  await button(dialog(ann), "Create").click();
  await button(dialog(ann), "I have kept it").click();
  await act(ann, url, "Send a test");
  await dialog(ann).getByRole("button", { name: /^Send again/ }).first().waitFor();
  while (heard.length < 1 || !(await dialog(ann).getByText("Failed, will be tried again").count())) {
    await button(dialog(ann), "Refresh").click();
    await dialog(ann).getByRole("button", { name: /^Send again/ }).first().waitFor();
  }
  await picture(ann, "manage-deliveries");
  await dialog(ann).getByRole("button", { name: /^Send again/ }).first().click();
  await dialog(ann).getByText("Waiting").or(dialog(ann).getByText("Delivered")).first().waitFor();
  while (!(await dialog(ann).getByText("Delivered").count())) {
    await button(dialog(ann), "Refresh").click();
    await dialog(ann).getByRole("button", { name: /^Send again/ }).first().waitFor();
  }
  assert.ok(heard.length >= 2);
});

test("exports, redirects, deleted pages, broken links and the site", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t, { expected: ["412"] });
  const ann = await setUp(server, await person());
  const make = async (slug, content) => (await server.api("POST", "/pages", { title: slug, slug, content, status: "published" })).data.id;
  await make("tea", "[gone](nowhere.md)\n");
  const gone = await make("coffee", "Black.\n");
  await server.api("DELETE", `/pages/${gone}`);

  await open(ann, server, "links");
  await ann.getByRole("link", { name: "tea", exact: true }).waitFor();
  await open(ann, server, "deleted");
  await button(ann, "Restore coffee").click();
  await ann.getByText("Restored:").waitFor();

  await open(ann, server, "redirects");
  await button(ann, "New redirect").click();
  await dialog(ann).getByLabel("From").fill("/old");
  await dialog(ann).getByLabel("To").fill("/tea");
  await button(dialog(ann), "Save").click();
  await ann.getByRole("cell", { name: "/old", exact: true }).waitFor();
  assert.equal((await fetch(`${server.url}/docs/old`, { redirect: "manual" })).status, 308);
  await button(ann, "New redirect").click();
  await dialog(ann).getByLabel("From").fill("/old");
  await dialog(ann).getByLabel("To").fill("/coffee");
  await button(dialog(ann), "Save").click();
  await dialog(ann).getByText("/old leads somewhere already.").waitFor();
  await button(dialog(ann), "Cancel").click();
  assert.deepEqual((await server.api("GET", "/redirects")).data.data.map((r) => r.to), ["/tea"]);

  await open(ann, server, "exports");
  await button(ann, "New export").click();
  await button(dialog(ann), "Start").click();
  const file = await ann.getByRole("link", { name: "Download" }).getAttribute("href");
  assert.equal((await (await fetch(file)).text()).slice(0, 5), "%PDF-");
  await picture(ann, "manage-exports");

  await open(ann, server, "site");
  await ann.getByLabel("Title").fill("Tea house");
  await ann.getByLabel("Links in the header").fill("Shop | https://shop.example.com/");
  await ann.getByLabel("accent, Light").fill("#8a1a5c");
  await ann.frameLocator("iframe").getByRole("link", { name: "Shop" }).waitFor();
  await picture(ann, "manage-site");
  await button(ann, "Save").click();
  await ann.getByRole("status").filter({ hasText: /^Saved$/ }).waitFor();
  const { data: site } = await server.api("GET", "/site");
  assert.deepEqual([site.title, site.header, site.theme.light], ["Tea house", [{ label: "Shop", href: "https://shop.example.com/" }], { accent: "#8a1a5c" }]);
  await button(ann, "Use the default of accent, Light").click();
  await button(ann, "Save").click();
  await ann.getByRole("status").filter({ hasText: /^Saved$/ }).waitFor();
  assert.deepEqual((await server.api("GET", "/site")).data.theme.light, {});

  // What somebody else has saved meanwhile stays.
  await ann.getByLabel("Title").fill("Tea room");
  await server.api("PATCH", "/site", { theme: { dark: { accent: "#00aa00" } }, description: "All of tea" });
  await button(ann, "Save").click();
  await ann.getByRole("alert").waitFor();
  await button(ann, "Save").click();
  await ann.getByRole("status").filter({ hasText: /^Saved$/ }).waitFor();
  const { data: both } = await server.api("GET", "/site");
  assert.deepEqual([both.title, both.description, both.theme.dark], ["Tea room", "All of tea", { accent: "#00aa00" }]);

  for (const part of ["activity", "audit", "health", "feedback", "queries"]) {
    await open(ann, server, part);
    await ann.locator(".admin-part :is(table, dl, p.muted)").last().waitFor();
    await picture(ann, `manage-${part}`);
  }
});

test("files are uploaded, described, replaced by a proposal, and removed", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  await open(ann, server, "assets");
  const svg = (colour) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="${colour}"/></svg>`);
  await ann.getByLabel("Upload files").last().setInputFiles([
    { name: "red.svg", mimeType: "image/svg+xml", buffer: svg("red") },
    { name: "<i>.txt", mimeType: "text/plain", buffer: Buffer.from("text") },
  ]);
  await ann.getByText("2 of 2 uploaded").waitFor();
  await button(ann, "Actions: red.svg").waitFor();
  await picture(ann, "manage-assets");
  const { data: assets } = await server.api("GET", "/assets");
  const { url } = assets.data.find((a) => a.name === "red.svg");
  const { data: page } = await server.api("POST", "/pages", { title: "Red", slug: "red", content: `![](${new URL(url).pathname})\n`, status: "published" });

  await act(ann, "red.svg", "Describe");
  await dialog(ann).getByLabel("Text in place of the picture").fill("A red square");
  await button(dialog(ann), "Save").click();
  await dialog(ann).waitFor({ state: "detached" });
  await act(ann, "red.svg", "Where it is used");
  await dialog(ann).getByRole("link", { name: "Red" }).waitFor();
  await ann.keyboard.press("Escape");
  await act(ann, "red.svg", "Replace");
  await dialog(ann).getByLabel("New file").setInputFiles({ name: "blue.svg", mimeType: "image/svg+xml", buffer: svg("blue") });
  await button(dialog(ann), "Replace").click();
  await ann.getByRole("heading", { name: "Replace the file red.svg" }).waitFor();
  await button(ann, "Merge").click();
  await ann.getByText("Merged", { exact: true }).waitFor();
  assert.ok(!(await server.api("GET", `/pages/${page.id}`)).data.content.includes(new URL(url).pathname));

  await open(ann, server, "assets");
  await act(ann, "_i_.txt", "Remove");
  await button(dialog(ann), "Remove").click();
  await button(ann, "Actions: _i_.txt").waitFor({ state: "detached" });
});

test("whoever may not is neither shown nor let", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t, { expected: ["403", "Failed to load resource"] });
  await setUp(server, await person());
  const seen = {};
  for (const role of ["contributor", "editor", "reader"]) {
    const context = await person();
    const { data } = await server.api("POST", "/users", { name: role, role, email: `${role}@example.com` });
    const page = await context.newPage();
    await page.goto(data.link);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await Promise.all([page.waitForURL((to) => !to.search.includes("link=")), page.getByRole("button").last().click()]);
    await open(page, server, "");
    seen[role] = await page.getByRole("navigation", { name: "Manage" }).getByRole("link").allTextContents();
    await open(page, server, "people");
    await page.getByText("This is for administrators.").waitFor();
    assert.equal(await button(page, "Invite").count(), 0);
  }
  assert.deepEqual(seen, {
    contributor: ["Activity", "Files", "Broken links", "Exports"],
    editor: ["Activity", "Files", "Broken links", "Deleted pages", "Exports", "Redirects", "Feedback", "Import files"],
    reader: [],
  });
});
