import path from 'node:path'
import { ask, bytesOf, diskOf, pathOf, send, type WorkloadClient, type Workload } from '../work.ts'
import { countUntil, fileAt, makeFile, megabyte } from './found.ts'

export const upload: Workload = {
  name: 'upload',
  place: 'uploaded',
  prepare: async () => {},
  ask: (client, n) =>
    ask(client, 'POST', {
      address: `/api/resources${pathOf(client, upload)}/${n}.bin`,
      body: bytesOf(`new-${n}`, megabyte),
    }),
  look: (client, done) =>
    countUntil((n) => fileAt(path.join(diskOf(client, upload), `${n}.bin`), bytesOf(`new-${n}`, megabyte)), {
      end: 'whole',
      done,
    }),
}

const keptBytes = 2 * megabyte

/** Returns a workload that replaces the content of an existing file with the given call. */
function replacing(name: string, place: string, call: { method: string; query: string }): Workload {
  const work: Workload = {
    name,
    place,
    prepare: (disk) => makeFile(path.join(disk, 'kept.bin'), bytesOf('kept-0', keptBytes)),
    ask: (client, n) =>
      ask(client, call.method, {
        address: `/api/resources${pathOf(client, work)}/kept.bin${call.query}`,
        body: bytesOf(`kept-${n + 1}`, keptBytes),
      }),
    async look(client, done) {
      for (const n of [done, done + 1]) {
        const state = await fileAt(
          path.join(diskOf(client, work), 'kept.bin'),
          bytesOf(`kept-${n}`, keptBytes),
        )
        if (state === 'whole') return n
        if (state === 'absent') return 'the file is gone'
      }
      return `the file is neither what it was nor what it became after ${done}`
    },
  }
  return work
}

export const overwrite = replacing('overwrite', 'overwritten', { method: 'POST', query: '?override=true' })
export const save = replacing('save', 'saved', { method: 'PUT', query: '' })

const parts = 4
const partBytes = 256 * 1024
const wholeOf = (n: number): Buffer<ArrayBuffer> => bytesOf(`parts-${n}`, parts * partBytes)

/** Uploads files in parts. Bytes that the server confirmed before a kill are not sent again. */
export const inParts: Workload = {
  name: 'upload in parts',
  place: 'in-parts',
  prepare: async () => {},
  async ask(client, n) {
    const address = `/api/tus${pathOf(client, inParts)}/${n}.bin`
    const headers = { 'upload-length': String(parts * partBytes) }
    client.notes.set(noteOf(n), -1)
    if (!(await ask(client, 'POST', { address, headers }))) return false
    client.notes.set(noteOf(n), 0)
    return sendParts(client, n, 0)
  },
  async look(client, done) {
    const state = (n: number) => fileAt(path.join(diskOf(client, inParts), `${n}.bin`), wholeOf(n))
    const found = await countUntil(state, { end: 'whole', done })
    if (found !== done) return found
    const fault = await goOn(client, done)
    if (fault !== null) return fault
    return countUntil(state, { end: 'whole', done })
  },
}

/** Returns the name of the note that stores the number of confirmed bytes of the n-th upload. */
const noteOf = (n: number): string => `${inParts.name} ${n}`

async function sendParts(client: WorkloadClient, n: number, fromBytes: number): Promise<boolean> {
  const address = `/api/tus${pathOf(client, inParts)}/${n}.bin`
  const whole = wholeOf(n)
  for (let at = fromBytes; at < whole.length; at += partBytes) {
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) }
    const body = whole.subarray(at, at + partBytes)
    if (!(await ask(client, 'PATCH', { address, headers, body }))) return false
    client.notes.set(noteOf(n), at + body.length)
  }
  return true
}

/**
 * Continues an interrupted upload after a restart. Returns a fault when confirmed bytes are missing or the rest cannot
 * be sent.
 */
async function goOn(client: WorkloadClient, n: number): Promise<string | null> {
  const answered = client.notes.get(noteOf(n)) ?? -1
  const response = await send(client, 'HEAD', { address: `/api/tus${pathOf(client, inParts)}/${n}.bin` })
  if (response === null) return 'nothing is said about an upload in parts'
  if (response.status === 404 && answered === -1) return null
  if (response.status !== 200)
    return `after ${answered} bytes were answered, the upload is ${response.status}`
  const offset = Number(response.headers.get('upload-offset'))
  if (offset < answered) return `${answered} bytes were answered, and ${offset} are there`
  await sendParts(client, n, offset)
  return null
}
