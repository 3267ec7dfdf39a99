// Anthropic's own client against concur serve. Usage: node anthropic.mjs BASE_URL KEY MODEL
import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { calculate, calculator, check, done, equivalence, failure, product, question } from './check.mjs'

const [baseURL, apiKey, model] = process.argv.slice(2)
const quiet = { baseURL, maxRetries: 0, timeout: 30_000, openTelemetry: false }
const client = new Anthropic({ ...quiet, apiKey })
const asked = { model, max_tokens: 1000, messages: [{ role: 'user', content: question }] }
const { name, description, parameters } = calculator
const tools = [{ name, description, input_schema: parameters }]
const runnable = () => [betaTool({ name, description, inputSchema: parameters, run: calculate })]

function assertUsage(usage) {
  assert.ok(usage.input_tokens > 0 && usage.output_tokens > 0, JSON.stringify(usage))
}

function assertCall(message) {
  assert.equal(message.stop_reason, 'tool_use')
  const calls = message.content.filter((b) => b.type === 'tool_use')
  assert.equal(calls.length, 1)
  assert.ok(calls[0].id)
  assert.equal(calls[0].name, 'calc')
  return calls[0]
}

const textOf = (message) => message.content.filter((b) => b.type === 'text').map((b) => b.text).join('')

function assertAnswer(message) {
  assert.equal(message.stop_reason, 'end_turn')
  assert.match(textOf(message), new RegExp(`^Answer: ${product}$`, 'm'))
}

// outcome is what answers a call, in the next turn.
const outcome = (call) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: calculate(call.input) }] })

await check('message', async () => {
  const reply = await client.messages.create({ ...asked, temperature: 0, metadata: { user_id: 'somebody' } })
  assert.equal(reply.type, 'message')
  assert.equal(reply.role, 'assistant')
  assert.equal(reply.model, model)
  assert.match(reply.id, /^msg_/)
  assert.match(reply._request_id, /^req_/)
  assert.equal(reply.stop_reason, 'end_turn')
  assert.match(textOf(reply), /^Answer: /m)
  assertUsage(reply.usage)
})

await check('models', async () => {
  const ids = []
  for await (const m of client.models.list()) ids.push(m.id)
  assert.deepEqual(ids, [model])
  const one = await client.models.retrieve(model)
  assert.deepEqual([one.id, one.type, one.display_name], [model, 'model', model])
  const e = await failure(client.models.retrieve('no-such-model'))
  assert.ok(e instanceof Anthropic.NotFoundError, e)
  assert.equal(e.type, 'not_found_error')
})

await check('settings', async () => {
  const reply = await client.messages.create({
    ...asked, top_p: 0.9, top_k: 40, thinking: { type: 'disabled' }, service_tier: 'auto', cache_control: { type: 'ephemeral' }, stop_sequences: ['\n\n\n'],
  })
  assert.match(textOf(reply), /^Answer: /m)
})

await check('any tool', async () => {
  assertCall(await client.messages.create({ ...asked, tools, tool_choice: { type: 'any', disable_parallel_tool_use: true } }))
})

