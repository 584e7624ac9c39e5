import { adapters } from './adapters.ts'
import { bodyOf, p } from './path-and-body.ts'

/**
 * A test runs this file as a separate process and kills the process. The process completes one write, reports this to
 * the test, and hangs in the next write.
 */
const [root, stateFolder, name] = process.argv.slice(2)
const adapter = adapters.find((candidate) => candidate.name === name)
if (adapter === undefined || root === undefined || stateFolder === undefined)
  throw new Error('called wrongly')
const volume = adapter.createVolume({ root, stateFolder })
await volume.sweep()
await volume.apply({ kind: 'write', path: p('/answered'), body: bodyOf('these bytes'), overwrite: 'create' })
process.send?.('answered')
async function* stuck(): AsyncGenerator<Uint8Array, void> {
  yield Buffer.alloc(1024 * 1024)
  await new Promise((resolve) => setTimeout(resolve, 60_000))
}
await volume.apply({ kind: 'write', path: p('/old'), body: stuck(), overwrite: 'replace' })
