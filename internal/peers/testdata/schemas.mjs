// The schemas of docs by ajv. Usage: node schemas.mjs DOCS SCHEMA=FILE…
// A file that ends in .jsonl has a value on each line.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { check, done } from './check.mjs'

const [docs, ...files] = process.argv.slice(2)
const ajv = addFormats(new Ajv({ allErrors: true, strict: true, strictRequired: false, strictTuples: false, strictTypes: false, allowUnionTypes: true }))
const names = readdirSync(docs).filter((name) => name.endsWith('.schema.json'))
for (const name of names) ajv.addSchema(JSON.parse(readFileSync(`${docs}/${name}`, 'utf8')), name)

for (const name of names) {
  await check(name, () => assert.ok(ajv.getSchema(name)))
}

for (const pair of files) {
  const [name, file] = pair.split('=')
  await check(file, () => {
    const text = readFileSync(file, 'utf8')
    const values = file.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text]
    const validate = ajv.getSchema(`${name}.schema.json`)
    for (const value of values) assert.ok(validate(JSON.parse(value)), `${value}: ${ajv.errorsText(validate.errors)}`)
    assert.ok(!validate({ schema: 'concur/nothing/v1' }))
  })
}
done()
