import { spawn } from 'node:child_process'
import { openSync, readSync, writeSync } from 'node:fs'

/**
 * `node test/kit/slow-disk.ts FOLDER` mounts a disk with one file at the folder. The process handles the file-system
 * calls on the disk (FUSE, protocol 7.31). While the process is suspended, all calls block until it continues.
 */
const fileName = Buffer.from('file.bin')
const fileBytes = 8 * 1024 * 1024
const ids = { top: 1n, file: 2n } as const
const errors = { noEntry: -2, notKnown: -38 } as const

const operation = {
  lookup: 1,
  forget: 2,
  attributes: 3,
  open: 14,
  read: 15,
  usage: 17,
  release: 18,
  init: 26,
  openFolder: 27,
  readFolder: 28,
  releaseFolder: 29,
  interrupt: 36,
  forgetMany: 42,
} as const

/** Returns the attributes of the folder or the file in the format of the kernel. */
function attributes(id: bigint): Buffer {
  const isFile = id === ids.file
  const bytes = Buffer.alloc(88)
  bytes.writeBigUInt64LE(id, 0)
  bytes.writeBigUInt64LE(BigInt(isFile ? fileBytes : 0), 8)
  bytes.writeUInt32LE(isFile ? 0o100644 : 0o40755, 60)
  bytes.writeUInt32LE(1, 64)
  bytes.writeUInt32LE(4096, 80)
  return bytes
}

const encodeNumbers = (...values: readonly bigint[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(value, index * 8)
  return bytes
}

/**
 * The handlers for file-system calls, keyed by type of call. All validity times are zero, so the kernel does not cache
 * lookups.
 */
const handlers: Readonly<Record<number, (id: bigint, body: Buffer) => Buffer | number | null>> = {
  [operation.init]: () => {
    const bytes = Buffer.alloc(64)
    bytes.writeUInt32LE(7, 0)
    bytes.writeUInt32LE(31, 4)
    bytes.writeUInt32LE(128 * 1024, 8)
    bytes.writeUInt32LE(128 * 1024, 20)
    return bytes
  },
  [operation.lookup]: (_id, body) =>
    body.subarray(0, -1).equals(fileName)
      ? Buffer.concat([encodeNumbers(ids.file, 0n, 0n, 0n, 0n), attributes(ids.file)])
      : errors.noEntry,
  [operation.attributes]: (id) => Buffer.concat([encodeNumbers(0n, 0n), attributes(id)]),
  // The value 1 selects direct I/O: every read reaches this process, because the kernel does not use its page cache.
  [operation.open]: () => encodeNumbers(0n, 1n),
  [operation.openFolder]: () => encodeNumbers(0n, 0n),
  [operation.read]: (_id, body) => {
    const [offset, length] = [Number(body.readBigUInt64LE(8)), body.readUInt32LE(16)]
    return Buffer.alloc(Math.max(0, Math.min(length, fileBytes - offset)), 's')
  },
  [operation.readFolder]: (_id, body) => {
    if (body.readBigUInt64LE(8) > 0n) return Buffer.alloc(0)
    const head = encodeNumbers(ids.file, 1n, BigInt(fileName.length) | (8n << 32n))
    return Buffer.concat([head, fileName, Buffer.alloc(-fileName.length & 7)])
  },
  [operation.usage]: () => Buffer.alloc(80),
  [operation.release]: () => Buffer.alloc(0),
  [operation.releaseFolder]: () => Buffer.alloc(0),
  [operation.forget]: () => null,
  [operation.forgetMany]: () => null,
  [operation.interrupt]: () => null,
}

function serveNext(device: number, request: Buffer): void {
  const length = readSync(device, request)
  const handler = handlers[request.readUInt32LE(4)] ?? (() => errors.notKnown)
  const result = handler(request.readBigUInt64LE(16), request.subarray(40, length))
  if (result === null) return
  const body = typeof result === 'number' ? Buffer.alloc(0) : result
  const head = Buffer.alloc(16)
  head.writeUInt32LE(16 + body.length, 0)
  head.writeInt32LE(typeof result === 'number' ? result : 0, 4)
  request.copy(head, 8, 8, 16)
  writeSync(device, Buffer.concat([head, body]))
}

const codeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && 'code' in thrown ? thrown.code : null
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

function serve(folder: string): void {
  const device = openSync('/dev/fuse', 'r+')
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other'
  spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'slow', folder], {
    stdio: ['ignore', 'ignore', 'inherit', device],
  })
  const request = Buffer.alloc(256 * 1024)
  for (;;) {
    try {
      serveNext(device, request)
    } catch (thrown) {
      // EPERM means that the disk is not mounted yet, and ENODEV means that it was unmounted. ENOENT and EINTR mean
      // that the request was cancelled.
      if (codeOf(thrown) === 'ENODEV') return
      if (codeOf(thrown) === 'EPERM') pause(10)
      else if (codeOf(thrown) !== 'ENOENT' && codeOf(thrown) !== 'EINTR') throw thrown
    }
  }
}

serve(process.argv[2] ?? '')
