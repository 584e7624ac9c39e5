import path from 'node:path'
import {
  requestChange,
  bytesOf,
  diskFolderOf,
  pathOf,
  send,
  type WorkloadClient,
  type Workload,
} from '../work.ts'
import { countFinished, fileStateOf, makeFile, megabyte } from './entry-state.ts'

export const upload: Workload = {
  name: 'upload',
  folderName: 'uploaded',
  prepare: async () => {},
  request: (client, n) =>
    requestChange(client, 'POST', {
      address: `/api/resources${pathOf(client, upload)}/${n}.bin`,
      body: bytesOf(`new-${n}`, megabyte),
    }),
  countChanges: (client, done) =>
    countFinished(
      (n) => fileStateOf(path.join(diskFolderOf(client, upload), `${n}.bin`), bytesOf(`new-${n}`, megabyte)),
      {
        end: 'whole',
        done,
      },
    ),
}

const replacedFileBytes = 2 * megabyte

/** Returns a workload that replaces the content of an existing file with the given call. */
function replacementWorkload(
  name: string,
  folderName: string,
  call: { method: string; query: string },
): Workload {
  const workload: Workload = {
    name,
    folderName,
    prepare: (disk) => makeFile(path.join(disk, 'kept.bin'), bytesOf('kept-0', replacedFileBytes)),
    request: (client, n) =>
      requestChange(client, call.method, {
        address: `/api/resources${pathOf(client, workload)}/kept.bin${call.query}`,
        body: bytesOf(`kept-${n + 1}`, replacedFileBytes),
      }),
    async countChanges(client, done) {
      for (const n of [done, done + 1]) {
        const state = await fileStateOf(
          path.join(diskFolderOf(client, workload), 'kept.bin'),
          bytesOf(`kept-${n}`, replacedFileBytes),
        )
        if (state === 'whole') return n
        if (state === 'absent') return 'the file is gone'
      }
      return `the file is neither what it was nor what it became after ${done}`
    },
  }
  return workload
}

export const overwrite = replacementWorkload('overwrite', 'overwritten', {
  method: 'POST',
  query: '?override=true',
})
export const save = replacementWorkload('save', 'saved', { method: 'PUT', query: '' })

const parts = 4
const partBytes = 256 * 1024
const wholeOf = (n: number): Buffer<ArrayBuffer> => bytesOf(`parts-${n}`, parts * partBytes)

/** Uploads files in parts. Bytes that the server confirmed before a kill are not sent again. */
export const inParts: Workload = {
  name: 'upload in parts',
  folderName: 'in-parts',
  prepare: async () => {},
  async request(client, n) {
    const address = `/api/tus${pathOf(client, inParts)}/${n}.bin`
    const headers = { 'upload-length': String(parts * partBytes) }
    client.notes.set(noteOf(n), -1)
    if (!(await requestChange(client, 'POST', { address, headers }))) return false
    client.notes.set(noteOf(n), 0)
    return sendParts(client, n, 0)
  },
  async countChanges(client, done) {
    const state = (n: number) => fileStateOf(path.join(diskFolderOf(client, inParts), `${n}.bin`), wholeOf(n))
    const found = await countFinished(state, { end: 'whole', done })
    if (found !== done) return found
    const fault = await resumeUpload(client, done)
    if (fault !== null) return fault
    return countFinished(state, { end: 'whole', done })
  },
}

/** Returns the name of the note that stores the number of confirmed bytes of the n-th upload. */
const noteOf = (n: number): string => `${inParts.name} ${n}`

async function sendParts(client: WorkloadClient, n: number, fromBytes: number): Promise<boolean> {
  const address = `/api/tus${pathOf(client, inParts)}/${n}.bin`
  const whole = wholeOf(n)
  for (let offset = fromBytes; offset < whole.length; offset += partBytes) {
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    const body = whole.subarray(offset, offset + partBytes)
    if (!(await requestChange(client, 'PATCH', { address, headers, body }))) return false
    client.notes.set(noteOf(n), offset + body.length)
  }
  return true
}

/**
 * Continues an interrupted upload after a restart. Returns a fault when confirmed bytes are missing, or when the
 * remaining bytes cannot be sent.
 */
async function resumeUpload(client: WorkloadClient, n: number): Promise<string | null> {
  const confirmedBytes = client.notes.get(noteOf(n)) ?? -1
  const response = await send(client, 'HEAD', { address: `/api/tus${pathOf(client, inParts)}/${n}.bin` })
  if (response === null) return 'nothing is said about an upload in parts'
  if (response.status === 404 && confirmedBytes === -1) return null
  if (response.status !== 200)
    return `after ${confirmedBytes} bytes were answered, the upload is ${response.status}`
  const offset = Number(response.headers.get('upload-offset'))
  if (offset < confirmedBytes) return `${confirmedBytes} bytes were answered, and ${offset} are there`
  await sendParts(client, n, offset)
  return null
}
