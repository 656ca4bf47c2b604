import assert from "node:assert/strict";
import test from "node:test";
import { isMap, parseDocument } from "yaml";
import { isPlainText, readYaml } from "../src/matter/yaml.ts";

const values = ["x", "a b", "12", "-3.5", "0x1F", "1e3", ".inf", "true", "null", "~", '"q"', "'it''s'", '"a: b"', '"\\u00e9\\n"', "2024-01-02", "a: b", "a:", "a:b", "#c", "x # c", "x#y", "[a, 'b c', \"d\"]", "[]", "[a,]", "[1, b]", "[a: 1]", "[[a]]", "{a: 1}", "{a", "[a", '"open', "'open", "&x y", "!!str 3", "|", ">-", "|+", "> # c", "|2", "- a", "-x", "? a", "@x", "%x", ", a", "a]", "a'b", "\tx", '"a" b', '"a" # b', "[a] b", "[a] # b", "é ü", "yes", "017", "1.", "::", "http://a.b/c?d#e", '"a\\', "[a #b", "[a, # b", "''", '""', '"\\q"', '"\\x41"', "...", "--- x", "<<", "[a b, c d]", "[a:, b]"];
const keys = ["a", "b", "c d", '"k"', "'k l'", "<<", "1", "true", "k-x", "é", "?k", "-k", "[k", "k ", "k#", "k #", "~", "&k", "*k", '"k\\""', "k]", "{k"];
const heads = ["", "", "  ", "    ", " ", "\t"];
const more = ["more text", "text # c", "a: b", "]", 'end"', "end'", "- c", "  deep", "b, c]", "}"];

/** Documents of these in every mixture, the same each time. */
function* documents(count: number): Generator<string> {
  let seed = 1;
  const below = (n: number) => {
    seed = (seed + 0x6d2b79f5) | 0;
    const t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    const u = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((u ^ (u >>> 14)) >>> 0) / 2 ** 32) * n);
  };
  const pick = (list: string[]) => list[below(list.length)]!;
  const line = () => {
    const kind = below(12);
    if (kind === 0) return pick(heads) + "# comment";
    if (kind === 1) return pick(["", "  ", "   "]);
    if (kind < 4) return pick(heads) + "- " + pick(values);
    if (kind === 4) return pick(heads) + pick(values);
    if (kind === 5) return "  " + pick(more);
    return pick(keys) + ":" + (kind === 6 ? "" : pick([" ", " ", "  ", ""]) + pick(values));
  };
  for (let n = 0; n < count; n++) {
    const end = n % 5 ? "\n" : "\r\n";
    yield Array.from({ length: 1 + below(6) }, () => line() + end).join("");
  }
}

test("what is read is what YAML says, and what is refused is no YAML", () => {
  const found = { read: 0, fault: 0, odd: 0, known: 0 };
  for (const text of documents(10_000)) {
    const have = readYaml(text);
    const where = JSON.stringify(text);
    if ("odd" in have) {
      found.odd++;
      continue;
    }
    const doc = parseDocument(text, { version: "1.2", stringKeys: true, prettyErrors: false, logLevel: "silent" });
    const wrong = doc.errors.length + doc.warnings.length > 0;
    if ("fault" in have) {
      found.fault++;
      assert.ok(wrong || !isMap(doc.contents) || have.fault === "matterMerge", where);
      continue;
    }
    found.read++;
    const [others, sure] = [have.members.filter((m) => m.value.style === "OTHER"), have.members.filter((m) => m.value.style !== "OTHER")];
    assert.ok(!wrong || others.length > 0, `${where}: ${doc.errors[0]?.message}`);
    if (wrong) continue;
    const want = (doc.toJS() ?? {}) as Record<string, unknown>;
    assert.deepEqual(have.members.map((m) => m.name).sort(), Object.keys(want).sort(), where);
    for (const { name, value } of sure) {
      const here = value.items ? value.items.map((i) => i.value) : value.value;
      if (typeof here === "number" && !Number.isFinite(here)) continue;
      assert.deepEqual(here, want[name], where);
      found.known++;
    }
  }
  assert.ok(Object.values(found).every((n) => n > 1000), JSON.stringify(found));
});

test("a text without quotes is that text", () => {
  for (const text of [...values, "a\nb", " a", "a ", ""]) {
    if (!isPlainText(text)) continue;
    assert.equal(parseDocument(`k: ${text}\n`).get("k"), text);
  }
  assert.ok(["x", "a b", "a:b", "2024-01-02", "-x"].every(isPlainText));
});
