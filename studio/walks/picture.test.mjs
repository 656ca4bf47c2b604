// A picture that is pasted shows at once, and stays when the page is published.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, invite, picture, saving, setUp } from "./rig.mjs";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function paste(page) {
  await page.getByRole("textbox", { name: "Title" }).fill("Pictures");
  await content(page).click();
  await page.keyboard.type("Before ");
  await page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "dot.png", { type: "image/png" }));
    document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, dot);
  await page.getByRole("textbox", { name: "What does the picture show?" }).fill("A dot");
  await page.keyboard.press("Enter");
  await content(page).getByText(/!\[A dot\]\(\/files\/[^?)]+\)/).waitFor();
  const shown = page.frameLocator('iframe[title="Preview"]').locator('img[alt="A dot"]');
  await shown.waitFor();
  await page.waitForFunction(() => document.querySelector('iframe[title="Preview"]').contentDocument.querySelector("img").naturalWidth === 1);
  await saving(page, "Saved");
  return shown;
}

test("a picture is pasted, described and published", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t);
  const page = await setUp(server, await person());
  await page.goto(server.url + "/studio/new");
  await paste(page);
  await picture(page, "picture");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.waitForURL("**/studio/pages/page_*");
  const html = await (await fetch(server.url + "/docs/pictures")).text();
  const address = /<img[^>]*alt="A dot"[^>]*>/.exec(html)?.[0].match(/src="([^"]+)"/)?.[1];
  const file = await fetch(new URL(address, server.url));
  assert.equal(file.status, 200, address);
  assert.equal(file.headers.get("Content-Type"), "image/png");
});

test("whoever proposes sees a picture that nobody else sees yet", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t, { expected: ["404 (Not Found)"] }); // the browser asks without the token first
  await setUp(server, await person());
  const page = await invite(server, await person(), "Ben", "contributor");
  await page.goto(server.url + "/studio/new");
  const shown = await paste(page);
  assert.match(await shown.getAttribute("src"), /^blob:/);
});
