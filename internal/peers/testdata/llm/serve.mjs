// A small language model behind one slot of llama.cpp, as an OpenAI-compatible endpoint of chat
// completions and of log-probabilities. Usage: node serve.mjs MODEL.gguf. It prints its address, and ends with its
// standard input, so that it cannot outlive who started it.
//
// Requests are answered one at a time. Of a request it uses messages, tools, max_tokens,
// temperature, seed, stop and a JSON schema in response_format; it refuses stream.
import { createServer } from 'node:http'
import { getLlama, LlamaCompletion } from 'node-llama-cpp'

const threads = 1 // two that wait for each other on a busy machine are ten times slower
const contextSize = 8192
const llama = await getLlama({ gpu: false, build: 'never', maxThreads: threads, logLevel: 'error' })
const model = await llama.loadModel({ modelPath: process.argv[2] })
const context = await model.createContext({ contextSize, threads })
const sequence = context.getSequence()
const completion = new LlamaCompletion({ contextSequence: sequence })

// turn writes a message as ChatML. What it says cannot become a mark of the format.
const turn = (role, content) => [
  ...model.tokenize(`<|im_start|>${role}\n`, true), ...model.tokenize(content, false), ...model.tokenize('<|im_end|>\n', true),
]

// toolPrompt tells the model of tools in the words that SmolLM2 was trained with.
const toolPrompt = (tools) => `You have access to the following tools:
<tools>${JSON.stringify(tools.map((t) => t.function))}</tools>
To call one, write
<tool_call>
{"name": "…", "arguments": {…}}
</tool_call>`

const textOf = (content) => (Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : content ?? '')

function prompt({ messages, tools }) {
  const tokens = []
  for (const [i, m] of messages.entries()) {
    let content = textOf(m.content)
    if (i === 0 && tools?.length) content += '\n\n' + toolPrompt(tools)
    for (const { function: f } of m.tool_calls ?? []) {
      content += `\n<tool_call>\n{"name": ${JSON.stringify(f.name)}, "arguments": ${f.arguments}}\n</tool_call>`
    }
    if (m.role === 'tool') tokens.push(...turn('user', `<tool_response>\n${content}\n</tool_response>`))
    else tokens.push(...turn(m.role, content.trim()))
  }
  return [...tokens, ...model.tokenize('<|im_start|>assistant\n', true)]
}

// calls takes the tool calls out of a reply. One that is not JSON stays in its text.
function calls(text, tools) {
  const found = []
  if (!tools?.length) return { content: text, found }
  const content = text.replace(/<tool_call>\s*(\{[^]*?\})\s*<\/tool_call>/g, (whole, inner) => {
    try {
      const { name, arguments: args } = JSON.parse(inner)
      found.push({ id: `call_${found.length}`, type: 'function', function: { name, arguments: JSON.stringify(args) } })
      return ''
    } catch {
      return whole
    }
  })
  return { content: content.trim(), found }
}

class Refusal extends Error {
  constructor(message, code) {
    super(message)
    this.body = { error: { message, type: 'invalid_request_error', code } }
  }
}

async function answer(body, signal) {
  if (body.stream) throw new Refusal('stream is not supported', 'unsupported_value')
  const input = prompt(body)
  const most = Math.min(body.max_tokens ?? body.max_completion_tokens ?? contextSize, contextSize - input.length)
  if (most < 1) throw new Refusal(`the prompt has ${input.length} tokens, the context ${contextSize}`, 'context_length_exceeded')
  const held = sequence.contextTokens
  const differs = input.findIndex((token, i) => token !== held[i])
  const cached = differs < 0 ? input.length : differs
  const schema = body.response_format?.json_schema?.schema
  const before = sequence.tokenMeter.getState()
  const { response, metadata } = await completion.generateCompletionWithMeta(input, {
    maxTokens: most, temperature: body.temperature ?? 1, seed: body.seed, signal,
    grammar: schema && (await llama.createGrammarForJsonSchema(schema)),
    customStopTriggers: [body.stop ?? []].flat(),
  })
  const used = sequence.tokenMeter.diff(before).usedOutputTokens
  const { content, found } = calls(response, body.tools)
  const finish = metadata.stopReason === 'maxTokens' ? 'length' : found.length ? 'tool_calls' : 'stop'
  return {
    id: 'chatcmpl', object: 'chat.completion', created: 0, model: body.model,
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, ...(found.length && { tool_calls: found }) } }],
    usage: {
      prompt_tokens: input.length, completion_tokens: used, total_tokens: input.length + used,
      prompt_tokens_details: { cached_tokens: cached },
    },
  }
}

// score answers a request for a text completion with the log-probabilities of the prompt's tokens. It writes no text.
async function score({ model: name, prompt, echo, logprobs, max_tokens: most }) {
  if (typeof prompt !== 'string' || !echo || logprobs == null || !(most <= 1)) {
    throw new Refusal('only echo with logprobs and max_tokens 1 is supported', 'unsupported_value')
  }
  const tokens = model.tokenize(prompt, false)
  if (tokens.length > contextSize) throw new Refusal(`the prompt has ${tokens.length} tokens, the context ${contextSize}`, 'context_length_exceeded')
  await sequence.clearHistory()
  const options = { temperature: 1, minP: 0, topK: 0, topP: 1 } // the model's own probabilities
  const found = await sequence.controlledEvaluate(tokens.slice(0, -1).map((token, i) => [token, { generateNext: {
    logits: { filter: { tokens: [tokens[i + 1]], includeTop: 1 } }, totalLogitWeight: true, options,
  } }]))
  const values = found.map(({ next: { logits, totalLogitWeight } }, i) => (
    Math.min(0, logits.get(tokens[i + 1]) - Math.max(...logits.values()) - Math.log(totalLogitWeight))
  ))
  return {
    id: 'cmpl', object: 'text_completion', created: 0, model: name,
    choices: [{ index: 0, text: prompt, finish_reason: 'length', logprobs: {
      tokens: tokens.map((token) => model.detokenize([token], true)), token_logprobs: [null, ...values], top_logprobs: null,
    } }],
    usage: { prompt_tokens: tokens.length, completion_tokens: 0, total_tokens: tokens.length },
  }
}

const answers = { '/v1/chat/completions': answer, '/v1/completions': score }

let slot = Promise.resolve()
const server = createServer(async (req, res) => {
  const left = new AbortController()
  res.on('close', () => left.abort())
  const reply = (status, value) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  let raw = ''
  for await (const piece of req.setEncoding('utf8')) raw += piece
  const respond = req.method === 'POST' && answers[req.url]
  if (!respond) return reply(404, { error: { message: `no ${req.url} here` } })
  slot = slot.then(async () => {
    if (left.signal.aborted) return
    try {
      reply(200, await respond(JSON.parse(raw), left.signal))
    } catch (e) {
      if (!left.signal.aborted) reply(e instanceof Refusal ? 400 : 500, e.body ?? { error: { message: String(e?.stack ?? e) } })
    }
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
process.stdin.resume().on('end', () => process.exit(0))
