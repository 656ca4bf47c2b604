// axe finds nothing on the screens for those who run the site.
import assert from "node:assert/strict";
import test from "node:test";
import { Eye } from "./eye.mjs";
import { Server, browse, setUp } from "./rig.mjs";

const hostile = `<img src=x onerror=alert(1)> "'&\u202e`;

test("axe finds nothing where the site is run", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t);
  const page = await setUp(server, await person());
  const { data: made } = await server.api("POST", "/pages", { title: hostile, slug: "odd", content: `[gone](nowhere.md)\n`, status: "published" });
  const { data: gone } = await server.api("POST", "/pages", { title: hostile, slug: "gone", content: "", status: "draft" });
  await server.api("DELETE", `/pages/${gone.id}`);
  await server.api("POST", "/users", { email: "ben@example.com", name: hostile.replace("\u202e", ""), role: "editor" });
  await server.api("POST", "/api-keys", { name: "Build", scopes: ["pages:read"] });
  await server.api("POST", "/clients", { name: "Board", redirectUris: ["http://localhost:9/"], public: true });
  await server.api("POST", "/webhooks", { url: "https://example.com/hook", types: ["page.published"], disabled: true, description: "What <b>is</b> said" });
  await server.api("POST", "/redirects", { from: "/old", to: "/odd" });
  await server.api("PATCH", "/site", { feedback: true, banner: { text: hostile.replace("\u202e", ""), href: "", kind: "info" } });
  const eye = new Eye();
  const button = (name) => page.getByRole("button", { name, exact: true });
  const parts = ["activity", "assets", "links", "deleted", "exports", "redirects", "feedback", "queries", "site", "people", "keys", "applications", "webhooks", "audit", "health"];
  for (const part of parts) {
    await page.goto(`${server.url}/studio/manage/${part}`);
    await page.locator(".admin-part :is(table, dl, ul, form, p.muted + p.muted, p.muted)").last().waitFor();
    await page.waitForLoadState("networkidle");
    await eye.look(page, `manage-${part}`);
  }
  for (const [part, name] of [["people", "Invite"], ["keys", "New key"], ["applications", "New application"], ["webhooks", "New webhook"], ["exports", "New export"], ["redirects", "New redirect"]]) {
    await page.goto(`${server.url}/studio/manage/${part}`);
    await button(name).click();
    await page.getByRole("dialog").waitFor();
    await eye.look(page, `manage-${part}-form`);
  }
  await page.goto(`${server.url}/studio/manage/people`);
  await button(`Actions: ${hostile.replace("\u202e", "")}`).click();
  await eye.look(page, "manage-menu", [1440]);
  await page.goto(`${server.url}/studio/manage/redirects`);
  await button("Actions: /old").click();
  await page.getByRole("menuitem", { name: "Remove", exact: true }).click();
  await eye.look(page, "manage-remove");
  await page.goto(`${server.url}/studio/manage/nothing`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await eye.look(page, "manage-unknown");
  assert.ok(made.id);
  assert.deepEqual(eye.faults, []);
});
