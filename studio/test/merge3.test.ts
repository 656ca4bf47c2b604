import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { difference, endsOf } from "../src/merge/differ.ts";
import { diffLines, linesOf } from "../src/merge/lines.ts";
import { merge3, takeBoth } from "../src/merge/merge3.ts";
import { random, type Side, three } from "./three.ts";

const parts = (...texts: [string, string, string]) => merge3(...texts);
const resolved = (base: string, mine: string, theirs: string, side: Side) =>
  parts(base, mine, theirs).map((p) => (p.by === "clash" ? p[side] : p.text)).join("");
const clean = (...texts: [string, string, string]) => parts(...texts).every((p) => p.by !== "clash");

test("texts are merged by lines", () => {
  for (const [base, mine, theirs, want] of [
    ["a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"],
    ["a\r\nb\r\nc", "a\r\nb\r\nc", "a\r\nc", "a\r\nc"],
    ["a\nb\nc\nd", "a\nb\nc\nd\r", "x\na\nb\nc\nd", "x\na\nb\nc\nd\r"],
    ["\uFEFFa\n\n\nb \n", "\uFEFFa\n\n\nb \n\tc", "\uFEFFA\n\n\nb \n", "\uFEFFA\n\n\nb \n\tc"],
    ["a\n", "a\nb\n", "a\nb\n", "a\nb\n"],
    ["", "", "", ""],
  ] as [string, string, string, string][]) {
    assert.ok(clean(base, mine, theirs));
    assert.equal(resolved(base, mine, theirs, "mine"), want);
  }
});

test("what both have changed is a conflict that has all three", () => {
  assert.deepEqual(parts("a\nb\nc\n", "a\nB\nc\n", "a\nb!\nc\n"), [
    { by: "none", text: "a\n" },
    { by: "clash", base: "b\n", mine: "B\n", theirs: "b!\n" },
    { by: "none", text: "c\n" },
  ]);
  assert.deepEqual(parts("a\n", "", "b"), [{ by: "clash", base: "a\n", mine: "", theirs: "b" }]);
  assert.equal(clean("a\n", "a\r\n", "b\n"), false);
});

test("both are taken on lines of their own", () => {
  assert.equal(takeBoth("a\n", "b\n"), "a\nb\n");
  assert.equal(takeBoth("a", "b"), "a\nb");
  assert.equal(takeBoth("a", "b\r\n"), "a\r\nb\r\n");
  assert.equal(takeBoth("", "b"), "b");
});

test("how two texts differ", () => {
  assert.equal(difference("a\n", "a\n"), "nothing");
  assert.equal(difference("a\r\nb\r", "a\nb\n"), "ends");
  assert.equal(difference("a b", "a  b\n"), "blanks");
  assert.equal(difference("a", "b"), "text");
  assert.deepEqual(endsOf("a\nb\r\nc\rd"), ["LF", "CRLF", "CR"]);
  assert.deepEqual(endsOf("\r\n\r\n"), ["CRLF"]);
});

// Git leaves lines that are very common out of its first comparison, so that it takes
// other ones for the same now and then: fewer than 1 %.
test("random texts are merged as git merge-file does", (t) => {
  try {
    execFileSync("git", ["--version"]);
  } catch {
    return t.skip("there is no git");
  }
  const dir = mkdtempSync(join(tmpdir(), "merge3-"));
  t.after(() => rmSync(dir, { recursive: true }));
  const git = (...more: string[]) => {
    try {
      return { text: execFileSync("git", ["merge-file", "-p", ...more, "mine", "base", "theirs"], { cwd: dir, stdio: "pipe" }).toString(), clean: true };
    } catch (e) {
      return { text: String((e as { stdout: Buffer }).stdout), clean: false };
    }
  };
  const r = random(1);
  const cases = 500;
  let conflicts = 0;
  const differ: unknown[] = [];
  for (let n = 0; n < cases; n++) {
    const c = three(r);
    for (const side of ["base", "mine", "theirs"] as const) writeFileSync(join(dir, side), c[side]);
    const plain = git();
    if (!plain.clean) conflicts++;
    const ours = plain.clean ? plain : git("--ours");
    const theirs = plain.clean ? plain : git("--theirs");
    const same =
      plain.clean === clean(c.base, c.mine, c.theirs) &&
      ours.text === resolved(c.base, c.mine, c.theirs, "mine") &&
      theirs.text === resolved(c.base, c.mine, c.theirs, "theirs");
    if (!same) differ.push(c);
  }
  t.diagnostic(`${cases} cases, ${conflicts} with conflicts, ${differ.length} differ`);
  assert.ok(conflicts > 50 && conflicts < 450);
  assert.ok(differ.length * 100 <= cases, JSON.stringify(differ, null, 1));
});

test("differences rebuild the other text, and long texts that share little end", () => {
  const r = random(2);
  const apply = (a: string[], b: string[]) => {
    let at = 0;
    const made: string[] = [];
    for (const c of diffLines(a, b)) {
      made.push(...a.slice(at, c.from), ...b.slice(c.newFrom, c.newTo));
      at = c.to;
    }
    return [...made, ...a.slice(at)].join("");
  };
  for (let n = 0; n < 500; n++) {
    const c = three(r);
    assert.equal(apply(linesOf(c.mine), linesOf(c.theirs)), c.theirs);
  }
  const long = () => Array.from({ length: 40_000 }, () => `${r(300)}\n`);
  const [a, b] = [long(), long()];
  const began = performance.now();
  assert.equal(apply(a, b), b.join(""));
  assert.ok(performance.now() - began < 30_000);
});
