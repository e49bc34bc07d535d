// An OAuth client: registers itself, requests authorization in the browser, exchanges the code for tokens.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";

export async function startApp(service, name) {
  let back;
  const server = createServer((request, response) => {
    back ??= new URL(request.url, "http://127.0.0.1").searchParams;
    response
      .writeHead(200, { "content-type": "text/html" })
      .end('<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>App</title>Back in the app.</html>');
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const redirect = `http://127.0.0.1:${server.address().port}/callback`;
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const registered = await fetch(`${service}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: "none" }),
  });
  assert.equal(registered.status, 201);
  const { client_id } = await registered.json();
  const token = async (fields) =>
    (
      await fetch(`${service}/oauth/token`, { method: "POST", body: new URLSearchParams({ client_id, ...fields }) })
    ).json();
  return {
    /** The URL of the authorization request. */
    authorizationUrl() {
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const fields = {
        client_id,
        redirect_uri: redirect,
        response_type: "code",
        code_challenge: challenge,
        code_challenge_method: "S256",
        state,
      };
      return `${service}/oauth/authorize?${new URLSearchParams(fields)}`;
    },
    /** Exchanges the authorization code for tokens. */
    exchange() {
      assert.deepEqual([back?.get("state"), back?.get("iss")], [state, service]);
      return token({
        grant_type: "authorization_code",
        code: back.get("code"),
        redirect_uri: redirect,
        code_verifier: verifier,
      });
    },
    refresh: (refresh_token) => token({ grant_type: "refresh_token", refresh_token }),
    stop: () => server.close(),
  };
}
