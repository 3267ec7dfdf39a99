// OpenAI's own client against concur serve. Usage: node openai.mjs BASE_URL KEY MODEL
import assert from 'node:assert/strict'
import OpenAI from 'openai'
import { calculate, calculator, check, done, equivalence, failure, product, question } from './check.mjs'

const [baseURL, apiKey, model] = process.argv.slice(2)
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0, timeout: 30_000 })
const chat = client.chat.completions
const messages = [{ role: 'user', content: question }]
const tools = [{ type: 'function', function: calculator }]
const runnable = [{ type: 'function', function: { ...calculator, parse: JSON.parse, function: calculate } }]

function assertUsage(usage) {
  assert.ok(usage.prompt_tokens > 0 && usage.completion_tokens > 0, JSON.stringify(usage))
  assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens)
}

function assertCall(choice) {
  assert.equal(choice.finish_reason, 'tool_calls')
  assert.equal(choice.message.tool_calls.length, 1)
  const [call] = choice.message.tool_calls
  assert.ok(call.id)
  assert.equal(call.type, 'function')
  assert.equal(call.function.name, 'calc')
  return call
}

await check('models', async () => {
  const ids = []
  for await (const m of client.models.list()) ids.push(m.id)
  assert.deepEqual(ids, [model])
})

await check('one model', async () => {
  assert.equal((await client.models.retrieve(model)).id, model)
  const e = await failure(client.models.retrieve('no-such-model'))
  assert.ok(e instanceof OpenAI.NotFoundError, e)
  assert.equal(e.code, 'model_not_found')
})

await check('settings', async () => {
  const reply = await chat.create({
    model, top_p: 0.9, max_tokens: 900, max_completion_tokens: 900, presence_penalty: 0, logit_bias: {}, reasoning_effort: 'low',
    store: false, metadata: { a: 'b' }, n: 1, messages: [{ role: 'assistant', name: 'planner', content: null }, { role: 'user', name: 'eve', content: question }],
  })
  assert.match(reply.choices[0].message.content, /^Answer: /m)
  assert.equal(reply.usage.completion_tokens_details.reasoning_tokens, 0)
})

await check('forced tools', async () => {
  assertCall((await chat.create({ model, messages, tools, tool_choice: 'required', parallel_tool_calls: false })).choices[0])
  assertCall((await chat.create({ model, messages, tools, tool_choice: { type: 'function', function: { name: 'calc' } } })).choices[0])
})

await check('completion', async () => {
  const reply = await chat.create({ model, messages, temperature: 0, seed: 7, stop: ['\n\n\n'], user: 'somebody' })
  assert.equal(reply.object, 'chat.completion')
  assert.match(reply.id, /^chatcmpl-/)
  assert.match(reply._request_id, /^req_/)
  assert.equal(reply.model, model)
  assert.ok(Math.abs(reply.created - Date.now() / 1000) < 600, `created ${reply.created}`)
  assert.equal(reply.choices.length, 1)
  const [choice] = reply.choices
  assert.equal(choice.index, 0)
  assert.equal(choice.finish_reason, 'stop')
  assert.equal(choice.message.role, 'assistant')
  assert.match(choice.message.content, /^Answer: /m)
  assert.equal(choice.message.tool_calls, undefined)
  assertUsage(reply.usage)
})

await check('forms of content', async () => {
  const asParts = [
    { role: 'developer', content: 'Answer the question.' },
    { role: 'user', content: [{ type: 'text', text: question }] },
  ]
  assertCall((await chat.create({ model, messages: asParts, tools })).choices[0])
})

await check('tool round trip', async () => {
  const first = await chat.create({ model, messages, tools, tool_choice: 'auto', parallel_tool_calls: true })
  const call = assertCall(first.choices[0])
  const content = calculate(JSON.parse(call.function.arguments))
  const last = await chat.create({
    model, tools, messages: [...messages, first.choices[0].message, { role: 'tool', tool_call_id: call.id, content }],
  })
  assert.equal(last.choices[0].finish_reason, 'stop')
  assert.match(last.choices[0].message.content, new RegExp(`^Answer: ${product}$`, 'm'))
  assertUsage(last.usage)
})

await check('tool_choice none', async () => {
  const reply = await chat.create({ model, messages, tools, tool_choice: 'none' })
  assert.equal(reply.choices[0].finish_reason, 'stop')
  assert.equal(reply.choices[0].message.tool_calls, undefined)
})

