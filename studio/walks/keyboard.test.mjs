// From the set-up link to the first published page without a mouse, and what is read out.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, password, picture } from "./rig.mjs";

/** A person who uses keys alone, and what they are told of all that takes the focus. */
class Keys {
  heard = [];

  constructor(t, page, session) {
    Object.assign(this, { t, page, session });
  }

  /** Role and name of what has the focus, from the tree that screen readers use. */
  async focus() {
    const { result } = await this.session.send("Runtime.evaluate", { expression: "document.activeElement" });
    const { nodes } = await this.session.send("Accessibility.getPartialAXTree", { objectId: result.objectId, fetchRelatives: false });
    const said = `${nodes[0].role?.value} “${nodes[0].name?.value ?? ""}”`;
    if (said !== this.heard.at(-1)) this.heard.push(said);
    return said;
  }

  /** Where the focus is can be seen: by a ring around it or around what holds it, or by a caret. */
  async visible(said) {
    const seen = await this.page.evaluate(() => {
      const at = document.activeElement;
      if (at.tagName === "IFRAME" || at.closest(".cm-editor")?.querySelector(".cm-cursor")) return true;
      const drawn = (e) => {
        const s = e && getComputedStyle(e);
        return s && ((s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== "none");
      };
      const { width, height, right, bottom } = at.getBoundingClientRect();
      return (drawn(at) || drawn(at.parentElement)) && width > 1 && height > 1 && right > 0 && bottom > 0;
    });
    assert.ok(seen, `the focus on ${said} cannot be seen`);
  }

  /** Presses Tab until something of this role and name has the focus. */
  async to(role, name, key = "Tab") {
    const passed = [];
    for (let n = 0; n < 60; n++) {
      await this.page.keyboard.press(key);
      const said = await this.focus();
      passed.push(said);
      if (said.startsWith("RootWebArea") || said.startsWith("none")) continue; // the browser's own bars
      if (said.startsWith("Iframe")) continue;
      await this.visible(said);
      assert.doesNotMatch(said, /“”$/, `${said} has no name`);
      if (said === `${role} “${name}”`) return;
    }
    assert.fail(`${key} never comes to ${role} “${name}”, but to ${passed.join(", ")}`);
  }

  async fill(name, text) {
    await this.to("textbox", name);
    await this.page.keyboard.type(text);
  }
}

test("the first page is published by keys alone, and all of it is read out", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t);
  const context = await person();
  const page = await context.newPage();
  const keys = new Keys(t, page, await context.newCDPSession(page));
  const { keyboard } = page;
  await page.goto(server.url + server.link);
  await page.evaluate(() => document.activeElement.blur());
  await keys.fill("Your name", "Ann");
  await keys.fill("E-mail address", "ann@example.com");
  await keys.fill("Password", password);
  await keyboard.press("Enter");
  await page.waitForURL("**/studio");
  await page.getByRole("heading", { name: "Welcome, Ann" }).waitFor();

  // The frame: the first stop leads past it.
  await keys.to("link", "Skip to the content");
  await keys.to("link", "Octavo Studio");
  await keys.to("button", "Search or run a command Ctrl K");
  await keys.to("link", "New page");
  await keys.to("button", "Account: Ann");
  await keys.to("searchbox", "Filter pages");
  await keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  assert.equal(await keys.focus(), "combobox “Search or run a command”");
  await keyboard.type("new pa");
  await page.getByRole("option", { name: "New page", selected: true }).waitFor();
  await keyboard.press("Enter");
  await page.waitForURL("**/studio/new*");

  // The page. The state of saving is told when it changes.
  await page.getByRole("textbox", { name: "Content" }).waitFor();
  const states = () => page.evaluate(() => globalThis.states);
  await page.evaluate(() => {
    const state = document.querySelector(".saving");
    globalThis.states = [state.textContent];
    new MutationObserver(() => states.at(-1) !== state.textContent && states.push(state.textContent)).observe(state, { characterData: true, childList: true, subtree: true });
  });
  await keys.fill("Title", "Brewing tea");
  await page.waitForFunction(() => globalThis.states.at(-1) === "Saved");
  assert.deepEqual((await states()).slice(-2), ["Saving", "Saved"]);
  const { nodes } = await keys.session.send("Accessibility.getFullAXTree");
  const status = nodes.find((n) => n.role?.value === "status" && !n.ignored);
  assert.equal(status.properties.find((p) => p.name === "live").value.value, "polite");

  await keys.to("textbox", "Content");
  await keyboard.type("## Water");
  await keyboard.press("Enter");
  await keyboard.press("Enter");
  await keyboard.type("Boil ");
  await keyboard.press("Control+b");
  await keyboard.type("fresh");
  await keyboard.press("Control+b");
  await keyboard.type(" water.");
  await keyboard.press("Enter");
  await keyboard.press("Enter");
  await keyboard.type("/note");
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  await picture(page, "keyboard-slash");
  await keyboard.press("Escape");
  for (const _ of "/note") await keyboard.press("Backspace");
  await page.waitForFunction(() => globalThis.states.at(-1) === "Saved");
  await keyboard.press("Escape");
  await keys.to("tab", "Outline");
  await keyboard.press("ArrowRight");
  assert.equal(await keys.focus(), "tab “Details”");
  await keys.to("textbox", "Address");
  await keys.to("button", "Publish", "Shift+Tab");
  await keyboard.press("Enter");
  await page.waitForURL("**/studio/pages/page_*");
  await page.getByText("The page is published.").waitFor();
  assert.equal(await keys.focus(), "button “Publish”");
  await picture(page, "keyboard-published");
  for (const said of keys.heard) t.diagnostic(said);
  const read = await fetch(server.url + "/docs/brewing-tea");
  assert.match(await read.text(), /Boil <strong>fresh<\/strong> water\./);
});
