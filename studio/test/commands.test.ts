import assert from "node:assert/strict";
import test from "node:test";
import { commands, offer, pressed, shortcuts, spelled, tell } from "../src/shell/commands.ts";

test("commands and shortcuts are there until whoever offers them goes", () => {
  const one = offer([{ id: "one", title: "One", run() {} }]);
  const two = offer([{ id: "two", title: "Two", run() {} }]);
  assert.deepEqual(commands.value.map((c) => c.id), ["one", "two"]);
  one();
  assert.deepEqual(commands.value.map((c) => c.id), ["two"]);
  two();
  const end = tell([{ group: "keysTree", keys: ["x"], what: "keyEnter" }]);
  assert.equal(shortcuts.value.length, 1);
  end();
  assert.equal(shortcuts.value.length, 0);
});

test("a shortcut is spelled and pressed as the system has it", () => {
  assert.equal(spelled("Mod+Shift+P", false), "Ctrl Shift P");
  assert.equal(spelled("Mod+Shift+P", true), "⌘⇧P");
  const key = (key: string, held = "") => ({ key, ctrlKey: held.includes("c"), metaKey: held.includes("m"), shiftKey: held.includes("s"), altKey: held.includes("a") });
  assert.ok(pressed(key("k", "c"), "Mod+K", false));
  assert.ok(pressed(key("k", "m"), "Mod+K", true));
  assert.ok(!pressed(key("k", "c"), "Mod+K", true));
  assert.ok(!pressed(key("K", "cs"), "Mod+K", false));
  assert.ok(!pressed(key("k", "ca"), "Mod+K", false)); // AltGr
  assert.ok(pressed(key("P", "cs"), "Mod+Shift+P", false));
});
