// The frame around the screens: its tree, palette, menus and session, by keys and by names.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, password, setUp } from "./rig.mjs";

const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim());
const onHeading = (page) => page.waitForFunction(() => document.activeElement.tagName === "H1");
const item = (page, name) => page.getByRole("treeitem", { name, exact: true });

async function pagesOf(server) {
  const made = {};
  for (const [title, parent] of [["Guide"], ["Install", "Guide"], ["Upgrade", "Guide"], ["Größe", "Upgrade"], ["Reference"]]) {
    const slug = title.toLowerCase().replace("ö", "oe").replace("ß", "ss");
    made[title] = (await server.api("POST", "/pages", { title, slug, content: `# ${title}\n\nOf ${title}.\n`, status: title === "Reference" ? "draft" : "published" })).data;
    if (parent) await server.api("POST", `/pages/${made[title].id}/move`, { parentId: made[parent].id });
  }
  return made;
}

test("the tree, the palette and the menus are worked by keys", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const made = await pagesOf(server);
  const { person } = await browse(t);
  const page = await setUp(server, await person());
  await item(page, "Guide").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(page), "Install");
  await page.keyboard.press("*");
  await page.keyboard.type("gr");
  assert.equal(await focused(page), "Größe");
  assert.equal(await item(page, "Größe").getAttribute("aria-level"), "3");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await item(page, "Upgrade").getAttribute("aria-expanded"), "true");
  await page.keyboard.press("ArrowLeft");
  await item(page, "Größe").waitFor({ state: "detached" });
  await page.keyboard.press("End");
  assert.match(await focused(page), /^Reference\s*Draft$/);

  await page.getByRole("searchbox", { name: "Filter pages" }).fill("GROSSE");
  await page.getByText("1 page found").waitFor();
  assert.deepEqual(await page.getByRole("treeitem").allTextContents(), ["Guide", "Upgrade", "Größe"]);
  await item(page, "Größe").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/studio/pages/${made["Größe"].id}`);
  await page.waitForFunction(() => document.title === "Größe · Octavo Studio");
  assert.equal(await item(page, "Größe").getAttribute("aria-current"), "page");

  await content(page).click();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: "Search or run a command" });
  await box.waitFor();
  assert.equal(await page.getByRole("listbox", { name: "Results" }).getByRole("group").first().getAttribute("aria-label"), "Recent pages");
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  assert.ok(await content(page).evaluate((el) => el === document.activeElement));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("inst");
  assert.match(await page.getByRole("option", { selected: true }).textContent(), /^Install/);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/studio/pages/${made.Install.id}`);
  await onHeading(page);

  await page.getByRole("button", { name: "Account: Ann" }).focus();
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(page), "Sign out");
  await page.keyboard.press("Escape");
  assert.equal(await focused(page), "Account: Ann");
  await page.getByRole("link", { name: "Octavo Studio" }).click();
  await onHeading(page);
  assert.equal(await focused(page), "Welcome, Ann");
});

test("a screen stays when the session ends, and goes on when it is back", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const made = await pagesOf(server);
  const { person } = await browse(t, { expected: ["401"] });
  const context = await person();
  const page = await setUp(server, context);
  await page.goto(`${server.url}/studio/pages/${made.Install.id}`);
  await content(page).click();
  const other = await context.newPage();
  await other.goto(server.url + "/studio");
  await other.getByRole("button", { name: "Account: Ann" }).click();
  await other.getByRole("menuitem", { name: "Sign out" }).click();
  await other.getByRole("link", { name: "Sign in" }).waitFor();
  await page.getByText("You have been signed out.").waitFor();
  await page.keyboard.type("Kept. ");
  const [login] = await Promise.all([context.waitForEvent("page"), page.locator(".bar").getByRole("link", { name: "Sign in" }).click()]);
  await login.getByLabel("E-mail address").fill("ann@example.com");
  await login.getByLabel("Password").fill(password);
  await login.keyboard.press("Enter");
  await login.getByRole("heading", { name: "You are signed in" }).waitFor();
  await page.getByText("You have been signed out.").waitFor({ state: "detached" });
  assert.match(await content(page).textContent(), /Kept\. /);
  await other.getByRole("heading", { name: "Welcome, Ann" }).waitFor();
});

test("whoever may only read is told so, and whom to ask", async (t) => {
  const server = await Server.start(t, "--site", "public");
  await pagesOf(server);
  const { person } = await browse(t);
  const { data } = await server.api("POST", "/users", { name: "Rita", role: "reader", email: "rita@example.com" });
  const page = await (await person()).newPage();
  await page.goto(data.link);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button").last().click();
  await page.waitForURL((url) => !url.search.includes("link="));
  await page.goto(server.url + "/studio");
  await page.getByRole("heading", { name: "You can read here, but not write" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "New page" }).count(), 0);
});
