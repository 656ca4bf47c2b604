// Nothing typed is lost: tabs, browsers, servers, networks and sessions end while somebody
// types. SEED chooses what happens, ROUNDS how often.
import assert from "node:assert/strict";
import test from "node:test";
import { Server, browse, content, password, readAs, saving, setUp } from "./rig.mjs";

const rounds = Number(process.env.ROUNDS ?? 10);
const seed = Number(process.env.SEED ?? 1);
const most = 2000; // milliseconds of typing that a tab may take with it
const pace = 10; // milliseconds between keys

/** Numbers from 0 to below n, the same for the same seed. */
function chooser(seed) {
  let s = seed >>> 0;
  return (n) => {
    s = (s + 0x6d2b79f5) >>> 0;
    let x = Math.imul(s ^ (s >>> 15), s | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) % n;
  };
}

/** Somebody who types on until they are stopped. */
class Typist {
  text = "";
  times = []; // when each key was pressed

  constructor(page) {
    this.page = page;
  }

  async type(count) {
    for (let n = 0; n < count; n++) {
      const at = this.text.length;
      const key = at % 8 === 7 ? " " : String.fromCharCode(97 + ((at * 7 + Math.floor(at / 8)) % 26));
      await this.page.keyboard.type(key, { delay: pace });
      this.text += key;
      this.times.push(performance.now());
    }
  }
}

const faults = {
  none: () => ({ begin: async () => {}, end: async () => {} }),
  server: ({ server }) => ({ begin: () => server.kill(), end: () => server.again() }),
  network: ({ context }) => ({ begin: () => context.setOffline(true), end: () => context.setOffline(false) }),
  session: ({ server, context }) => ({
    async begin() {
      await context.request.post(server.url + "/studio/signout", { data: {}, headers: { Origin: server.url } });
      await context.clearCookies();
    },
    async end() {
      const login = await context.newPage();
      await login.goto(`${server.url}/login?next=${encodeURIComponent("/studio/signed-in")}`);
      await login.getByLabel("E-mail address").fill("ann@example.com");
      await login.getByLabel("Password").fill(password);
      await login.keyboard.press("Enter");
      await login.getByRole("heading", { name: "You are signed in" }).waitFor();
      await login.close();
    },
  }),
};

const endings = {
  stays: async () => {},
  closed: (page) => page.close(),
  async crashed(page, context) {
    const gone = page.waitForEvent("crash");
    const session = await context.newCDPSession(page);
    session.send("Page.crash").catch(() => {}); // is never answered
    await gone;
    await page.close();
  },
};

/** In the page: the text of the editor, once there is one. */
function shownHere() {
  const lines = [...document.querySelectorAll('[aria-label="Content"] .cm-line:not(:has(.cm-placeholder))')];
  return document.querySelector('[aria-label="Content"]') ? lines.map((l) => l.textContent).join("\n") : undefined;
}
const shown = (page) => page.evaluate(shownHere);

test(`what is typed comes back, ${rounds} times, seed ${seed}`, { timeout: rounds * 60_000 }, async (t) => {
  const choose = chooser(seed);
  const server = await Server.start(t, "--site", "public");
  const { person } = await browse(t, { expected: ["Failed to load resource", "net::ERR_", "Blocked script execution"] });
  const context = await person();
  const first = await setUp(server, context);
  await first.close();

  // What the page showed whenever it said Saved has to be on the server by then.
  let said = [];
  let id = "";
  const draftOf = async () => {
    const { data } = await readAs(server, context, `/proposals?pageId=${id}&origin=studio&status=draft`);
    if (data.length === 0) return "";
    return (await readAs(server, context, `/proposals/${data[0].id}/changes/${data[0].changes[0].id}`)).content;
  };
  const wrong = [];
  await context.exposeFunction("heardSaved", (text) => {
    said.push(text);
    const of = id;
    draftOf().then(
      (draft) => of === id && !draft.startsWith(text) && wrong.push(`Saved was said of ${text}, the server had ${draft}`),
      () => {}, // nothing to ask; what was said is compared when there is
    );
  });
  await context.addInitScript(`globalThis.shownHere = ${shownHere}`);
  await context.addInitScript(() => {
    let state = "";
    new MutationObserver(() => {
      const now = document.querySelector(".saving")?.textContent ?? "";
      if (now === state) return;
      state = now;
      const text = shownHere();
      if (now === "Saved" && text !== undefined) void heardSaved(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });

  const open = async () => {
    const page = await context.newPage();
    await page.goto(`${server.url}/studio/pages/${id}`);
    await content(page).waitFor();
    return page;
  };
  for (let round = 0; round < rounds; round++) {
    const fault = Object.keys(faults)[choose(4)];
    const ending = Object.keys(endings)[fault === "none" ? 1 + choose(2) : choose(3)];
    const [before, during, after] = [20 + choose(40), 5 + choose(40), 5 + choose(15)];
    const what = `round ${round}: ${fault}, tab ${ending}, keys ${before} ${during} ${after}`;
    ({ data: { id } } = await server.api("POST", "/pages", { title: `Round ${round}`, slug: `round-${round}`, content: "", status: "published" }));
    said = [];
    let page = await open();
    await content(page).click();
    const typist = new Typist(page);
    const { begin, end } = faults[fault]({ server, context });
    await typist.type(before);
    const typing = typist.type(during); // on, while it begins
    await Promise.all([begin(), typing]);
    const ended = performance.now();
    await endings[ending](page, context);
    let lost = 0;
    if (ending === "stays") {
      await end();
      await typist.type(after);
    } else {
      await end();
      page = await open();
      const text = await shown(page);
      assert.ok(typist.text.startsWith(text), `${what}: ${text} is not what was typed: ${typist.text}`);
      lost = typist.text.length - text.length;
      assert.ok(lost === 0 || typist.times[text.length] > ended - most, `${what}: ${lost} keys are lost`);
      typist.text = text;
    }
    await saving(page, "Saved");
    assert.equal(await shown(page), typist.text, what);
    assert.equal(await draftOf(), typist.text, what);
    for (const text of said) assert.ok(typist.text.startsWith(text), `${what}: Saved was said of ${text}`);
    assert.deepEqual(wrong, [], what);
    t.diagnostic(`${what}: ${lost} keys lost`);
    await page.close();
  }
});
