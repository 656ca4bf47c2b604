// Receives a webhook and a callback from the server at OCTAVO_URL and verifies
// them: the one with the library of Standard Webhooks, the other, whose
// signature that does not know, with what Node brings along.

import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { Webhook } from "standardwebhooks";

const { OCTAVO_URL: server, OCTAVO_ADMIN: token } = process.env;

const arrived = [];
const receiver = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  response.writeHead(204).end();
  arrived.push({ path: request.url, headers: request.headers, body });
  receiver.emit("arrived");
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
after(() => receiver.close());
const address = `http://127.0.0.1:${receiver.address().port}`;

async function post(path, body) {
  const answer = await fetch(server + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 201);
  return answer.json();
}

async function arrival(path) {
  for (;;) {
    const found = arrived.find((a) => a.path === path);
    if (found) return found;
    await once(receiver, "arrived");
  }
}

test("a webhook and a callback are verified", { timeout: 30_000 }, async () => {
  const { secret } = await post("/v1/webhooks", { url: `${address}/hook` });
  const page = await post("/v1/pages", {
    title: "Tést", slug: `told-${process.pid}`, content: "é", status: "published", callbackUrl: `${address}/callback`,
  });

  const hook = await arrival("/hook");
  const event = new Webhook(secret).verify(hook.body, hook.headers);
  assert.equal(event.type, "page.published");
  assert.deepEqual(event.data, page);
  assert.throws(() => new Webhook(secret).verify(hook.body + " ", hook.headers));

  const callback = await arrival("/callback");
  const { keys } = await (await fetch(`${server}/.well-known/webhook-keys`)).json();
  const signed = `${callback.headers["webhook-id"]}.${callback.headers["webhook-timestamp"]}.${callback.body}`;
  const [version, signature] = callback.headers["webhook-signature"].split(",");
  assert.equal(version, "v1a");
  const key = createPublicKey({ key: keys[0], format: "jwk" });
  assert.ok(verify(null, signed, key, Buffer.from(signature, "base64")));
  assert.ok(!verify(null, signed + " ", key, Buffer.from(signature, "base64")));
  assert.equal(callback.headers["webhook-id"], hook.headers["webhook-id"]);
});
