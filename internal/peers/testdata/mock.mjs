// An independent mock of the vendors' endpoints, with the replies of replies.json. It prints
// its address, and ends with its standard input, so that it cannot outlive who started it.
import { readFileSync } from 'node:fs'
import { LLMock } from '@copilotkit/aimock'

const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true, chunkSize: 5, journalMaxEntries: 0 })
mock.addFixturesFromJSON(readFileSync(new URL('replies.json', import.meta.url), 'utf8'))
await mock.start()
console.log(mock.url)
process.stdin.resume().on('end', () => mock.stop().finally(() => process.exit(0)))
