// Two who write the same page: conflicts, tabs of one person, and asking for review.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, invite, picture, readAs, saving, setUp } from "./rig.mjs";

const tea = "# Tea\n\nBoil water.\n\nThe end.\n";

async function teaPage(server) {
  const { data } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: tea, status: "published" });
  return data.id;
}

const open = async (server, page, id) => {
  await page.goto(`${server.url}/studio/pages/${id}`);
  await content(page).getByText("The end.").waitFor();
};

/** Puts the caret behind a line of the text, as a click does. */
async function behind(page, line) {
  await content(page).getByText(line, { exact: true }).click();
  await page.keyboard.press("End");
}

const button = (page, name) => page.getByRole("button", { name, exact: true });
const textOf = async (server, id) => (await server.api("GET", `/pages/${id}`)).data.content;

test("a line that two have changed is decided on before it is published", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const id = await teaPage(server);
  const { person } = await browse(t, { expected: ["409"] });
  const page = await setUp(server, await person());
  await open(server, page, id);
  await behind(page, "Boil water.");
  await page.keyboard.type(" Ann waits.");
  await behind(page, "The end.");
  await page.keyboard.type(" Ann drinks.");
  await saving(page, "Saved");
  const beside = tea.replace("Boil water.", "Boil water. Ben stirs.").replace("# Tea", "# Green tea");
  await server.api("PATCH", `/pages/${id}`, { content: beside });
  await button(page, "Publish").click();
  await saving(page, "Conflict");
  assert.equal(await textOf(server, id), beside);

  const merge = page.getByRole("region", { name: "Merge two versions" });
  for (const [name, text] of [["Mine", "Boil water. Ann waits."], ["Before", "Boil water."], ["Theirs", "Boil water. Ben stirs."]]) {
    assert.equal((await merge.getByRole("group", { name, exact: true }).textContent()).trim(), text);
  }
  await picture(page, "conflict");
  await button(page, "Cancel and keep both").click();
  await saving(page, "Conflict");
  await button(page, "Resolve the conflict").click();
  await button(page, "Merge").click();
  await page.getByRole("alert").filter({ hasText: "The conflict at line 3 is not decided yet" }).waitFor();
  await button(page, "Take both").click();
  await page.getByText("All conflicts are decided").waitFor();
  await button(page, "Merge").click();
  await saving(page, "Saved");
  assert.equal(await textOf(server, id), beside, "nothing is published yet");
  await button(page, "Publish").click();
  await page.getByText("The page is published.").waitFor();
  assert.equal(await textOf(server, id), "# Green tea\n\nBoil water. Ann waits.\nBoil water. Ben stirs.\n\nThe end. Ann drinks.\n");
  const { data } = (await server.api("GET", `/pages/${id}/revisions`)).data;
  assert.equal(data.length, 3);
});

test("two tabs of one person write one draft", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const id = await teaPage(server);
  const { person } = await browse(t, { expected: ["409", "412"] });
  const context = await person();
  const one = await setUp(server, context);
  await open(server, one, id);
  const two = await context.newPage();
  await open(server, two, id);
  await behind(two, "Boil water.");
  await two.keyboard.type(" Second tab.");
  await saving(two, "Saved");

  // Whoever comes back to the other tab finds it there.
  await one.bringToFront();
  await one.evaluate(() => dispatchEvent(new Event("focus")));
  await content(one).getByText("Second tab.").waitFor();
  await behind(one, "The end.");
  await one.keyboard.type(" First tab.");
  await saving(one, "Saved");
  const { data: drafts } = await readAs(server, context, "/proposals?origin=studio&status=draft");
  assert.equal(drafts.length, 1);

  // Whoever does not look, and writes the same line, is asked.
  await behind(two, "Boil water. Second tab.");
  await two.keyboard.type(" Again.");
  await saving(two, "Conflict");
  await button(two, "Resolve the conflict").click();
  await two.getByText("There are no conflicts. The changes of both are in the text.").waitFor();
  await button(two, "Merge").click();
  await saving(two, "Saved");
  await button(two, "Publish").click();
  await two.getByText("The page is published.").waitFor();
  assert.equal(await textOf(server, id), "# Tea\n\nBoil water. Second tab. Again.\n\nThe end. First tab.\n");
  await one.evaluate(() => dispatchEvent(new Event("focus")));
  await content(one).getByText("Again.").waitFor();
  await saving(one, "Saved");
  await one.getByRole("button", { name: "Publish", disabled: true }).waitFor();
});

test("a contributor asks for review, and an editor finds it", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const id = await teaPage(server);
  const { person } = await browse(t);
  await setUp(server, await person());
  const page = await invite(server, await person(), "Carla", "contributor");
  await page.getByText("You can suggest changes.").waitFor();
  await open(server, page, id);
  assert.equal(await button(page, "Publish").count(), 0);
  await behind(page, "Boil water.");
  await page.keyboard.type(" Carla asks.");
  await button(page, "Ask for review").click();
  await page.getByLabel("What have you changed, and why?").fill("One more step");
  await picture(page, "ask");
  const people = page.getByRole("dialog").getByRole("checkbox", { name: "Ann" });
  if (await people.count()) await people.check();
  await button(page, "Send").click();
  await page.getByText("Review is asked for.").waitFor();
  await picture(page, "asked");
  const { data } = (await server.api("GET", "/proposals?status=open")).data;
  assert.equal(data.length, 1);
  assert.equal(data[0].description, "One more step");
  assert.equal(data[0].author.name, "Carla");
  await server.api("POST", `/proposals/${data[0].id}/merge`, undefined, { "If-Match": (await server.api("GET", `/proposals/${data[0].id}`)).etag });
  assert.equal(await textOf(server, id), tea.replace("Boil water.", "Boil water. Carla asks."));
});
