// axe finds nothing on any screen, in either theme, at either width.
import assert from "node:assert/strict";
import test from "node:test";
import { Eye } from "./eye.mjs";
import { Server, browse, content, invite, picture, saving, setUp } from "./rig.mjs";

const text = `# Tea

Boil *fresh* water, see [below](#gone) and [nothing](nowhere).

## Kinds

| Tea | Minutes |
| --- | ------- |
| Green | 2 |

> [!NOTE]
> Rinse the pot.

- [ ] buy leaves
- green

\`\`\`js
const tea = 1; // comment
\`\`\`
`;
const front = { tags: ["hot"], weight: 3 };

test("axe finds nothing", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const made = {};
  for (const [title, parent, status] of [["Tea", null, "published"], ["Kinds", "Tea", "published"], ["Green", "Kinds", "published"], ["Coffee", null, "draft"]]) {
    const body = { title, slug: title.toLowerCase(), content: text, status, frontmatter: front };
    made[title] = (await server.api("POST", "/pages", body)).data.id;
    if (parent) await server.api("POST", `/pages/${made[title]}/move`, { parentId: made[parent] });
  }
  await server.api("PATCH", `/pages/${made.Tea}`, { content: text.replace("Green | 2", "Green | 3").replace("Rinse", "Warm"), title: "Brewing tea" });
  const { person } = await browse(t, { expected: ["Failed to load resource", "409", "404", "401"] });
  const eye = new Eye();
  const context = await person();
  const out = await (await person()).newPage();
  await out.goto(server.url + "/studio");
  await out.getByRole("link", { name: "Sign in" }).waitFor();
  await eye.look(out, "sign-in");

  const page = await setUp(server, context);
  const { keyboard } = page;
  const button = (name) => page.getByRole("button", { name, exact: true });
  const go = async (path) => {
    await page.goto(server.url + "/studio" + path);
    await page.getByRole("treeitem", { name: "Brewing tea" }).waitFor({ state: "attached" });
  };
  await go("");
  await page.getByText("Recently changed").waitFor();
  await eye.look(page, "home");
  await keyboard.press("Control+k");
  await eye.look(page, "palette-empty");
  await keyboard.type("rinse");
  await page.getByRole("option").first().waitFor();
  await eye.look(page, "palette");
  await keyboard.press("Escape");
  await keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard help" }).waitFor();
  await eye.look(page, "help");
  await keyboard.press("Escape");
  await button("Account: Ann").click();
  await eye.look(page, "account");
  await keyboard.press("Escape");
  await page.getByRole("searchbox", { name: "Filter pages" }).fill("Gr");
  await page.getByText("1 page found").waitFor();
  await eye.look(page, "filter", [1440]);
  await page.getByRole("searchbox", { name: "Filter pages" }).fill("");
  await page.setViewportSize({ width: 390, height: 900 });
  await button("Open the list of pages").click();
  await eye.look(page, "drawer", [390]);
  await page.setViewportSize({ width: 390, height: 900 });
  await button("Open the list of pages").click();
  await keyboard.press("Escape");
  await button("Open the list of pages").and(page.locator(":focus")).waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  await go("/nothing/here");
  await eye.look(page, "unknown");

  // A page, and all that opens beside its text.
  await go(`/pages/${made.Tea}`);
  await content(page).getByText("Kinds").waitFor();
  await page.frameLocator('iframe[title="Preview"]').getByText("Rinse").or(page.frameLocator('iframe[title="Preview"]').getByText("Warm")).first().waitFor();
  await page.getByRole("tab", { name: /Notices \d/ }).waitFor();
  await eye.look(page, "page");
  for (const name of ["Details", "Front matter", "Notices"]) {
    await page.getByRole("tab", { name: new RegExp(name) }).click();
    await page.getByRole("tabpanel").getByText(/Loading/).waitFor({ state: "detached" });
    await eye.look(page, `page-${name}`, [1440]);
  }
  await content(page).click();
  await keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find" }).fill("tea");
  await eye.look(page, "find");
  await keyboard.press("Escape");
  await button("More actions").click();
  await eye.look(page, "more", [1440]);
  await page.getByRole("menuitem", { name: "Unpublish" }).click();
  await page.getByRole("dialog", { name: "Unpublish" }).waitFor();
  await eye.look(page, "unpublish");
  await keyboard.press("Escape");
  await content(page).getByText("green", { exact: false }).last().click();
  await keyboard.press("End");
  await keyboard.press("Enter");
  await keyboard.type("/");
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  await eye.look(page, "slash");
  await keyboard.press("Escape");
  await keyboard.press("Backspace");
  await keyboard.type("mine");
  await saving(page, "Saved");
  await eye.look(page, "changed", [1440]);
  await button("Ask for review").click();
  await page.getByRole("dialog", { name: "Ask for review" }).waitFor();
  await eye.look(page, "ask");
  await keyboard.press("Escape");
  await button("Discard").click();
  await page.getByRole("dialog", { name: "Discard" }).waitFor();
  await eye.look(page, "discard");
  await keyboard.press("Escape");
  await page.getByRole("tab", { name: "Details" }).click();
  await button("Delete page").click();
  await eye.look(page, "delete");
  await button("Delete page").click();

  // A conflict, and the merge view.
  const { data: now } = await server.api("GET", `/pages/${made.Tea}`);
  await server.api("PATCH", `/pages/${made.Tea}`, { content: now.content.replace("- green\n", "- green\n- theirs\n") });
  await button("Publish").click();
  await page.getByRole("region", { name: "Merge two versions" }).waitFor();
  await eye.look(page, "merge");
  await button("Take both").click();
  await eye.look(page, "merge-decided", [1440]);
  await button("Cancel and keep both").click();
  await eye.look(page, "conflict");
  await button("Resolve the conflict").click();
  await button("Take both").click();
  await button("Merge").click();
  await button("Publish").click();
  await page.getByText("The page is published.").waitFor();
  await eye.look(page, "published");

  await go(`/pages/${made.Tea}/history`);
  await page.getByRole("heading", { name: /compared with/ }).waitFor();
  await eye.look(page, "history");
  await page.getByRole("radio", { name: "Rendered" }).check();
  await page.getByText(/Blocks changed/).waitFor();
  await eye.look(page, "history-rendered");
  await page.getByRole("radio", { name: "Unified" }).check();
  await eye.look(page, "history-unified", [1440]);
  await page.getByRole("button", { name: "Revision 1" }).click();
  await button("Restore").click();
  await eye.look(page, "restore", [1440]);

  await go("/new");
  await content(page).waitFor();
  await eye.look(page, "new");
  await go("/pages/page_00000000000000000000000000");
  await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  await eye.look(page, "missing");

  // Deleted, and a proposal of somebody else.
  await go(`/pages/${made.Coffee}`);
  await page.getByRole("tab", { name: "Details" }).click();
  await button("Delete page").click();
  await button("Delete").click();
  await page.getByRole("button", { name: /^Restore/ }).waitFor();
  await eye.look(page, "deleted");
  const carla = await invite(server, await person(), "Carla", "contributor");
  await carla.goto(`${server.url}/studio/pages/${made.Green}`);
  await content(carla).click();
  await carla.keyboard.type("Hers. ");
  await carla.getByRole("button", { name: "Ask for review" }).click();
  await carla.getByRole("button", { name: "Send" }).click();
  const link = carla.getByRole("link", { name: "Open the proposal" });
  await link.waitFor();
  await page.goto(server.url + (await link.getAttribute("href")));
  await page.getByRole("button", { name: "Merge" }).waitFor();
  await eye.look(page, "proposal");

  // Signed out in another tab, while a page is open.
  await go(`/pages/${made.Green}`);
  await content(page).waitFor();
  const other = await context.newPage();
  await other.goto(server.url + "/studio");
  await other.getByRole("button", { name: "Account: Ann" }).click();
  await other.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByText("You have been signed out.").waitFor();
  await eye.look(page, "signed-out");
  t.diagnostic(`${eye.looks} looks`);
  assert.deepEqual(eye.faults, []);
});
