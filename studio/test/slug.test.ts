import assert from "node:assert/strict";
import test from "node:test";
import { freeSlug, slugOf } from "../src/page/slug.ts";

test("a title becomes a slug", () => {
  const cases = {
    "Brewing tea": "brewing-tea",
    "Über Größe, Maß & Ziel": "ueber-groesse-mass-ziel",
    "  What's new in 2.0?  ": "whats-new-in-2-0",
    "Café crème": "cafe-creme",
    日本語: "",
    "日本語 API": "api",
  };
  for (const [title, slug] of Object.entries(cases)) assert.equal(slugOf(title), slug, title);
  assert.doesNotMatch(slugOf("a ".repeat(200)), /-$/);
});

test("a slug that is taken gets a number", () => {
  const taken = new Set(["tea", "tea-2"]);
  assert.equal(freeSlug("Tea", (s) => taken.has(s)), "tea-3");
  assert.equal(freeSlug("Coffee", (s) => taken.has(s)), "coffee");
  assert.equal(freeSlug("", () => true), "");
});
