// Holds that types generated from the document that a server serves compile
// strictly and fit what it answers. It is written as their users would write;
// what the server answers in every case is the contract scripts' business.
// scripts/test-clients generates the types and starts the server.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import createClient from "openapi-fetch";

import type { components, paths } from "./octavoapi/schema.js";

type PageCreate = components["schemas"]["PageCreateRequest"];
type Problem = components["schemas"]["Problem"];

// A page can also be had as text/markdown; this client never asks for that.
type JSONTypes = "application/json" | "application/problem+json";

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run scripts/test-clients`);
  return value;
}

const baseUrl = `${setting("OCTAVO_URL")}/v1`;
const headers = { Authorization: `Bearer ${setting("OCTAVO_TOKEN")}` };

// Lists in the query are one value with commas, as the document says.
const querySerializer = { array: { style: "form", explode: false } } as const;
const client = createClient<paths, JSONTypes>({ baseUrl, headers, querySerializer });

const created: string[] = []; // parents before their children
after(async () => {
  for (const pageId of created.reverse()) {
    const { response } = await client.DELETE("/pages/{pageId}", { params: { path: { pageId } } });
    assert.ok([204, 404].includes(response.status), `delete ${pageId}: status ${response.status}`);
  }
});

// succeeded returns the data of an answer that has the status.
function succeeded<T>(answer: { data?: T; error?: unknown; response: Response }, status = 200): T {
  assert.equal(answer.response.status, status, JSON.stringify(answer.error));
  assert.ok(answer.data !== undefined, "the answer has no body");
  return answer.data;
}

// failed holds that an answer is the problem named, and returns it.
function failed(answer: { error?: Problem | undefined; response: Response }, status: number, name: string): Problem {
  assert.equal(answer.response.status, status, JSON.stringify(answer.error));
  assert.ok(answer.error, "the answer has no problem");
  assert.equal(answer.error.type, `/problems/${name}`);
  assert.equal(answer.error.status, status);
  return answer.error;
}

async function create(body: PageCreate) {
  const answer = await client.POST("/pages", { body });
  const page = succeeded(answer, 201);
  assert.ok("slug" in page, "a page was created, not an asset");
  created.push(page.id);
  const etag = answer.response.headers.get("ETag");
  assert.ok(etag, "the creation has an ETag");
  return { page, etag, path: { pageId: page.id } };
}

test("create, read and list", async () => {
  const { page, path } = await create({
    title: "Größe & Maß",
    slug: "ts-create",
    content: "# Read\n\nSee [this](/there).\n",
    status: "published",
    frontmatter: { tags: ["ts-create"], weight: 7, nested: { a: null } },
  });
  const child = await create({ title: "Child", slug: "ts-create-child", content: "" });
  succeeded(await client.PATCH("/pages/{pageId}", { params: { path: child.path }, body: { parentId: page.id } }));

  const query = { include: ["authors" as const, "children" as const] };
  const header = { "X-Trace-Id": "trace-ts" };
  const answer = await client.GET("/pages/{pageId}", { params: { path, query, header } });
  const read = succeeded(answer);
  assert.equal(answer.response.headers.get("X-Trace-Id"), "trace-ts");
  assert.equal(read.title, "Größe & Maß");
  assert.equal(read.content, "# Read\n\nSee [this](/there).\n");
  assert.deepEqual(read.frontmatter, { tags: ["ts-create"], weight: 7, nested: { a: null } });
  assert.equal(read.createdAt, page.createdAt);
  assert.equal(read.authors?.length, 1);
  assert.deepEqual(read.children?.map((c) => c.id), [child.page.id]);
  assert.deepEqual(read.links, [{ href: "/there", label: "this" }]);

  const list = succeeded(
    await client.GET("/pages", { params: { query: { tag: "ts-create", status: "published", sort: "-createdAt" } } }),
  );
  assert.deepEqual(list.data.map((p) => p.slug), ["ts-create"]);
  assert.equal(list.pagination.hasMore, false);
});

test("a patch tells null from absent", async () => {
  const parent = await create({ title: "Parent", slug: "ts-parent", content: "p" });
  const { path } = await create({ title: "Page", slug: "ts-patch", content: "c" });
  const patch = async (body: components["schemas"]["PagePatch"]) =>
    succeeded(await client.PATCH("/pages/{pageId}", { params: { path }, body }));

  assert.equal((await patch({ parentId: parent.page.id, position: 3 })).parentId, parent.page.id);
  const renamed = await patch({ title: "Renamed" });
  assert.deepEqual([renamed.parentId, renamed.position, renamed.title], [parent.page.id, 3, "Renamed"]);
  const freed = await patch({ parentId: null });
  assert.deepEqual([freed.parentId ?? null, freed.position, freed.title], [null, 3, "Renamed"]);
});

test("an update may be conditional", async () => {
  const { path, etag } = await create({ title: "Page", slug: "ts-etag", content: "c" });
  const same = await client.GET("/pages/{pageId}", { params: { path, header: { "If-None-Match": etag } } });
  assert.equal(same.response.status, 304);

  const params = { path, header: { "If-Match": etag } };
  const changed = await client.PATCH("/pages/{pageId}", { params, body: { title: "Changed" } });
  assert.equal(succeeded(changed).title, "Changed");
  assert.notEqual(changed.response.headers.get("ETag"), etag);
  failed(await client.PATCH("/pages/{pageId}", { params, body: { title: "Lost" } }), 412, "precondition-failed");
});

test("problems are typed", async () => {
  const page = { title: "Page", slug: "ts-taken", content: "c" };
  await create(page);
  failed(await client.POST("/pages", { body: page }), 409, "slug-taken");
  const invalid = failed(await client.POST("/pages", { body: { title: "", slug: "No Slug", content: "" } }), 400, "invalid-request");
  assert.deepEqual(new Set(invalid.errors?.map((e) => e.path)), new Set(["/title", "/slug"]));
  // @ts-expect-error: the types refuse what the server refuses.
  failed(await client.POST("/pages", { body: { ...page, status: "public" } }), 400, "invalid-request");

  const anonymous = await createClient<paths>({ baseUrl }).GET("/pages");
  assert.equal(anonymous.response.status, 401);
  assert.equal(anonymous.data, undefined);
  assert.ok(anonymous.response.headers.get("WWW-Authenticate"));
});

test("a request with a key is done once", async () => {
  const header = { "Idempotency-Key": randomUUID() };
  const body = { title: "Page", slug: "ts-once", content: "c" };
  const first = succeeded(await client.POST("/pages", { params: { header }, body }), 201);
  created.push(first.id);
  const again = await client.POST("/pages", { params: { header }, body });
  assert.equal(succeeded(again, 201).id, first.id);
  assert.equal(again.response.headers.get("Idempotency-Replayed"), "true");
});

test("a deleted page is gone until it is restored", async () => {
  const { path } = await create({ title: "Page", slug: "ts-delete", content: "c" });
  const gone = await client.DELETE("/pages/{pageId}", { params: { path } });
  assert.equal(gone.response.status, 204);
  failed(await client.GET("/pages/{pageId}", { params: { path } }), 404, "not-found");
  const back = succeeded(await client.POST("/pages/{pageId}/restore", { params: { path } }));
  assert.equal(back.slug, "ts-delete");
});

test("many changes in one request", async () => {
  const { page, etag } = await create({ title: "Page", slug: "ts-bulk", content: "c" });
  const { results } = succeeded(
    await client.POST("/pages/bulk", {
      body: {
        operations: [
          { op: "create", page: { title: "New", slug: "ts-bulk-new", content: "n" }, formerSlugs: ["ts-bulk-former"] },
          { op: "update", id: page.id, ifMatch: etag, page: { status: "published" } },
          { op: "create", page: { title: "Taken", slug: "ts-bulk", content: "t" } },
          { op: "delete", id: page.id },
        ],
      },
    }),
  );
  assert.deepEqual(results.map((r) => r.status), [201, 200, 409, 204]);
  const [fresh, updated, taken] = results;
  assert.ok(fresh?.page);
  created.push(fresh.page.id);
  assert.equal(updated?.page?.status, "published");
  assert.equal(taken?.problem?.type, "/problems/slug-taken");
});

test("a former slug redirects", async () => {
  const page = { title: "Page", slug: "ts-slug", content: "c" };
  const { path } = await create(page);
  succeeded(await client.PUT("/pages/{pageId}", { params: { path }, body: { ...page, slug: "ts-slug-now" } }));

  for (const slug of ["ts-slug-now", "ts-slug"]) {
    const read = succeeded(await client.GET("/pages/by-slug/{slug}", { params: { path: { slug } } }));
    assert.equal(read.id, path.pageId);
  }
  const moved = await client.GET("/pages/by-slug/{slug}", { params: { path: { slug: "ts-slug" } }, redirect: "manual" });
  assert.equal(moved.response.status, 308);
  assert.ok(moved.response.headers.get("Location"));
  failed(await client.GET("/pages/by-slug/{slug}", { params: { path: { slug: "ts-slug-never" } } }), 404, "not-found");
});

test("a cursor leads through a list", async () => {
  const slugs = ["ts-list-a", "ts-list-b", "ts-list-c", "ts-list-d", "ts-list-e"];
  for (const slug of slugs) {
    await create({ title: slug, slug, content: "c", frontmatter: { tags: ["ts-list"] } });
  }
  const met: string[] = [];
  let slices = 0;
  let position: { cursor?: string } = {};
  for (let more = true; more && slices < 10; slices++) {
    const list = succeeded(await client.GET("/pages", { params: { query: { tag: "ts-list", limit: 2, ...position } } }));
    met.push(...list.data.map((p) => p.slug));
    more = list.pagination.hasMore;
    assert.equal(list.pagination.cursor !== undefined, more, "a cursor where there is more");
    position = more && list.pagination.cursor ? { cursor: list.pagination.cursor } : {};
  }
  assert.equal(slices, 3);
  assert.deepEqual(met, slugs);

  const bad = failed(await client.GET("/pages", { params: { query: { cursor: "nonsense" } } }), 400, "invalid-request");
  assert.deepEqual(bad.errors?.map((e) => e.path), ["cursor"]);
});

test("the paths of the contract answer", async () => {
  assert.equal(succeeded(await client.GET("/examples/basic-response")).status, "ok");
  const body = { title: "Page", slug: "ts-contract", content: "c" };
  const made = succeeded(await client.POST("/examples/basic-request", { body }), 201);
  created.push(made.id);
  const path = { pageId: made.id };
  const read = succeeded(await client.GET("/examples/path-parameters/{pageId}", { params: { path } }));
  assert.equal(read.slug, "ts-contract");
  const list = succeeded(await client.GET("/examples/basic-request", { params: { query: { slug: "ts-contract" } } }));
  assert.deepEqual(list.data.map((p) => p.id), [made.id]);
});