await check('runTools', async () => {
  const runner = chat.runTools({ model, messages, tools: runnable })
  assert.match(await runner.finalContent(), new RegExp(`^Answer: ${product}$`, 'm'))
  assert.deepEqual(runner.messages.map((m) => m.role), ['user', 'assistant', 'tool', 'assistant'])
  assertUsage(await runner.totalUsage())
})

await check('json_schema', async () => {
  const { name, schema, prompt } = equivalence
  const reply = await chat.create({
    model, messages: [{ role: 'user', content: prompt }], response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } },
  })
  assert.deepEqual(JSON.parse(reply.choices[0].message.content), { equivalent: true, difference: '' })
})

await check('stream of text', async () => {
  const whole = await chat.create({ model, messages, seed: 7 })
  let text = ''
  let usage, finish, pieces = 0
  for await (const chunk of await chat.create({ model, messages, seed: 7, stream: true, stream_options: { include_usage: true } })) {
    assert.equal(chunk.object, 'chat.completion.chunk')
    const piece = chunk.choices[0]?.delta.content ?? ''
    text += piece
    if (piece) pieces++
    finish = chunk.choices[0]?.finish_reason ?? finish
    usage = chunk.usage ?? usage
  }
  assert.equal(text, whole.choices[0].message.content)
  assert.ok(pieces >= text.length / 64, `${pieces} pieces`)
  assert.equal(finish, 'stop')
  assert.deepEqual(usage, whole.usage)
})

await check('stream of a tool call', async () => {
  const reply = await chat.stream({ model, messages, tools }).finalChatCompletion()
  calculate(JSON.parse(assertCall(reply.choices[0]).function.arguments))
})

await check('runTools, streaming', async () => {
  const runner = chat.runTools({ model, messages, tools: runnable, stream: true })
  assert.match(await runner.finalContent(), new RegExp(`^Answer: ${product}$`, 'm'))
  assert.deepEqual(runner.messages.map((m) => m.role), ['user', 'assistant', 'tool', 'assistant'])
})

await check('many at once', async () => {
  const replies = await Promise.all([...Array(16).keys()].map((i) =>
    chat.create({ model, tools, messages: [{ role: 'user', content: `What is ${1000 + i} times 89?` }] })))
  replies.forEach((r, i) => assert.match(assertCall(r.choices[0]).function.arguments, new RegExp(`\\b${1000 + i}\\b`)))
})

await check('error 401', async () => {
  const e = await failure(client.withOptions({ apiKey: 'wrong' }).chat.completions.create({ model, messages }))
  assert.ok(e instanceof OpenAI.AuthenticationError, e)
  assert.equal(e.status, 401)
  assert.match(e.requestID, /^req_/)
  assert.equal(e.code, 'invalid_api_key')
})

await check('error 404, model', async () => {
  const e = await failure(chat.create({ model: 'no-such-model', messages }))
  assert.ok(e instanceof OpenAI.NotFoundError, e)
  assert.equal(e.code, 'model_not_found')
  assert.equal(e.param, 'model')
  assert.match(e.message, /no-such-model/)
})

await check('error 404, path', async () => {
  const e = await failure(client.embeddings.create({ model, input: question }))
  assert.ok(e instanceof OpenAI.NotFoundError, e)
  assert.equal(e.code, 'unknown_url')
})

await check('error 400, parameter', async () => {
  const e = await failure(chat.create({ model, messages, n: 2 }))
  assert.ok(e instanceof OpenAI.BadRequestError, e)
  assert.equal(e.type, 'invalid_request_error')
  assert.equal(e.param, 'n')
})

await check('error 400, streaming', async () => {
  const e = await failure(chat.create({ model, messages, n: 2, stream: true }))
  assert.ok(e instanceof OpenAI.BadRequestError, e)
  assert.equal(e.param, 'n')
})

await check('error 400, message', async () => {
  const e = await failure(chat.create({ model, messages: [...messages, { role: 'tool', content: 'lost' }] }))
  assert.ok(e instanceof OpenAI.BadRequestError, e)
  assert.equal(e.param, 'messages[1].tool_call_id')
})

await check('error 400, json_object of the offline model', async () => {
  const e = await failure(chat.create({ model, messages, response_format: { type: 'json_object' } }))
  assert.ok(e instanceof OpenAI.BadRequestError, e)
  assert.match(e.message, /response_format/)
})

await check('error 400, from the model', async () => {
  const json_schema = { name: 'unheard_of', schema: { type: 'object' } }
  const e = await failure(chat.create({ model, messages, response_format: { type: 'json_schema', json_schema } }))
  assert.ok(e instanceof OpenAI.BadRequestError, e)
  assert.match(e.message, /unheard_of/)
})

done()
