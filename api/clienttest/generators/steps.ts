// What each generated client is used for: list, create, upload, patch, search with
// filters, and export. A client names what it calls; steps checks the answers.
import assert from "node:assert/strict";
import { test } from "node:test";

export const address = `${process.env["OCTAVO_URL"]}/v1`;
export const headers = { Authorization: `Bearer ${process.env["OCTAVO_TOKEN"]}` };

export type NewPage = { title: string; slug: string; content: string; status: "published"; frontmatter: { tags: string[] } };
export type Filters = { tags?: string[]; updatedAfter?: string };
export type ExportOf = {
  format: "markdown";
  scope: "published";
  includeDrafts: boolean;
  selection: { mode: "ids"; items: { id: string; type: "page" }[] };
  rendering: { theme: "system"; assets: { embed: boolean; metadata: { alt?: string } } };
  delivery: { channels: [] };
};

export type Client = {
  create(page: NewPage): Promise<{ id: string; slug: string }>;
  list(query: { tag: string; include: ("authors" | "children")[] }): Promise<{ data: { id: string; authors?: unknown[] }[] }>;
  patch(id: string, change: { title: string }): Promise<{ title: string }>;
  upload(file: File, metadata: { alt: string }): Promise<{ size: number; metadata?: { alt?: string } }>;
  search(q: string, filters: Filters): Promise<{ id: string }[]>;
  export(request: ExportOf): Promise<{ id: string }>;
  exported(id: string, wait: number): Promise<{ status: string }>;
};

export function steps(name: string, client: Client, without: { metadata?: true } = {}) {
  test(`${name}: list, create, upload, patch, search with filters, export`, async () => {
    const tag = `tag-${name}`;
    const page = await client.create({ title: "Page", slug: name, content: `quokka${name}`, status: "published", frontmatter: { tags: [tag, "both"] } });
    assert.equal(page.slug, name);

    const list = await client.list({ tag, include: ["authors", "children"] });
    assert.deepEqual(list.data.map((p) => [p.id, p.authors?.length]), [[page.id, 1]]);

    assert.equal((await client.patch(page.id, { title: "Changed" })).title, "Changed");

    const asset = await client.upload(new File(["text"], `${name}.txt`, { type: "text/plain" }), { alt: "words" });
    assert.equal(asset.size, 4);
    if (!without.metadata) assert.equal(asset.metadata?.alt, "words");

    let found: { id: string }[] = []; // shortly after it was written
    for (let tries = 0; found.length === 0 && tries < 100; tries++) {
      found = await client.search(`quokka${name}`, { tags: [tag, "both"], updatedAfter: "2020-01-01T00:00:00Z" });
      if (found.length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.deepEqual(found.map((r) => r.id), [page.id]);
    assert.deepEqual(await client.search(`quokka${name}`, { tags: [tag, "other"] }), []);

    const job = await client.export({
      format: "markdown",
      scope: "published",
      includeDrafts: false,
      selection: { mode: "ids", items: [{ id: page.id, type: "page" }] },
      rendering: { theme: "system", assets: { embed: true, metadata: {} } },
      delivery: { channels: [] },
    });
    assert.equal((await client.exported(job.id, 30)).status, "ready");
  });
}
