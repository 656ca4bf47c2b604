// Signs a person in with openid-client, as a web application and as a service
// would: discovery, code with PKCE, ID token, userinfo, refresh, revocation,
// logout, client credentials. Needs OCTAVO_URL, and the clients and the person
// that scripts/test-clients makes.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as client from "openid-client";

const { OCTAVO_URL, OCTAVO_CLIENT, OCTAVO_CLIENT_SECRET, OCTAVO_PUBLIC_CLIENT, OCTAVO_EMAIL, OCTAVO_PASSWORD } = process.env;
const redirect_uri = "https://wiki.example/callback";
const scope = "openid profile email offline_access pages:read pages:write";

const discover = (id, secret) =>
	client.discovery(new URL(OCTAVO_URL), id, secret, secret ? undefined : client.None(), { execute: [client.allowInsecureRequests] });

// browser keeps cookies, follows redirects on the server, and fills in forms.
class Browser {
	cookies = new Map();

	async fetch(url, form) {
		const response = await fetch(new URL(url, OCTAVO_URL), {
			method: form ? "POST" : "GET",
			body: form,
			redirect: "manual",
			headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
		});
		for (const cookie of response.headers.getSetCookie()) {
			const [, name, value] = cookie.match(/^([^=]+)=([^;]*)/);
			this.cookies.set(name, value);
		}
		return response;
	}

	// walk signs in and consents, and returns the address outside of the server
	// that it is led to.
	async walk(url) {
		let response = await this.fetch(url);
		for (let step = 0; step < 8; step++) {
			const location = response.headers.get("location");
			if (location) {
				const next = new URL(location, OCTAVO_URL);
				if (next.origin !== new URL(OCTAVO_URL).origin) return next;
				response = await this.fetch(next);
				continue;
			}
			const page = await response.text();
			const form = new URLSearchParams();
			for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
				form.set(name, value.replaceAll("&#43;", "+").replaceAll("&#39;", "'").replaceAll("&#34;", '"').replaceAll("&amp;", "&"));
			}
			if (page.includes("Allow access?")) {
				form.set("decision", "allow");
				response = await this.fetch("/oauth/authorize", form);
			} else {
				assert.match(page, /action="\/login"/);
				form.set("email", OCTAVO_EMAIL);
				form.set("password", OCTAVO_PASSWORD);
				response = await this.fetch("/login", form);
			}
		}
		assert.fail(`${url} leads nowhere`);
	}
}

for (const [kind, id, secret] of [
	["a confidential client", OCTAVO_CLIENT, OCTAVO_CLIENT_SECRET],
	["a public client", OCTAVO_PUBLIC_CLIENT, undefined],
]) {
	test(`${kind} signs a person in`, async () => {
		const config = await discover(id, secret);
		const browser = new Browser();
		const pkceCodeVerifier = client.randomPKCECodeVerifier();
		const expectedState = client.randomState();
		const expectedNonce = client.randomNonce();
		const code_challenge = await client.calculatePKCECodeChallenge(pkceCodeVerifier);
		const url = client.buildAuthorizationUrl(config, {
			redirect_uri, scope, state: expectedState, nonce: expectedNonce, code_challenge, code_challenge_method: "S256", max_age: "600",
		});
		const back = await browser.walk(url);
		const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 600, idTokenExpected: true };
		const tokens = await client.authorizationCodeGrant(config, back, checks);
		const claims = tokens.claims();
		assert.equal(claims.email, OCTAVO_EMAIL);
		assert.equal(tokens.scope, "pages:read pages:write openid profile email offline_access");

		const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
		assert.equal(info.email, OCTAVO_EMAIL);

		const pages = await client.fetchProtectedResource(config, tokens.access_token, new URL("/v1/pages", OCTAVO_URL), "GET");
		assert.equal(pages.status, 200);

		const fresh = await client.refreshTokenGrant(config, tokens.refresh_token);
		assert.notEqual(fresh.refresh_token, tokens.refresh_token);
		await client.tokenRevocation(config, fresh.refresh_token);
		await assert.rejects(client.refreshTokenGrant(config, fresh.refresh_token), { error: "invalid_grant" });
		const refused = await fetch(new URL("/v1/pages", OCTAVO_URL), { headers: { authorization: `Bearer ${fresh.access_token}` } });
		assert.equal(refused.status, 401);

		await assert.rejects(client.authorizationCodeGrant(config, back, checks), { error: "invalid_grant" });

		const out = client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token, post_logout_redirect_uri: redirect_uri, state: "bye" });
		assert.equal((await browser.walk(out)).href, `${redirect_uri}?state=bye`);
	});
}

test("a person says no, and the client is told by whom", async () => {
	const config = await discover(OCTAVO_PUBLIC_CLIENT);
	const code_challenge = await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier());
	const url = client.buildAuthorizationUrl(config, { redirect_uri, scope, code_challenge, code_challenge_method: "S256", prompt: "none" });
	const back = await new Browser().walk(url);
	await assert.rejects(client.authorizationCodeGrant(config, back), { error: "login_required" });
});

test("a service acts by itself", async () => {
	const config = await discover(OCTAVO_CLIENT, OCTAVO_CLIENT_SECRET);
	const tokens = await client.clientCredentialsGrant(config, { scope: "pages:write" });
	const created = await client.fetchProtectedResource(config, tokens.access_token, new URL("/v1/pages", OCTAVO_URL), "POST",
		JSON.stringify({ title: "By a service", slug: "by-a-service", content: "x" }), new Headers({ "content-type": "application/json" }));
	assert.equal(created.status, 201);
});
