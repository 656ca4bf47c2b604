// Takes the pictures of the documentation: node studio/walks/pictures.mjs FOLDER. It is no test.
// Documentation has them as WebP: cwebp -q 80.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { setUp, Server, browse, content, program, saving } from "./rig.mjs";

const folder = process.argv[2];
const text = `A copy that nobody has tried is no copy. Set it up once, and try it once a month.

## Set it up

1. Choose a disk that is not the server's own.
2. Have the copy made every night.
3. Write down where it is.

> [!WARNING]
> The copy holds passwords. Keep it as safe as the server.

| what | how often |
|---|---|
| pages and files | every night |
| a trial | once a month |
`;
const ends = [];
const t = { after: (f) => ends.push(f) };
const server = await Server.start(t, "--demo");
const { person } = await browse(t, { viewport: { width: 1280, height: 760 }, colorScheme: "light", expected: ["409"] });
try {
  const page = await setUp(server, await person());
  const shot = (name) => page.screenshot({ path: `${folder}/studio-${name}.png` });
  const { data: made } = await server.api("POST", "/pages", { title: "Back up a server", slug: "back-up-a-server", content: text, status: "published", frontmatter: { description: "How to copy a server every night.", tags: ["operations", "backup"] } });
  await page.goto(`${server.url}/studio/pages/${made.id}`);
  const tops = page.getByRole("treeitem", { name: "Octavo", exact: true });
  if ((await tops.getAttribute("aria-expanded")) === "false") await tops.locator(".tree-toggle").click();
  await content(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nKeep seven copies, one for each day of the week.\n");
  await saving(page, "Saved");
  await page.frameLocator('iframe[title="Preview"]').getByText("Keep seven").waitFor();
  await shot("page");
  await page.getByRole("tab", { name: "Front matter" }).click();
  await page.getByLabel("Description").first().waitFor();
  await shot("details");
  await server.api("PATCH", `/pages/${made.id}`, { content: text.replace("every night", "every hour") + "\nKeep three copies.\n" });
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("button", { name: "Merge" }).waitFor();
  await shot("merge");
  await page.goto(`${server.url}/studio/pages/${made.id}/history`);
  await page.getByText("every hour").first().waitFor();
  await shot("history");

  const { data: proposal } = await server.api("POST", "/proposals", {
    title: "Copies leave the house",
    changes: [{ op: "update", pageId: made.id, content: text.replace("2. Have", "2. Keep a copy elsewhere, too.\n3. Have").replace("3. Write", "4. Write") }],
  });
  await server.api("POST", `/proposals/${proposal.id}/comments`, { changeId: proposal.changes[0].id, side: "proposed", line: 6, text: "Say where: another town.", suggestion: "2. Keep a copy in another town, too." });
  await page.goto(`${server.url}/studio/proposals/${proposal.id}`);
  await page.getByRole("button", { name: "Take the suggestion" }).waitFor();
  await page.mouse.move(0, 0);
  await shot("review");
  await page.goto(`${server.url}/studio/manage/site`);
  await page.getByLabel("Title").fill("Handbook");
  await page.getByLabel("accent, Light").fill("#8a1a5c");
  await page.frameLocator("iframe").getByRole("heading", { name: "Handbook" }).waitFor();
  await page.locator("main").evaluate((main) => (main.scrollTop = 0));
  await shot("manage");

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/docs/concepts-proposals`);
  await page.screenshot({ path: `${folder}/site-page.png` });
  await page.goto(`${server.url}/docs/-/search?q=retry+a+webhook`);
  await page.screenshot({ path: `${folder}/site-search.png` });

  const tree = join(server.folder, "handbook");
  await mkdir(join(tree, "docs"), { recursive: true });
  await writeFile(join(tree, "mkdocs.yml"), "site_name: Handbook\nnav:\n  - index.md\n  - backup.md\n");
  await writeFile(join(tree, "docs", "index.md"), "# Handbook\n\nRead [how to restore](restore.md).\n");
  await writeFile(join(tree, "docs", "backup.md"), "# Backup\n\n![The disks](disks.png)\n\nSee [restore](restore.md).\n");
  const report = join(server.folder, "report.html");
  await promisify(execFile)(program, ["import", tree, "--data", join(server.folder, "other"), "--dry-run", "--report", report]);
  await page.setViewportSize({ width: 1100, height: 800 });
  await page.goto(`file://${report}`);
  await page.screenshot({ path: `${folder}/import-report.png` });
} finally {
  for (const end of ends) await end().catch(console.error);
}
