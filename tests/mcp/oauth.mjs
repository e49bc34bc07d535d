// OAuth with the official TypeScript clients: discovery, registration or a metadata document, PKCE, a call, a refreshed token.
import assert from 'node:assert/strict'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client'

const [url, cookie, document] = process.argv.slice(2)
const endpoint = new URL('/api/mcp', url)
const me = { name: 'rondo-tests', version: '1' }

/** Stores the state of a client, and the URL it redirects the user to. */
class Provider {
  constructor(clientMetadataUrl) {
    if (clientMetadataUrl) this.clientMetadataUrl = clientMetadataUrl
  }
  redirectUrl = 'http://127.0.0.1:9/callback'
  clientMetadata = {
    client_name: 'Tests', redirect_uris: [this.redirectUrl], grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'], token_endpoint_auth_method: 'none',
  }
  clientInformation() { return this.client }
  saveClientInformation(client) { this.client = client }
  tokens() { return this.kept }
  saveTokens(tokens) { this.kept = tokens }
  redirectToAuthorization(address) { this.address = address }
  saveCodeVerifier(verifier) { this.verifier = verifier }
  codeVerifier() { return this.verifier }
  saveDiscoveryState(state) { this.discovered = state }
  discoveryState() { return this.discovered }
}

/** Grants access as a signed-in user and returns the parameters of the redirect. */
async function allow(address) {
  const page = await (await fetch(address, { headers: { cookie } })).text()
  const form = new URLSearchParams({ decision: 'allow' })
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)) {
    form.append(name, value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
  }
  const answer = await fetch(new URL('/oauth/authorize', url), { method: 'POST', redirect: 'manual', headers: { cookie, origin: url }, body: form })
  assert.equal(answer.status, 303, await answer.text())
  return new URL(answer.headers.get('location')).searchParams
}

const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } }
const variants = [
  ['version 1, registered', undefined, () => new Client1(me), options => new Transport1(endpoint, options), back => [back.get('code')]],
  ['version 2, registered', undefined, () => new Client2(me), options => new Transport2(endpoint, options), back => [back]],
  ['version 2, with a metadata document', document, () => new Client2(me, modern), options => new Transport2(endpoint, options), back => [back]],
]

for (const [name, known, makeClient, makeTransport, parameters] of variants) {
  const provider = new Provider(known)
  const first = makeTransport({ authProvider: provider })
  await assert.rejects(makeClient().connect(first), /nauthorized/)
  assert.equal(provider.address.searchParams.get('resource'), endpoint.href)
  assert.equal(provider.address.searchParams.get('code_challenge_method'), 'S256')
  if (known) assert.equal(provider.address.searchParams.get('client_id'), known)
  await first.finishAuth(...parameters(await allow(provider.address)))
  const client = makeClient()
  await client.connect(makeTransport({ authProvider: provider }))
  const email = async () => (await client.callTool({ name: 'account', arguments: {} })).structuredContent.email
  assert.equal(await email(), 'agent@example.com')
  const before = provider.kept
  provider.kept = { ...before, access_token: 'rnt_gone' }
  assert.equal(await email(), 'agent@example.com')
  assert.notEqual(provider.kept.refresh_token, before.refresh_token)
  await client.close()
  console.log(`   passed  ${name}`)
}
