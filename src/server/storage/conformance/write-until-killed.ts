import { adapters } from './adapters.ts'
import { body, p } from './paths.ts'

/** A server that is killed: it answers one write, says so, and hangs in the next. */
const [root, stateFolder, name] = process.argv.slice(2)
const adapter = adapters.find((it) => it.name === name)
if (adapter === undefined || root === undefined || stateFolder === undefined)
  throw new Error('called wrongly')
const volume = adapter.make({ root, stateFolder })
await volume.sweep()
await volume.write(p('/answered'), body('these bytes'), { overwrite: 'create' })
process.send?.('answered')
async function* stuck(): AsyncGenerator<Uint8Array, void> {
  yield Buffer.alloc(1024 * 1024)
  await new Promise((resolve) => setTimeout(resolve, 60_000))
}
await volume.write(p('/old'), stuck(), { overwrite: 'replace' })
