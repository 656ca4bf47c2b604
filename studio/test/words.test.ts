import assert from "node:assert/strict";
import test from "node:test";
import { t } from "../src/words.ts";

test("what is said without a browser is English", () => {
  assert.equal(t("newPage"), "New page");
});
