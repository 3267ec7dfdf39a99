// Runs named cases and prints one line of JSON for each, which the Go test reads.

const print = (line) => console.log(JSON.stringify(line))

export async function check(name, run) {
  try {
    await run()
    print({ name, status: 'pass', detail: '' })
  } catch (e) {
    print({ name, status: 'fail', detail: e?.stack ?? String(e) })
  }
}

// done is the last line: without it the program broke off.
export const done = () => print({ name: '', status: 'done', detail: '' })

// failure gives the error that a promise must end in.
export async function failure(promise) {
  let value
  try {
    value = await promise
  } catch (e) {
    return e
  }
  throw new Error(`no error, but ${JSON.stringify(value)}`)
}

// What the model behind concur serve is asked: it leaves the product to a calculator.
export const question = 'What is 1234567 times 89?'
export const product = '109876463'
export const calculator = {
  name: 'calc',
  description: 'Computes an expression.',
  parameters: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
}

// The calculator of the tests knows one product.
export function calculate({ expression }) {
  if (expression.replaceAll(' ', '') !== '1234567*89') throw new Error(`asked for ${expression}`)
  return JSON.stringify({ value: product })
}

// What the model's rules for one response schema are asked, in the form in which they take it.
export const equivalence = {
  name: 'concur_equivalence_v1',
  schema: {
    type: 'object',
    properties: { equivalent: { type: 'boolean' }, difference: { type: 'string' } },
    required: ['equivalent', 'difference'],
    additionalProperties: false,
  },
  prompt: Object.entries({ question: 'How many?', 'answer A': '12', 'answer B': 'twelve' })
    .map(([label, text]) => `[${label} 0123456789abcdef]\n| ${text}\n[end ${label} 0123456789abcdef]\n`).join(''),
}
