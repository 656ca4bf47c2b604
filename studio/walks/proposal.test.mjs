// A contributor asks for review; an editor reads what changes, and merges it.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, invite, picture, saving, setUp } from "./rig.mjs";

test("a change is proposed by one person and merged by another", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const { data: made } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "Boil water.\n", status: "published" });
  const ben = await invite(server, await person(), "Ben", "contributor");
  await ben.goto(`${server.url}/studio/pages/${made.id}`);
  await content(ben).click();
  await ben.keyboard.press("Control+End");
  await ben.keyboard.type("Wait four minutes.");
  await saving(ben, "Saved");
  assert.equal(await ben.getByRole("button", { name: "Publish" }).count(), 0);
  await ben.getByRole("button", { name: "Ask for review" }).click();
  await ben.getByLabel("What have you changed, and why?").fill("It was too short.");
  await ben.getByRole("checkbox", { name: "Ann" }).check();
  await picture(ben, "ask");
  await ben.getByRole("button", { name: "Send" }).click();
  const link = ben.getByRole("link", { name: "Open the proposal" });
  await link.waitFor();
  const address = await link.getAttribute("href");

  await ann.goto(server.url + address);
  await ann.getByText("Wait four minutes.").waitFor();
  await picture(ann, "proposal");
  await ann.getByRole("button", { name: "Merge" }).click();
  await ann.getByText("Merged", { exact: true }).waitFor();
  const { data: page } = await server.api("GET", `/pages/${made.id}`);
  assert.equal(page.content, "Boil water.\nWait four minutes.");
});
