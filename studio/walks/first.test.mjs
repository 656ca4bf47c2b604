// From the set-up link to the first published page, as a person does it.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, picture, saving, setUp } from "./rig.mjs";

test("the first administrator publishes the first page", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t);
  const page = await setUp(server, await person());
  await picture(page, "home-empty");
  await page.getByRole("link", { name: "New page" }).or(page.getByRole("button", { name: "New page" })).first().click();
  await page.getByRole("textbox", { name: "Title" }).fill("Brewing tea");
  await content(page).click();
  await page.keyboard.type("Boil *fresh* water.");
  await saving(page, "Saved");
  await page.frameLocator('iframe[title="Preview"]').locator("em", { hasText: "fresh" }).waitFor();
  await picture(page, "page-new");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.waitForURL("**/studio/pages/page_*");
  await page.getByText("Published", { exact: true }).first().waitFor();
  const read = await fetch(server.url + "/docs/brewing-tea");
  assert.equal(read.status, 200);
  assert.match(await read.text(), /Boil <em>fresh<\/em> water\./);
});
