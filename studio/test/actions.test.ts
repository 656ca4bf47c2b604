import assert from "node:assert/strict";
import test from "node:test";
import { actionsOf, enabled } from "../src/page/actions.ts";

test("what can be done follows the page, the draft and the role", () => {
  const cases = [
    { live: null, dirty: true, mayWrite: true, buttons: "publish saveDraft askForReview discard", menu: "" },
    { live: "draft", dirty: false, mayWrite: true, buttons: "publish saveDraft", menu: "" },
    { live: "published", dirty: true, mayWrite: true, buttons: "publish askForReview discard", menu: "unpublish" },
    { live: "archived", dirty: true, mayWrite: true, buttons: "publish askForReview discard", menu: "" },
    { live: "published", dirty: false, mayWrite: false, buttons: "askForReview", menu: "" },
    { live: null, dirty: true, mayWrite: false, buttons: "askForReview discard", menu: "" },
  ] as const;
  for (const c of cases) {
    const have = actionsOf(c);
    assert.equal(have.buttons.join(" "), c.buttons, JSON.stringify(c));
    assert.equal(have.menu.join(" "), c.menu, JSON.stringify(c));
  }
});

test("a page that nobody has changed can still be published, once", () => {
  assert.equal(enabled("publish", { live: "draft", dirty: false, mayWrite: true }), true);
  assert.equal(enabled("publish", { live: "published", dirty: false, mayWrite: true }), false);
  assert.equal(enabled("publish", { live: null, dirty: false, mayWrite: true }), false);
  assert.equal(enabled("saveDraft", { live: "draft", dirty: false, mayWrite: true }), false);
});
