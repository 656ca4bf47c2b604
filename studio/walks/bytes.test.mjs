// Whoever changes one word in a file changes the bytes of that word alone.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, saving, setUp } from "./rig.mjs";

const ends = { lf: ["\n"], crlf: ["\r\n"], cr: ["\r"], mixed: ["\r\n", "\n"], odd: ["\n", "\r", "\r\n"] };
const lines = ["# Kept", "", "\tA tab, trailing blanks  ", "and the word here\t", "  \u00a0\u200b\ufeffe\u0301 \u2028 \u0085 end ", "", "- a", "\t- b   ", "", "```", "  x\t", "```", "last \\"];

function files() {
  const made = [];
  for (const [name, eol] of Object.entries(ends)) {
    const body = lines.map((l, n) => (n === 0 ? l : eol[n % eol.length] + l)).join("");
    for (const [n, last] of ["", eol[0], eol[0] + eol.at(-1) + " " + eol[0]].entries()) {
      for (const bom of ["", "\ufeff"]) {
        const nl = name === "lf" ? "\n" : "\r\n";
        const front = made.length % 3 === 0 ? "" : ["---", "# kept", "tags:   [a,b]  ", "order: 01 # odd", `quoted: 'it''s'`, "---", ""].join(nl);
        made.push({ slug: `${name}-${n}${bom && "-bom"}`, content: bom + body + last, front });
      }
    }
  }
  return made;
}

test("one word changes in 30 files, and nothing else", async (t) => {
  const server = await Server.start(t, "--site", "public");
  const all = files();
  assert.equal(all.length, 30);
  const changes = all.map(({ slug, content, front }) => ({ op: "create", title: slug, slug, content, status: "published", ...(front && { frontmatterRaw: front }) }));
  const { data: p, etag } = await server.api("POST", "/proposals", { title: "Files", status: "open", changes });
  await server.api("POST", `/proposals/${p.id}/merge`, undefined, { "If-Match": etag });
  const { person } = await browse(t);
  const page = await setUp(server, await person({ viewport: { width: 800, height: 700 } }));
  const read = async (slug) => (await server.api("GET", `/pages/by-slug/${slug}?include=frontmatterRaw`)).data;
  for (const { slug, content: was, front } of all) {
    const before = await read(slug);
    assert.equal(before.content, was, `${slug}: the server itself`);
    if (front) assert.equal(before.frontmatterRaw, front, `${slug}: the server itself`);
    await page.goto(`${server.url}/studio/pages/${before.id}`);
    const line = content(page).getByText("and the word here");
    await line.click();
    await page.keyboard.press("Home");
    for (let n = 0; n < "and the ".length; n++) await page.keyboard.press("ArrowRight");
    for (let n = 0; n < "word".length; n++) await page.keyboard.press("Delete");
    await page.keyboard.type("thing");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("The page is published.").waitFor();
    await saving(page, "Saved");
    const after = await read(slug);
    assert.equal(after.content, was.replace("the word", "the thing"), slug);
    assert.equal(after.frontmatterRaw, before.frontmatterRaw, slug);
  }
});
