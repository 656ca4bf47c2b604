// An editor reviews what a contributor proposes: a comment on a line, a suggestion that is
// taken, a conflict that is resolved, approval and merge.
import assert from "node:assert/strict";
import test from "node:test";
import { Eye } from "./eye.mjs";
import { Server, browse, content, invite, picture, readAs, saving, setUp } from "./rig.mjs";

const button = (page, name) => page.getByRole("button", { name, exact: true });

test("review with a suggestion, conflict, approval, merge", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t, { expected: ["Failed to load resource"] });
  const ann = await setUp(server, await person());
  await server.api("PATCH", "/site", { review: { approvals: 1 } });
  const { data: made } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "Boil water.\n\nWait.\n\nDrink.\n", status: "draft" });
  await server.api("PATCH", `/pages/${made.id}`, { status: "published" }, { Prefer: "override-review" });
  const bens = await person();
  const ben = await invite(server, bens, "Ben", "contributor");
  await ben.goto(`${server.url}/studio/pages/${made.id}`);
  await content(ben).click();
  await ben.keyboard.press("Control+End");
  await ben.keyboard.type("Pour milc.");
  await saving(ben, "Saved");
  await button(ben, "Ask for review").click();
  await ben.getByRole("checkbox", { name: "Ann" }).check();
  await button(ben, "Send").click();
  const link = ben.getByRole("link", { name: "Open the proposal" });
  await link.waitFor();
  const address = server.url + (await link.getAttribute("href"));

  await ann.goto(server.url + "/studio/inbox");
  await ann.getByText("Ben asks for your review").waitFor();
  await picture(ann, "review-inbox");
  await button(ann, "Mark all as read").click();
  await button(ann, "Mark all as read").waitFor({ state: "detached" });
  await ann.goto(server.url + "/studio/proposals");
  await ann.getByLabel("To review").check();
  await ann.getByRole("link", { name: /Tea/ }).last().click();
  await ann.getByText("Waits for Ann.").waitFor();
  await ann.getByLabel("Line", { exact: true }).fill("6");
  await button(ann, "Comment on this line").click();
  await ann.getByLabel("Comment on line 6").fill("Milk, please.");
  await button(ann, "Suggest another text").click();
  await ann.getByLabel("Text in place of these lines").fill("Pour milk.");
  await button(ann.locator(".review-change"), "Send").click();
  await ann.getByRole("article", { name: "Comment by Ann" }).waitFor();
  const eye = new Eye();
  await eye.look(ann, "review");
  await ann.getByLabel("Your review").fill("One word.");
  await button(ann, "Request changes").click();
  await ann.getByText("Changes requested").waitFor();
  await picture(ann, "review-requested");

  await ben.goto(address);
  await button(ben, "Take the suggestion").click();
  await ben.getByText("Resolved").first().waitFor();
  await ben.getByText("Pour milk.").first().waitFor();
  assert.equal(await button(ben, "Approve").count(), 0, "nobody approves what is theirs");

  await server.api("PATCH", `/pages/${made.id}`, { content: "Boil water.\n\nWait.\n\nDrink.\n\nWash the cup.\n" }, { Prefer: "override-review" });
  await ann.goto(address);
  assert.equal(await button(ann, "Merge").isDisabled(), true);
  await button(ben, "Reply").waitFor();
  await ben.goto(address);
  await button(ben, "Resolve the conflict").click();
  await button(ben, "Take both").click();
  await picture(ben, "review-conflict");
  await button(ben, "Merge").last().click();
  await button(ben, "Resolve the conflict").waitFor({ state: "detached" });
  await button(ben, "Edit the text").waitFor();

  await ann.goto(address);
  await button(ann, "Approve").click();
  await ann.getByText("It has the approvals that the site asks for: 1 of 1.").waitFor();
  await picture(ann, "review-approved");
  await button(ann, "Merge").click();
  await ann.getByText("Merged", { exact: true }).first().waitFor();
  const page = await readAs(server, bens, `/pages/${made.id}`);
  assert.ok(page.content.includes("Pour milk.") && page.content.includes("Wash the cup."), page.content);
  assert.deepEqual(eye.faults, []);
});

test("who is on a page is told before there is a conflict", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t);
  const ann = await setUp(server, await person());
  const { data: made } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "Hot.\n", status: "published" });
  const ben = await invite(server, await person(), "Ben", "editor");
  await ben.goto(`${server.url}/studio/pages/${made.id}`);
  await content(ben).waitFor();
  await ann.goto(`${server.url}/studio/pages/${made.id}`);
  await ann.getByText("Also here: Ben").waitFor();
});

test("what was opened to be edited is not saved over what somebody else put meanwhile", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t, { expected: ["412", "Failed to load resource"] });
  const ann = await setUp(server, await person());
  const { data: page } = await server.api("POST", "/pages", { title: "Tea", slug: "tea", content: "Hot.\n", status: "published" });
  const { data: proposal } = await server.api("POST", "/proposals", { title: "Colder", changes: [{ op: "update", pageId: page.id, content: "Cold.\n" }] });
  await ann.goto(`${server.url}/studio/proposals/${proposal.id}`);
  await button(ann, "Edit the text").click();
  await content(ann).click();
  await ann.keyboard.type("Very ");
  const path = `/proposals/${proposal.id}/changes/${proposal.changes[0].id}`;
  const { data: change, etag } = await server.api("GET", path);
  await server.api("PUT", path, { op: "update", pageId: page.id, baseRevision: change.baseRevision, content: "Cold, by Ben.\n" }, { "If-Match": etag });
  await ann.getByLabel("Comment").last().fill("A remark.");
  await button(ann.locator(".review-talk"), "Send").click();
  await ann.getByText("A remark.").first().waitFor();
  await button(ann, "Save").click();
  await ann.getByRole("region", { name: "Merge two versions" }).waitFor();
  assert.equal((await server.api("GET", path)).data.content, "Cold, by Ben.\n");
  await button(ann, "Approve").click();
  await ann.getByText("Approved").waitFor();
});

test("a page whose address is taken meanwhile gets another one, and a deletion is proposed again", async (t) => {
  const server = await Server.start(t);
  const { person } = await browse(t, { expected: ["404"] }); // the page that is deleted has no revisions any more
  const ann = await setUp(server, await person());
  const { data: old } = await server.api("POST", "/pages", { title: "Old", slug: "old", content: "Old.\n", status: "published" });
  const { data: proposal } = await server.api("POST", "/proposals", {
    title: "Two",
    changes: [{ op: "create", title: "Tea", slug: "tea", content: "Hot.\n" }, { op: "delete", pageId: old.id, baseRevision: 1 }],
  });
  await server.api("POST", "/pages", { title: "Another tea", slug: "tea", content: "", status: "published" });
  await server.api("PATCH", `/pages/${old.id}`, { content: "Newer.\n" });
  await ann.goto(`${server.url}/studio/proposals/${proposal.id}`);
  await button(ann, "Propose again, on the page as it is").click();
  await button(ann, "Propose again, on the page as it is").waitFor({ state: "detached" });
  await button(ann, "Edit title and address").click();
  await ann.getByRole("dialog").getByLabel("Slug").fill("hot-tea");
  await ann.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await button(ann, "Merge").and(ann.locator(":enabled")).click();
  await ann.getByText("Merged", { exact: true }).first().waitFor();
  await server.api("GET", "/pages/by-slug/hot-tea");
});
