// What walks through Studio have in common: a server of their own and a browser, both
// ended with the walk. OCTAVO is the program; OCTAVO_TEST_PICTURES, where it is set, the
// folder that pictures go to.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const program = process.env.OCTAVO ?? new URL("../../bin/octavo", import.meta.url).pathname;
export const password = "correct horse battery";

async function freePort() {
  const s = createServer().listen(0, "127.0.0.1");
  await once(s, "listening");
  const { port } = s.address();
  s.close();
  await once(s, "close");
  return port;
}

/** How the browser of a walk is closed. */
const closing = new WeakMap();

/** A server on embedded storage that can be killed and started again. */
export class Server {
  static async start(t, ...flags) {
    const s = new Server();
    s.folder = await mkdtemp(join(tmpdir(), "octavo-walk-"));
    s.port = await freePort();
    s.flags = flags;
    t.after(async () => {
      await closing.get(t)?.(); // a page that outlives its server would complain
      await s.kill();
      await rm(s.folder, { recursive: true, force: true });
    });
    await s.again();
    return s;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the server, and waits until it listens. */
  async again() {
    this.process = spawn(program, ["serve", "--data", this.folder, "--addr", `127.0.0.1:${this.port}`, "--ops-addr", "127.0.0.1:0", "--public-url", this.url, "--rate-limit", "0", ...this.flags], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const said = [];
    for await (const line of createInterface({ input: this.process.stderr })) {
      said.push(line);
      this.link ??= /\/setup\?link=\S+/.exec(line)?.[0];
      if (line.includes("listening on")) {
        this.process.stderr.resume();
        return;
      }
    }
    throw new Error("the server does not start:\n" + said.join("\n"));
  }

  /** Ends the server as a power cut would. */
  async kill() {
    if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill("SIGKILL");
    await once(this.process, "exit");
  }

  /** Calls the API as an administrator who works beside whoever is in the browser. */
  async api(method, path, body, headers = {}) {
    const r = await fetch(this.url + "/v1" + path, {
      method,
      headers: { Authorization: `Bearer ${await this.token()}`, ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await r.text();
    if (!r.ok) throw new Error(`${method} ${path}: ${r.status} ${text}`);
    const json = (r.headers.get("Content-Type") ?? "").includes("json");
    return { data: json ? JSON.parse(text) : text, etag: r.headers.get("ETag") };
  }

  async token() {
    if (!this.issued) {
      const p = spawn(program, ["tokens", "issue", "--data", this.folder, "--scopes", "admin", "--subject", "beside"], { stdio: ["ignore", "pipe", "inherit"] });
      const [line] = await once(createInterface({ input: p.stdout }), "line");
      this.issued = line.trim();
    }
    return this.issued;
  }
}

/** A browser. What goes wrong in its pages fails the walk, unless it is among expected. */
export async function browse(t, o = {}) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const faults = [];
  const person = async (more = {}) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", ...o, ...more });
    context.setDefaultTimeout(20_000);
    context.on("page", (page) => {
      const note = (text) => {
        if (!(o.expected ?? []).some((e) => text.includes(e))) faults.push(text);
      };
      page.on("console", (m) => ["error", "warning"].includes(m.type()) && note(`console: ${m.text()} ${m.location().url}`));
      page.on("pageerror", (e) => note(`exception: ${e.stack ?? e.message}`));
    });
    return context;
  };
  closing.set(t, () => browser.close());
  t.after(async () => {
    await browser.close();
    if (faults.length > 0) throw new Error(faults.join("\n"));
  });
  return { browser, person, faults };
}

/** Adds the first administrator at the set-up link; they are in Studio then. */
export async function setUp(server, context, name = "Ann", email = "ann@example.com") {
  const page = await context.newPage();
  await page.goto(server.url + server.link);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button").last().click();
  await page.waitForURL("**/studio");
  return page;
}

/** Adds somebody by an invitation of the administrator; they are in Studio then, if they may write. */
export async function invite(server, context, name, role, where = "**/studio") {
  const { data } = await server.api("POST", "/users", { name, role, email: `${name.toLowerCase()}@example.com` });
  const page = await context.newPage();
  await page.goto(data.link);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button").last().click();
  await page.waitForURL(where);
  return page;
}

/** Reads from the API as whoever is signed in there: drafts are shown to their author alone. */
export async function readAs(server, context, path) {
  const given = await context.request.post(server.url + "/studio/token", { data: {}, headers: { Origin: server.url } });
  const r = await fetch(server.url + "/v1" + path, { headers: { Authorization: `Bearer ${(await given.json()).access_token}` } });
  if (!r.ok) throw new Error(`${path}: ${r.status} ${await r.text()}`);
  return r.json();
}

/** The text of the editor of a page. */
export const content = (page) => page.getByRole("textbox", { name: "Content" });

/** Waits until the state of saving reads like this. */
export const saving = (page, state) => page.getByRole("status").filter({ hasText: new RegExp(`^${state}$`) }).waitFor();

export async function picture(page, name) {
  const folder = process.env.OCTAVO_TEST_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, name + ".png") });
}
