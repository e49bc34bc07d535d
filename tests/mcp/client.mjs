// The official TypeScript clients: version 1, and version 2 with both lifecycles. Tools, resources and prompts.
import assert from 'node:assert/strict'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client'

const [url, key] = process.argv.slice(2)
const endpoint = new URL('/api/mcp', url)
const options = { requestInit: { headers: { Authorization: `Bearer ${key}` } } }
const me = { name: 'rondo-tests', version: '1' }

const variants = [
  ['version 1', () => new Client1(me), () => new Transport1(endpoint, options)],
  ['version 2, initialize', () => new Client2(me), () => new Transport2(endpoint, options)],
  ['version 2, 2026-07-28', () => new Client2(me, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), () => new Transport2(endpoint, options)],
]

const square = {
  width: 320, height: 180, fps: 10, durationInFrames: 20, backgroundColor: '#102030',
  overlays: [{ id: 1, type: 'shape', content: 'heart', row: 0, from: 0, durationInFrames: 20, left: 110, top: 40, width: 100, height: 100, styles: { fill: '#ff3366' } }],
}

for (const [name, makeClient, makeTransport] of variants) {
  const client = makeClient()
  await client.connect(makeTransport())
  const { tools } = await client.listTools()
  assert.ok(tools.length >= 17, `${tools.length} tools`)
  // The clients validate structured results against the output schemas.
  const call = async (tool, args = {}) => {
    const result = await client.callTool({ name: tool, arguments: args })
    assert.ok(!result.isError, JSON.stringify(result))
    return result
  }
  const templates = (await call('list_templates')).structuredContent.templates
  await call('get_template', { templateId: templates[0].templateId })
  await call('get_variables', { templateId: templates[0].templateId })
  await call('list_projects')
  for (const area of tools.find(tool => tool.name === 'list_registry').inputSchema.properties.area.enum) await call('list_registry', { area })
  const checked = await call('check_composition', { inputProps: square })
  assert.equal(checked.structuredContent.valid, true)
  const seen = await call('preview_frames', { inputProps: square, frames: [3] })
  const image = seen.content.find(content => content.type === 'image')
  assert.equal(Buffer.from(image.data, 'base64').readUInt16BE(0), 0xffd8)
  await call('preview', { inputProps: square })
  const job = (await call('render', { inputProps: square, createProject: true, projectName: 'Heart' })).structuredContent
  const updates = []
  const args = { name: 'get_render', arguments: { jobId: job.jobId, waitSeconds: 60, includeComposition: true } }
  const progress = { onprogress: update => updates.push(update) }
  const render = name === 'version 1' ? await client.callTool(args, undefined, progress) : await client.callTool(args, progress)
  assert.equal(render.structuredContent.status, 'COMPLETED')
  assert.ok(updates.length > 0, 'no progress was reported')
  await call('list_renders', { limit: 3 })
  await call('cancel_render', { jobId: job.jobId })
  await call('get_variables', { projectId: job.projectId })
  await call('create_upload', { contentType: 'image/png' })
  await call('account')
  await call('usage')
  await call('get_guide', { overlay: 'text' })
  const refused = await client.callTool({ name: 'render', arguments: { inputProps: { overlays: [] } } })
  assert.ok(refused.isError && refused.content[0].text.includes('durationInFrames'))
  const { resources } = await client.listResources()
  for (const { uri } of resources) assert.equal((await client.readResource({ uri })).contents.length, 1)
  await assert.rejects(client.readResource({ uri: 'rondo://nothing' }))
  const { prompts } = await client.listPrompts()
  for (const prompt of prompts) {
    const given = Object.fromEntries(prompt.arguments.map(argument => [argument.name, 'bees']))
    assert.equal((await client.getPrompt({ name: prompt.name, arguments: given })).messages.length, 1)
  }
  await client.close()
  console.log(`   passed  ${name}: ${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`)
}

await assert.rejects(new Client1(me).connect(new Transport1(endpoint)), { code: 401 })
console.log('   passed  without a key: rejected')
