// What an answer was lost for is not made twice; nobody approves what they have not read;
// what was typed is there again after Back; what is final is asked first.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, setUp } from "./rig.mjs";

const button = (page, name) => page.getByRole("button", { name, exact: true });
const dialog = (page) => page.getByRole("dialog");

/** Has the server hear the next request to a path, and loses its answer. */
async function loseAnswer(page, path) {
  let lost = false;
  await page.route((url) => url.pathname === `/v1${path}`, async (route) => {
    if (lost || route.request().method() !== "POST") return route.continue();
    lost = true;
    await route.fetch();
    await route.abort();
  });
}

test("what an answer was lost for is not made twice", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t, { expected: ["ERR_FAILED"] });
  const ann = await setUp(server, await person());
  const { data: page } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "Hot.\n", status: "published" });
  const { data: proposal } = await server.api("POST", "/proposals", { title: "Colder", changes: [{ op: "update", pageId: page.id, content: "Cold.\n" }] });
  const count = async (path) => (await server.api("GET", path)).data.data.length;

  await ann.goto(`${server.url}/studio/manage/exports`);
  await button(ann, "New export").click();
  await dialog(ann).getByLabel("Format").selectOption({ index: 2 });
  await loseAnswer(ann, "/exports");
  await button(dialog(ann), "Start").click();
  await dialog(ann).getByRole("alert").waitFor();
  await button(dialog(ann), "Start").click();
  await dialog(ann).waitFor({ state: "detached" });
  await ann.getByRole("link", { name: "Download" }).waitFor();
  assert.equal(await ann.locator("tbody tr").count(), 1);

  for (const [part, open, path, fill, told] of [
    ["keys", "New key", "/api-keys", { Name: "Build" }, "Build was made, but"],
    ["webhooks", "New webhook", "/webhooks", { Address: "https://example.com/hook" }, "https://example.com/hook was made, but"],
    ["applications", "New application", "/clients", { Name: "Board", "Redirect URIs": "http://localhost:9/" }, "Board was made, but"],
    ["people", "Invite", "/users", { "E-mail address": "ben@example.com", Name: "Ben" }, "Ben was invited, but"],
  ]) {
    await ann.goto(`${server.url}/studio/manage/${part}`);
    await ann.locator("main :is(table, p.muted)").last().waitFor();
    const before = await count(path);
    await button(ann, open).click();
    for (const [label, text] of Object.entries(fill)) await dialog(ann).getByLabel(label).fill(text);
    await loseAnswer(ann, path);
    const send = dialog(ann).locator(".dialog-foot .primary");
    await send.click();
    await dialog(ann).getByRole("alert").waitFor();
    await send.click();
    await dialog(ann).getByText(told).waitFor();
    assert.equal(await count(path), before + 1, path);
  }

  await ann.goto(`${server.url}/studio/proposals/${proposal.id}`);
  await ann.getByLabel("Comment", { exact: true }).fill("Once.");
  await loseAnswer(ann, `/proposals/${proposal.id}/comments`);
  await button(ann.locator(".review-talk"), "Send").click();
  await ann.locator(".review-talk").getByRole("alert").waitFor();
  await button(ann.locator(".review-talk"), "Send").click();
  await ann.getByRole("article", { name: "Comment by Ann" }).waitFor();
  assert.equal(await count(`/proposals/${proposal.id}/comments`), 1);

  await button(ann, "Delete").click();
  await dialog(ann).getByRole("heading", { name: "Remove Comment by Ann?" }).waitFor();
  await button(dialog(ann), "Cancel").click();
  assert.equal(await count(`/proposals/${proposal.id}/comments`), 1);
  await button(ann, "Delete").click();
  await button(dialog(ann), "Remove").click();
  await ann.getByRole("article", { name: "Comment by Ann" }).waitFor({ state: "detached" });
  assert.notEqual(await ann.evaluate(() => document.activeElement.tagName), "BODY");
});

test("nobody approves what changes in that moment, and what was typed is there after Back", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t, { expected: ["412"] });
  const ann = await setUp(server, await person());
  const { data: page } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "Hot.\n", status: "published" });
  const { data: proposal } = await server.api("POST", "/proposals", { title: "Colder", changes: [{ op: "update", pageId: page.id, content: "Cold.\n" }] });
  await ann.goto(`${server.url}/studio/proposals`);
  await ann.getByRole("link", { name: "Colder" }).click();
  await ann.getByText("Cold.").first().waitFor();

  const reviews = `/proposals/${proposal.id}/reviews`;
  let changed = false;
  await ann.route(`**/v1${reviews}`, async (route) => {
    if (changed || route.request().method() !== "POST") return route.continue();
    changed = true;
    await server.api("PUT", `/proposals/${proposal.id}/changes/${proposal.changes[0].id}`, { op: "update", pageId: page.id, baseRevision: 1, content: "Poison.\n" }, { "If-Match": "*" });
    await route.continue();
  });
  await button(ann, "Approve").click();
  await ann.getByText("The proposal has changed since you read it.").waitFor();
  await ann.getByText("Poison.").first().waitFor();
  assert.deepEqual((await server.api("GET", reviews)).data.data, []);
  await button(ann, "Approve").click();
  await ann.getByText("Approved").waitFor();

  await ann.getByLabel("Line", { exact: true }).fill("1");
  await button(ann, "Comment on this line").click();
  await ann.getByLabel("Comment on line 1").fill("Really?");
  await ann.getByLabel("Your review").fill("Think of it.");
  ann.on("dialog", (d) => d.accept());
  await ann.goBack();
  await ann.getByRole("heading", { level: 1, name: "Proposals" }).waitFor();
  await ann.getByRole("link", { name: "Colder" }).click();
  await ann.getByLabel("Comment on line 1").waitFor();
  assert.equal(await ann.getByLabel("Comment on line 1").inputValue(), "Really?");
  assert.equal(await ann.getByLabel("Your review").inputValue(), "Think of it.");
  await button(ann.locator(".review-change"), "Send").click();
  await ann.getByRole("article", { name: "Comment by Ann" }).waitFor();
  await ann.getByLabel("Your review").fill("");
  await ann.reload();
  await ann.getByRole("article", { name: "Comment by Ann" }).waitFor();
  assert.equal(await ann.getByLabel("Comment on line 1").count(), 0);
  assert.equal(await ann.getByLabel("Your review").inputValue(), "");
});
