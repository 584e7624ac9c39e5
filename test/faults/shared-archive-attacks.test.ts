import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { compressFrame } from 'lz4-napi'
import lzma from 'lzma-native'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOfTar, paxHeader, tarMembers } from '../kit/tar.ts'
import { bundledProgram, runServer, type RunningServer, type TestUser } from '../kit/run-server.ts'
import { measureAttack } from './measure-attack.ts'

/** Archives that many people read at the same time, on a server that may use 512 MB for its objects. */
let server: RunningServer

const people: readonly TestUser[] = Array.from({ length: 10 }, (_, index) => ({
  name: `person${index}`,
  password: `person${index} has a long password`,
}))

/** The archives that one person reads at the same time. */
const readsOfPerson = 4

/** A tar file with paths of 24 million characters altogether, which is almost the limit, and a large file at its end. */
function longPathsBefore(name: string, sizeBytes: number): Buffer {
  const members = Array.from({ length: 6000 }, (_, index) => {
    const path = `${String(index).padStart(6, '0')}/${`${'n'.repeat(199)}/`.repeat(20)}`.slice(0, 3999)
    return tarMembers(paxHeader(['path', path]), { name: 'x' })
  })
  const large = tarMembers({ name, content: Buffer.alloc(sizeBytes) })
  return gzipSync(Buffer.concat([...members, large, endOfTar]), { level: 1 })
}

beforeAll(async () => {
  const [node = '', ...program] = bundledProgram()
  server = await runServer({
    people,
    files: { 'long.tar.gz': longPathsBefore('large.bin', 30_000_000) },
    program: [node, '--max-old-space-size=512', ...program],
  })
}, 60_000)
afterAll(() => server.remove())

async function tokenOf({ name, password }: TestUser): Promise<string> {
  const body = JSON.stringify({ username: name, password })
  return (await fetch(`${server.url}/api/login`, { method: 'POST', body })).text()
}

/** The time in ms after which a request counts as one without a response, so that a test fails with the statuses of all. */
const responseTimeoutMs = 80_000

/**
 * Sends the same request several times for each person, and reads no body. Returns the statuses, with 0 for a request
 * without a response, after the connections have been closed.
 */
async function readByAll(url: string, tokens: readonly string[]): Promise<readonly number[]> {
  const leave = new AbortController()
  const timeout = setTimeout(() => leave.abort(), responseTimeoutMs)
  const requests = tokens.flatMap((token) =>
    Array.from({ length: readsOfPerson }, async () => {
      try {
        const { status } = await fetch(server.url + url, {
          headers: { 'x-auth': token },
          signal: leave.signal,
        })
        return status
      } catch (error) {
        if (leave.signal.aborted) return 0
        throw error
      }
    }),
  )
  const statuses = await Promise.all(requests)
  clearTimeout(timeout)
  leave.abort()
  return statuses
}

test.each([
  ['files in archives', '/api/archive-member/long.tar.gz?member=large.bin'],
  ['lists of archives', '/api/archive/long.tar.gz'],
])(
  'ten people who request %s and read no response leave the server alive, and their memory is used again',
  { timeout: 180_000 },
  async (_, url) => {
    const pid = server.pid()
    const tokens = await Promise.all(people.map(tokenOf))
    for (let round = 0; round < 2; round += 1) {
      let statuses: readonly number[] = []
      await measureAttack(server, async () => {
        statuses = await readByAll(url, tokens)
      })
      expect(new Set(statuses)).toEqual(new Set([200, 503]))
    }
    expect(server.pid()).toBe(pid)
  },
)

const mebi = 1024 * 1024

/** A tar file with one file of zeros. */
const zerosTar = (sizeBytes: number): Buffer =>
  Buffer.concat([tarMembers({ name: 'large.bin', content: Buffer.alloc(sizeBytes) }), endOfTar])

const compressXz = (bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    lzma.compress(bytes, 9, (packed, error) => (packed === null ? reject(error) : resolve(packed)))
  })

const compressBzip2 = (bytes: Buffer): Buffer =>
  execFileSync(
    'python3',
    ['-c', 'import bz2,sys; sys.stdout.buffer.write(bz2.compress(sys.stdin.buffer.read()))'],
    {
      input: bytes,
    },
  )

const compressZstd = (bytes: Buffer): Buffer =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_windowLog]: 27 } })

// Forty readers that keep the whole content would use 2 GB.
test.each<[string, (bytes: Buffer) => Uint8Array | Promise<Uint8Array>]>([
  ['xz', compressXz],
  ['zst', compressZstd],
  ['bz2', compressBzip2],
  ['lz4', (bytes) => compressFrame(bytes)],
])(
  'files of some kilobytes in %s that expand to 50 MB take little memory, for ten people who read no response',
  { timeout: 180_000 },
  async (extension, compress) => {
    writeFileSync(path.join(server.folder, `zeros.tar.${extension}`), await compress(zerosTar(50 * mebi)))
    const pid = server.pid()
    const tokens = await Promise.all(people.map(tokenOf))
    let statuses: readonly number[] = []
    const { peakBytes } = await measureAttack(server, async () => {
      statuses = await readByAll(`/api/archive-member/zeros.tar.${extension}?member=large.bin`, tokens)
    })
    expect(new Set([200, 413, 503, ...statuses])).toEqual(new Set([200, 413, 503]))
    expect(peakBytes).toBeLessThan(1536 * mebi)
    expect(server.pid()).toBe(pid)
  },
)
