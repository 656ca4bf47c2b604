// What is typed after a text came from elsewhere stays, and so does what colleagues wrote.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, saving, setUp } from "./rig.mjs";

async function open(t, page = {}, o = {}) {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t, { expected: ["409 (Conflict)"], ...o });
  const context = await person();
  const ann = await setUp(server, context);
  const { data } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "one\n\ntwo\n\nthree\n", status: "published", ...page });
  await ann.goto(`${server.url}/studio/pages/${data.id}`);
  await content(ann).waitFor();
  return { server, context, ann, id: data.id };
}

async function type(page, text) {
  await content(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

/** Holds that what is typed now is there once it was saved, and after the page is opened anew. */
async function stays(page, text) {
  await type(page, text);
  await saving(page, "Saved");
  await page.waitForTimeout(1200); // the text is read again at the next pause
  await content(page).getByText(text).waitFor();
  await page.reload();
  await content(page).getByText(text).waitFor();
}

test("after a draft was discarded", async (t) => {
  const { ann } = await open(t);
  await type(ann, "gone");
  await saving(ann, "Saved");
  await ann.getByRole("button", { name: "Discard" }).click();
  await ann.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await content(ann).getByText("gone").waitFor({ state: "detached" });
  await stays(ann, "here to stay");
});

test("after a publish that took in what a colleague wrote", async (t) => {
  const { server, ann, id } = await open(t);
  await type(ann, "mine");
  await saving(ann, "Saved");
  await server.api("PATCH", `/pages/${id}`, { content: "uno\n\ntwo\n\nthree\n" });
  await ann.getByRole("button", { name: "Publish" }).click();
  await content(ann).getByText("uno").waitFor();
  await stays(ann, "here to stay");
});

test("after another tab wrote, and while a conflict stood", async (t) => {
  const { server, ann, id } = await open(t, { frontmatter: { description: "Old", tags: ["x"] } });
  await type(ann, "mine");
  await ann.getByRole("tab", { name: "Front matter" }).click();
  await ann.getByRole("textbox", { name: "Description" }).fill("My description");
  await saving(ann, "Saved");
  await server.api("PATCH", `/pages/${id}`, { content: "one\n\ntwo\n\nthree\ntheirs\n" });
  await server.api("PUT", `/pages/${id}`, { title: "Tea", slug: "tea", status: "published", content: "one\n\ntwo\n\nthree\ntheirs\n", frontmatter: { description: "Old", tags: ["x", "y"], owner: "Ben" } });
  await ann.getByRole("button", { name: "Publish" }).click();
  await ann.getByRole("button", { name: "Cancel and keep both" }).click();
  await type(ann, "\nwritten meanwhile");
  await ann.getByRole("button", { name: "Resolve the conflict" }).click();
  await ann.getByRole("button", { name: "Take both" }).click();
  await ann.getByRole("button", { name: "Merge" }).click();
  await saving(ann, "Saved");
  await ann.getByRole("button", { name: "Publish" }).click();
  await ann.getByText("The page is published.").waitFor();
  const { data } = await server.api("GET", `/pages/${id}`);
  for (const text of ["mine", "theirs", "written meanwhile"]) assert.ok(data.content.includes(text), data.content);
  assert.deepEqual(data.frontmatter, { description: "My description", tags: ["x", "y"], owner: "Ben" });
  await stays(ann, "here to stay");
});

test("a revision does not take the place of a draft without asking", async (t) => {
  const { server, ann, id } = await open(t);
  await server.api("PATCH", `/pages/${id}`, { content: "second\n" });
  await ann.reload();
  await type(ann, "hours of work");
  await saving(ann, "Saved");
  await ann.getByRole("link", { name: "History" }).click();
  await ann.getByRole("button", { name: "Restore" }).click();
  await ann.getByRole("button", { name: "Restore as draft" }).click();
  await ann.getByText("takes its place").waitFor();
  await ann.getByRole("button", { name: "Cancel" }).last().click();
  await ann.goto(`${server.url}/studio/pages/${id}`);
  await content(ann).getByText("hours of work").waitFor();
});
