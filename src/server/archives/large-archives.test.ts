import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ArchiveMember, MemberChunk } from './members/member.ts'
import { writeTar } from './tar/write-tar.ts'
import { writeZip } from './zip/write-zip.ts'

const gibi = 1024 ** 3
const zeros = new Uint8Array(1024 * 1024)

const member = (name: string, sizeBytes: number): MemberChunk => ({
  kind: 'member',
  member: {
    name,
    kind: 'file',
    sizeBytes,
    modifiedMs: 1_700_000_000_000,
    permissions: 0o640,
  } satisfies ArchiveMember,
})

async function* zerosOf(name: string, sizeBytes: number): AsyncGenerator<readonly MemberChunk[]> {
  yield [member(name, sizeBytes)]
  for (let at = 0; at < sizeBytes; at += zeros.length) {
    yield [{ kind: 'bytes', bytes: zeros.subarray(0, Math.min(zeros.length, sizeBytes - at)) }]
  }
}

async function* textOf(name: string, text: string): AsyncGenerator<readonly MemberChunk[]> {
  yield [member(name, text.length), { kind: 'bytes', bytes: Buffer.from(text) }]
}

/**
 * Writes the chunks to a file and returns its path. Chunks that consist of a megabyte of zeros become holes in the
 * file, so that it takes little disk space.
 */
async function sparseFile(chunks: AsyncIterable<readonly Uint8Array[]>): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'large-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'archive')
  const descriptor = openSync(file, 'w')
  let at = 0
  for await (const some of chunks) {
    for (const chunk of some) {
      if (chunk.buffer !== zeros.buffer) writeSync(descriptor, chunk, 0, chunk.length, at)
      at += chunk.length
    }
  }
  ftruncateSync(descriptor, at)
  closeSync(descriptor)
  return file
}

const python = (script: string, file: string): string =>
  execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }).trim()

test(
  'a zip can contain a file of more than 4 GiB and another file after it',
  { timeout: 120_000 },
  async () => {
    async function* memberChunks() {
      yield* zerosOf('large.mp4', 4 * gibi + 5)
      yield* textOf('behind.txt', 'behind it')
    }
    const file = await sparseFile(writeZip(memberChunks()))
    const script = `import sys,zipfile
z=zipfile.ZipFile(sys.argv[1]); i=z.getinfo('large.mp4')
print(i.file_size, i.compress_size, z.read('behind.txt').decode())`
    expect(python(script, file)).toBe(`${4 * gibi + 5} ${4 * gibi + 5} behind it`)
  },
)

async function* numbers(count: number): AsyncGenerator<readonly MemberChunk[]> {
  for (let number = 0; number < count; number += 1) yield* textOf(`folder/${number}`, String(number))
}

test('a zip can contain more than 65,535 files', { timeout: 120_000 }, async () => {
  const file = await sparseFile(writeZip(numbers(66_000)))
  const script = `import sys,zipfile
z=zipfile.ZipFile(sys.argv[1])
print(len(z.namelist()), all(z.read(f'folder/{n}')==str(n).encode() for n in range(0,66000,97)), z.read('folder/65999').decode())`
  expect(python(script, file)).toBe('66000 True 65999')
})

test(
  'a tar can contain a file of more than 8 GiB and another file after it',
  { timeout: 120_000 },
  async () => {
    async function* memberChunks() {
      yield* zerosOf('large', 8 * gibi + 5)
      yield* textOf('behind', 'behind it')
    }
    const file = await sparseFile(writeTar(memberChunks()))
    const script = `import sys,tarfile
t=tarfile.open(sys.argv[1])
print([(m.name, m.size, oct(m.mode), int(m.mtime), m.uid, m.uname) for m in t.getmembers()], t.extractfile('behind').read())`
    expect(python(script, file)).toBe(
      `[('large', ${8 * gibi + 5}, '0o640', 1700000000, 0, ''), ('behind', 9, '0o640', 1700000000, 0, '')] b'behind it'`,
    )
  },
)

test('long names and names that are not UTF-8 are kept', async () => {
  const long = `${'ordner-ä/'.repeat(40)}file`
  async function* memberChunks() {
    yield* textOf(long, 'long')
    yield* textOf('caf\uDCE9', 'latin')
  }
  const script = `import sys,tarfile
t=tarfile.open(sys.argv[1])
print([ascii(m.name) for m in t.getmembers()] == [ascii(${JSON.stringify(long)}), ascii('caf\\udce9')])`
  expect(python(script, await sparseFile(writeTar(memberChunks())))).toBe('True')
  const zip = `import sys,zipfile
z=zipfile.ZipFile(sys.argv[1])
print(z.namelist()[0] == ${JSON.stringify(long)}, z.infolist()[1].orig_filename.encode('cp437'), z.testzip())`
  expect(python(zip, await sparseFile(writeZip(memberChunks())))).toBe(`True b'caf\\xe9' None`)
})
