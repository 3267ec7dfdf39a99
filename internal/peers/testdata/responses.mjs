// OpenAI's own client, by its Responses API, against concur serve. Usage: node responses.mjs BASE_URL KEY MODEL
import assert from 'node:assert/strict'
import OpenAI from 'openai'
import { calculate, calculator, check, done, equivalence, failure, product, question } from './check.mjs'

const [baseURL, apiKey, model] = process.argv.slice(2)
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0, timeout: 30_000 })
const { responses } = client
const tools = [{ type: 'function', ...calculator, strict: false }]
const answer = new RegExp(`^Answer: ${product}$`, 'm')

function assertUsage(usage) {
  assert.ok(usage.input_tokens > 0 && usage.output_tokens > 0, JSON.stringify(usage))
  assert.equal(usage.total_tokens, usage.input_tokens + usage.output_tokens)
  assert.equal(usage.input_tokens_details.cached_tokens, 0)
  assert.equal(usage.input_tokens_details.cache_write_tokens, 0)
  assert.equal(usage.output_tokens_details.reasoning_tokens, 0)
}

function assertCall(response) {
  assert.equal(response.status, 'completed')
  const calls = response.output.filter((item) => item.type === 'function_call')
  assert.equal(calls.length, 1)
  assert.ok(calls[0].call_id)
  assert.equal(calls[0].name, 'calc')
  return calls[0]
}

// outcome is what answers a call.
const outcome = (call) => ({ type: 'function_call_output', call_id: call.call_id, output: calculate(JSON.parse(call.arguments)) })

await check('text', async () => {
  const reply = await responses.create({ model, input: question, store: false, metadata: { a: 'b' }, temperature: 0, top_p: 0.9, max_output_tokens: 1000 })
  assert.equal(reply.object, 'response')
  assert.match(reply.id, /^resp_/)
  assert.match(reply._request_id, /^req_/)
  assert.equal(reply.status, 'completed')
  assert.equal(reply.error, null)
  assert.equal(reply.model, model)
  assert.equal(reply.top_p, 0.9)
  assert.deepEqual(reply.metadata, { a: 'b' })
  assert.deepEqual(reply.output.map((item) => [item.type, item.role, item.status]), [['message', 'assistant', 'completed']])
  assert.equal(reply.output[0].phase, 'final_answer')
  assert.match(reply.output_text, /^Answer: /m)
  assertUsage(reply.usage)
})

await check('without state', async () => {
  const settings = { model, tools, store: false, include: ['reasoning.encrypted_content'], reasoning: { effort: 'low', summary: 'auto' } }
  const input = [{ role: 'user', content: question }]
  for (;;) {
    const reply = await responses.create({ ...settings, input })
    const calls = reply.output.filter((item) => item.type === 'function_call')
    const texts = reply.output.filter((item) => item.type === 'message')
    assert.ok(texts.every((item) => item.phase === (calls.length ? 'commentary' : 'final_answer')), JSON.stringify(reply.output))
    if (!calls.length) {
      assert.match(reply.output_text, answer)
      break
    }
    input.push(...reply.output, ...calls.map(outcome))
  }
})

await check('embeddings are refused by name', async () => {
  const e = await failure(client.embeddings.create({ model: 'text-embedding-3-small', input: ['a'] }))
  assert.ok(e instanceof OpenAI.NotFoundError, e)
  assert.match(e.message, /no embeddings are served here/)
})

await check('tool round trip', async () => {
  const input = [
    { role: 'developer', content: 'Answer exactly.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] },
  ]
  const first = await responses.create({ model, input, tools, instructions: 'Answer the question.', reasoning: { effort: 'low' } })
  const last = await responses.create({ model, input: [...input, ...first.output, outcome(assertCall(first))], tools })
  assert.match(last.output_text, answer)
  assertUsage(last.usage)
})

await check('tool choice', async () => {
  assertCall(await responses.create({ model, input: question, tools, tool_choice: 'required', parallel_tool_calls: false }))
  assertCall(await responses.create({ model, input: question, tools, tool_choice: { type: 'function', name: 'calc' } }))
  const none = await responses.create({ model, input: question, tools, tool_choice: 'none' })
  assert.deepEqual(none.output.map((item) => item.type), ['message'])
})

await check('parse', async () => {
  const { name, schema, prompt } = equivalence
  const reply = await responses.parse({ model, input: prompt, text: { format: { type: 'json_schema', name, schema, strict: true } } })
  assert.deepEqual(JSON.parse(reply.output_text), { equivalent: true, difference: '' })
})

await check('stream of text', async () => {
  const whole = await responses.create({ model, input: question })
  const types = new Set()
  let text = '', pieces = 0, last
  for await (const event of await responses.create({ model, input: question, stream: true })) {
    types.add(event.type)
    if (event.type === 'response.output_text.delta') {
      text += event.delta
      pieces++
    }
    last = event
  }
  assert.equal(text, whole.output_text)
  assert.ok(pieces >= text.length / 64, `${pieces} pieces`)
  assert.equal(last.type, 'response.completed')
  assert.deepEqual(last.response.usage, whole.usage)
  assert.ok(types.has('response.created') && types.has('response.output_item.done'), [...types].join())
})

await check('stream, put together', async () => {
  const first = await responses.stream({ model, input: question, tools }).finalResponse()
  const input = [{ role: 'user', content: question }, ...first.output, outcome(assertCall(first))]
  const stream = responses.stream({ model, input, tools })
  const seen = []
  stream.on('response.output_text.delta', (event) => seen.push(event.delta))
  const last = await stream.finalResponse()
  assert.match(last.output_text, answer)
  assert.equal(seen.join(''), last.output_text)
})

await check('error 400, previous_response_id', async () => {
  const e = await failure(responses.create({ model, input: question, previous_response_id: 'resp_1' }))
  assert.ok(e instanceof OpenAI.BadRequestError, e)
  assert.equal(e.param, 'previous_response_id')
  assert.match(e.message, /send the whole conversation as input/)
})

await check('error 400, streaming', async () => {
  const e = await failure(responses.create({ model, input: question, tools: [{ type: 'web_search' }], stream: true }))
  assert.ok(e instanceof OpenAI.BadRequestError, e)
  assert.match(e.message, /web_search/)
})

await check('error 401', async () => {
  const e = await failure(client.withOptions({ apiKey: 'wrong' }).responses.create({ model, input: question }))
  assert.ok(e instanceof OpenAI.AuthenticationError, e)
})

await check('error 404', async () => {
  const e = await failure(responses.create({ model: 'no-such-model', input: question }))
  assert.ok(e instanceof OpenAI.NotFoundError, e)
  assert.equal(e.code, 'model_not_found')
  assert.ok((await failure(responses.retrieve('resp_1'))) instanceof OpenAI.NotFoundError)
})

done()
