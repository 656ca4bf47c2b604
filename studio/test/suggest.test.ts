import assert from "node:assert/strict";
import test from "node:test";
import { applied, linesFrom } from "../src/review/suggest.ts";

const text = "one\ntwo\nthree\ntwo\n";

test("a suggestion takes the place of its line", () => {
  assert.equal(applied(text, 2, "two", "2"), "one\n2\nthree\ntwo\n");
  assert.equal(applied(text, 4, "two", "2\nand more"), "one\ntwo\nthree\n2\nand more\n");
  assert.equal(applied(text, 1, "one\ntwo", ""), "three\ntwo\n");
});

test("lines that have moved are found where they stand alone", () => {
  assert.equal(applied("zero\n" + text, 3, "three", "3"), "zero\none\ntwo\n3\ntwo\n");
  assert.equal(applied(text, 1, "two", "2"), undefined, "there are two of them");
  assert.equal(applied(text, 1, "gone", "2"), undefined);
});

test("the ends of lines stay as they are", () => {
  assert.equal(applied("one\r\ntwo\r\n", 2, "two", "2\n"), "one\r\n2\r\n");
  assert.equal(applied("one\r\ntwo\nthree", 2, "two", "2\n2"), "one\r\n2\r\n2\nthree", "a text that mixes them");
  assert.equal(applied("one\r\ntwo", 2, "two", "2\n3"), "one\r\n2\r\n3");
  assert.equal(applied("one\ntwo\r\nthree\n", 3, "three", "3\n4"), "one\ntwo\r\n3\r\n4\n");
  assert.equal(linesFrom("one\r\ntwo\r\nthree", 2, 2), "two\nthree");
});
