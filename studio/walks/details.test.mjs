// The form beside the text: when a page is published, where it is, and deleting it.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, saving, setUp } from "./rig.mjs";

test("a page is scheduled, moved, renamed, deleted and restored by the form", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t, { expected: ["404"] });
  const page = await setUp(server, await person());
  const { data: guide } = await server.api("POST", "/pages", { title: "Guide", slug: "guide", content: "x\n", status: "published" });
  const { data: tea } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "Boil water.\n", status: "draft" });
  await page.goto(`${server.url}/studio/pages/${tea.id}`);
  await content(page).waitFor();
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("textbox", { name: "Address" }).fill("brewing-tea");
  await page.getByRole("combobox", { name: "Page above" }).fill("Guide");
  await page.getByRole("option", { name: /Guide/ }).click();
  await page.getByLabel("Publish at", { exact: true }).fill("2031-05-04T10:30");
  await saving(page, "Saved");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("The draft is saved to the page.").waitFor();
  const { data: now } = await server.api("GET", `/pages/${tea.id}`);
  assert.equal(now.slug, "brewing-tea");
  assert.equal(now.parentId, guide.id);
  assert.equal(now.status, "draft");
  assert.equal(new Date(now.publishAt).getFullYear(), 2031);

  await page.getByRole("button", { name: "Delete page" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Restore" }).click();
  await content(page).getByText("Boil water.").waitFor();
  assert.equal((await server.api("GET", `/pages/${tea.id}`)).data.slug, "brewing-tea");
});
