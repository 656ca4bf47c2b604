// The history of a page: comparing revisions, and bringing one back.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, picture, setUp } from "./rig.mjs";

const before = "# Tea\n\nBoil water.\n\nThe end.\n";
const later = "# Tea\r\n\r\nBoil *fresh* water.\r\n\r\nLet it rest.\r\n\r\nThe end.\r\n";

async function teaPage(server) {
  const { data } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: before, status: "published" });
  await server.api("PATCH", `/pages/${data.id}`, { content: later, title: "Green tea" });
  return data.id;
}

const revision = (page, n) => page.getByRole("button", { name: `Revision ${n}` });
const restore = (page) => page.getByRole("button", { name: "Restore", exact: true });

test("revisions are compared as text and as readers see them", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const id = await teaPage(server);
  const { person } = await browse(t);
  const page = await setUp(server, await person());
  await page.goto(`${server.url}/studio/pages/${id}/history`);
  await page.getByRole("heading", { name: "Revision 2 compared with Revision 1" }).waitFor();
  await page.getByRole("row", { name: "Title Tea Green tea" }).waitFor();
  await page.getByText("Lines also end differently: LF and CRLF.").waitFor();
  assert.match(await page.getByRole("textbox", { name: "Revision 2" }).textContent(), /Boil \*fresh\* water/);
  await picture(page, "history");
  await page.getByRole("radio", { name: "Rendered" }).check();
  await page.getByText("Blocks changed: 1, added: 1, removed: 0").waitFor();
  await page.frameLocator('iframe[title="Revision 2"]').locator(".mark-added", { hasText: "Let it rest." }).waitFor();
  await page.frameLocator('iframe[title="Revision 1"]').locator(".mark-changed", { hasText: "Boil water." }).waitFor();
  await picture(page, "history-rendered");
});

test("a revision comes back as a draft, or at once", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const id = await teaPage(server);
  const { person } = await browse(t, { expected: ["409"] });
  const page = await setUp(server, await person());
  const look = () => page.goto(`${server.url}/studio/pages/${id}/history`);
  await look();
  await revision(page, 1).click();
  await restore(page).click();
  await page.getByRole("button", { name: "Restore as draft" }).click();
  await page.getByText("The text of revision 1 is in your draft.").waitFor();
  assert.equal((await server.api("GET", `/pages/${id}`)).data.content, later);
  await page.getByRole("link", { name: "Back to the page" }).click();
  await content(page).getByText("Boil water.").waitFor();

  await server.api("PATCH", "/site", { review: { approvals: 1 } });
  await look();
  await revision(page, 1).click();
  await restore(page).click();
  await page.getByRole("button", { name: "Restore now" }).click();
  await page.getByText("takes its place").waitFor(); // of the draft from before
  await restore(page.getByRole("dialog")).click();
  await page.getByText("Changes are reviewed here").waitFor();
  assert.equal((await server.api("GET", `/pages/${id}`)).data.content, later);

  await server.api("PATCH", "/site", { review: { approvals: 0 } });
  await restore(page).click();
  await page.getByRole("button", { name: "Restore now" }).click();
  await page.getByText("Revision 1 is the present text again.").waitFor();
  await revision(page, 3).waitFor();
  assert.equal((await server.api("GET", `/pages/${id}`)).data.content, before);
});

test("a page that was deleted comes back", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const id = await teaPage(server);
  await server.api("DELETE", `/pages/${id}`);
  const { person } = await browse(t, { expected: ["404"] });
  const page = await setUp(server, await person());
  await page.goto(`${server.url}/studio/pages/${id}/history`);
  await page.getByText(/This page was deleted/).waitFor();
  await restore(page).click();
  await page.getByText("The page is back.").waitFor();
  assert.equal((await server.api("GET", `/pages/${id}`)).data.title, "Green tea");
});
