// Has a person sign in to a server with oidc-provider, an OpenID provider that
// others keep. Needs OCTAVO_BINARY, and OCTAVO_SIGNIN_DATA, a folder to be made.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Provider } from "oidc-provider";

const { OCTAVO_BINARY, OCTAVO_SIGNIN_DATA } = process.env;
const client_secret = "a-secret-of-this-test-alone";
const person = { email: "ann@example.com", email_verified: true, name: "Ann", groups: ["writers"] };

// listening returns a server for HTTP on a free port.
async function listening() {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	return server;
}

// freeAddress returns an address that nobody listens on.
async function freeAddress() {
	const server = await listening();
	const { port } = server.address();
	await new Promise((done) => server.close(done));
	return `127.0.0.1:${port}`;
}

// start starts a server at an address that trusts an issuer.
async function start(t, addr, issuer) {
	const options = {
		data: OCTAVO_SIGNIN_DATA, addr, "ops-addr": "", "log-level": "warn", "allow-private-destinations": "127.0.0.0/8",
		"signin-issuer": issuer, "signin-client-id": "octavo", "signin-scopes": "openid,profile,email,groups", "signin-roles": "writers=editor",
	};
	const server = spawn(OCTAVO_BINARY, ["serve", ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)], {
		env: { ...process.env, OCTAVO_SIGNIN_CLIENT_SECRET: client_secret },
		stdio: ["ignore", "ignore", "pipe"],
	});
	t.after(async () => {
		const ended = once(server, "exit");
		server.kill();
		await ended;
	});
	for await (const line of createInterface({ input: server.stderr })) {
		if (line.startsWith("octavo: listening on ")) {
			server.stderr.resume();
			return;
		}
	}
	throw new Error("the server ended before it listened");
}

// browser keeps cookies by server, and goes where it is led.
function browser() {
	const jars = new Map();
	return async (url, form) => {
		for (let step = 0; step < 12; step++) {
			const { origin } = new URL(url);
			const jar = jars.get(origin) ?? jars.set(origin, new Map()).get(origin);
			const response = await fetch(url, {
				method: form ? "POST" : "GET",
				body: form && new URLSearchParams(form),
				redirect: "manual",
				headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
			});
			for (const cookie of response.headers.getSetCookie()) {
				const [, name, value] = cookie.match(/^([^=]+)=([^;]*)/);
				jar.set(name, value);
			}
			form = undefined;
			const to = response.headers.get("location") ?? response.headers.get("refresh")?.replace("0; url=", "");
			const text = await response.text();
			if (!to) {
				return { url, status: response.status, text };
			}
			url = new URL(to, url).href;
		}
		throw new Error(`${url} leads nowhere`);
	};
}

test("a person signs in with oidc-provider", async (t) => {
	const listener = await listening();
	t.after(() => listener.close().closeAllConnections());
	const issuer = `http://127.0.0.1:${listener.address().port}`;
	const addr = await freeAddress();
	const url = `http://${addr}`;
	const provider = new Provider(issuer, {
		clients: [{ client_id: "octavo", client_secret, redirect_uris: [`${url}/login/callback`], application_type: "native" }],
		scopes: ["openid", "profile", "email", "groups"],
		claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
		findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...person }) }),
	});
	listener.on("request", provider.callback());
	await start(t, addr, issuer);

	const go = browser();
	let page = await go(`${url}/login/provider`);
	for (const form of [{ prompt: "login", login: "ann", password: "any" }, { prompt: "consent" }]) {
		page = await go(new URL(page.text.match(/action="([^"]+)"/)[1], page.url).href, form);
	}
	assert.equal(page.url, `${url}/studio`); // whoever may write is led there
	page = await go(`${url}/account`);
	for (const text of ["<dd>Ann</dd>", "<dd>ann@example.com</dd>", "<dd>editor</dd>"]) {
		assert.ok(page.text.includes(text), `${text} is not in ${page.text}`);
	}
});