await check('forms of content', async () => {
  const reply = await client.messages.create({
    ...asked, tools,
    system: [{ type: 'text', text: 'Answer the question.', cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
  })
  assertCall(reply)
})

await check('tool round trip', async () => {
  const first = await client.messages.create({ ...asked, tools, tool_choice: { type: 'auto' } })
  const messages = [...asked.messages, { role: 'assistant', content: first.content }, outcome(assertCall(first))]
  assertAnswer(await client.messages.create({ ...asked, tools, messages }))
})

await check('one call at a time', async () => {
  assertCall(await client.messages.create({ ...asked, tools, tool_choice: { type: 'auto', disable_parallel_tool_use: true } }))
})

// By this description the server knows the tool that stands for the form of the reply.
await check('forced tool', async () => {
  const reply = await client.messages.create({
    ...asked,
    messages: [{ role: 'user', content: equivalence.prompt }],
    tools: [{ name: equivalence.name, description: 'Gives the reply. Call it with the whole of your reply.', input_schema: equivalence.schema }],
    tool_choice: { type: 'tool', name: equivalence.name },
  })
  assert.equal(reply.stop_reason, 'tool_use')
  assert.deepEqual(reply.content.map((b) => [b.type, b.name, b.input]), [['tool_use', equivalence.name, { equivalent: true, difference: '' }]])
})

await check('stream of text', async () => {
  const whole = await client.messages.create(asked)
  const stream = client.messages.stream(asked)
  const pieces = []
  stream.on('text', (piece) => pieces.push(piece))
  const reply = await stream.finalMessage()
  assert.equal(reply.stop_reason, 'end_turn')
  assert.equal(pieces.join(''), textOf(whole))
  assert.ok(pieces.length >= textOf(whole).length / 64, `${pieces.length} pieces`)
  assert.equal(textOf(reply), textOf(whole))
  assert.deepEqual(reply.usage, whole.usage)
  assert.match(stream.request_id, /^req_/)
})

await check('stream of a tool call', async () => {
  const types = []
  for await (const event of await client.messages.create({ ...asked, tools, stream: true })) types.push(event.type)
  assert.equal(types[0], 'message_start')
  assert.deepEqual(types.slice(-2), ['message_delta', 'message_stop'])
  const first = await client.messages.stream({ ...asked, tools }).finalMessage()
  const messages = [...asked.messages, { role: 'assistant', content: first.content }, outcome(assertCall(first))]
  assertAnswer(await client.messages.stream({ ...asked, tools, messages }).finalMessage())
})

await check('toolRunner', async () => {
  assertAnswer(await client.beta.messages.toolRunner({ ...asked, tools: runnable(), thread: false }).runUntilDone())
})

await check('toolRunner, streaming', async () => {
  let last
  for await (const stream of client.beta.messages.toolRunner({ ...asked, tools: runnable(), thread: false, stream: true })) last = await stream.finalMessage()
  assertAnswer(last)
})

// Unless told otherwise, the runner leaves the conversation with the server and sends what
// is new. It sends all of it where the server says thread_unsupported_request.
await check('toolRunner, threaded', async () => {
  assertAnswer(await client.beta.messages.toolRunner({ ...asked, tools: runnable() }).runUntilDone())
})

await check('many at once', async () => {
  const replies = await Promise.all([...Array(16).keys()].map((i) =>
    client.messages.create({ ...asked, tools, messages: [{ role: 'user', content: `What is ${1000 + i} times 89?` }] })))
  replies.forEach((r, i) => assert.match(assertCall(r).input.expression, new RegExp(`\\b${1000 + i}\\b`)))
})

// The client has sent keys as x-api-key before version 1 and sends bearer tokens since.
await check('key as x-api-key', async () => {
  const older = new Anthropic({ ...quiet, apiKey: null, authToken: null, defaultHeaders: { 'X-Api-Key': apiKey } })
  assert.equal((await older.messages.create(asked)).type, 'message')
})

await check('error 401', async () => {
  const e = await failure(client.withOptions({ apiKey: 'wrong' }).messages.create(asked))
  assert.ok(e instanceof Anthropic.AuthenticationError, e)
  assert.equal(e.type, 'authentication_error')
  assert.match(e.requestID, /^req_/)
})

await check('error 404', async () => {
  const e = await failure(client.messages.create({ ...asked, model: 'no-such-model' }))
  assert.ok(e instanceof Anthropic.NotFoundError, e)
  assert.equal(e.type, 'not_found_error')
  assert.match(e.message, /no-such-model/)
})

await check('error 404, count_tokens', async () => {
  const e = await failure(client.messages.countTokens({ model, messages: asked.messages }))
  assert.ok(e instanceof Anthropic.NotFoundError, e)
  assert.equal(e.type, 'not_found_error')
})

await check('error 400', async () => {
  for (const wrong of [{ max_tokens: 0 }, { container: 'c' }, { messages: [outcome({ id: 'toolu_lost', input: { expression: '1234567*89' } })] }]) {
    const e = await failure(client.messages.create({ ...asked, ...wrong }))
    assert.ok(e instanceof Anthropic.BadRequestError, e)
    assert.equal(e.type, 'invalid_request_error')
  }
})

await check('error 400, streaming', async () => {
  const e = await failure(client.messages.stream({ ...asked, container: 'c' }).finalMessage())
  assert.ok(e instanceof Anthropic.BadRequestError, e)
  assert.match(e.message, /container/)
})

done()
