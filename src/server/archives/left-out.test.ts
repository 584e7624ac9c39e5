import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { ArchiveProgress } from '../../shared/contract/archives.ts'
import { makeUnreachable } from '../../../test/kit/mounts.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const files = { d: { 'a.txt': 'a', dead: {}, 'foreign.txt': 'f', z: { 'b.txt': 'b' } }, 'top.txt': 't' }

/** Returns the members of a tar file and their contents, in their order. */
function membersOf(bytes: Buffer): Record<string, string | null> {
  const folder = mkdtempSync(path.join(tmpdir(), 'unpacked-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(path.join(folder, 't'), bytes)
  const script = `import sys,json,tarfile
print(json.dumps({m.name: None if m.isdir() else tarfile.open(sys.argv[1]).extractfile(m).read().decode('latin1') for m in tarfile.open(sys.argv[1])}))`
  return JSON.parse(execFileSync('python3', ['-c', script, path.join(folder, 't')], { encoding: 'utf8' }))
}

async function lastLine(app: Pick<TestApp, 'call'>, archive: string, names: readonly string[]) {
  const json = { folder: '/', names }
  const lines = await (await app.call('archives.create', { path: archive, json })).text()
  return JSON.parse(lines.trim().split('\n').at(-1) ?? '') as ArchiveProgress
}

/** Makes entries of the served folder unreachable until the end of the test. Returns false where FUSE is not available. */
function breakEntries(app: TestApp, entries: Readonly<Record<string, 'dead' | 'foreign'>>): boolean {
  const mended = Object.entries(entries).map(([name, how]) => makeUnreachable(path.join(app.disk, name), how))
  onTestFinished(() => {
    for (const mend of mended) mend?.()
  })
  return !mended.includes(null)
}

test('an archive names pipes, and leaves out neither the entries after them nor a file with the name of the list', async () => {
  const app = await startApp({ files: { ...files, d: { ...files.d, '_left out.txt': 'own' } } })
  execFileSync('mkfifo', [path.join(app.disk, 'd/pipe')])
  const expected = { 'a.txt': 'a', dead: null, 'foreign.txt': 'f', z: null, 'z/b.txt': 'b' }
  const list =
    'This archive is not complete. The server left out:\n\npipe (is a pipe, a socket or a device)\n'
  for (const algo of ['tar', 'tar.zst']) {
    const reply = await app.call('raw.get', { path: '/d', query: { algo } })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const members = membersOf(algo === 'tar' ? bytes : zstdDecompressSync(bytes))
    expect(members).toEqual({ ...expected, '_left out.txt': 'own', '_left out (1).txt': list })
    expect(Object.keys(members).at(-1)).toBe('_left out (1).txt')
  }
  // A pipe that is requested by name is named as well.
  const chosen = await app.call('raw.get', { path: '/d', query: { algo: 'tar', files: 'pipe,a.txt' } })
  expect(membersOf(Buffer.from(await chosen.arrayBuffer()))).toEqual({ 'a.txt': 'a', '_left out.txt': list })
  const losses = [{ kind: 'special', count: 1, paths: ['d/pipe'] }]
  expect(await lastLine(app, '/new.zip', ['d', 'top.txt'])).toMatchObject({ isDone: true, losses })
  expect(await lastLine(app, '/whole.zip', ['top.txt'])).not.toHaveProperty('losses')
})

test('an archive names what the server cannot read, and nothing that the user may not see', async (context) => {
  const app = await startApp({
    files: { ...files, d: { ...files.d, secret: {} } },
    user: { rules: [{ regex: false, allow: false, path: '/d/secret', regexp: null }] },
  })
  if (!breakEntries(app, { 'd/dead': 'dead', 'd/foreign.txt': 'foreign', 'd/secret': 'foreign' }))
    context.skip()
  const reasons = 'dead (the server cannot read it)\nforeign.txt (the server cannot read it)\n'
  const list = `This archive is not complete. The server left out:\n\n${reasons}`
  const download = async (files = '') => {
    const reply = await app.call('raw.get', { path: '/d', query: { algo: 'tar', files } })
    return membersOf(Buffer.from(await reply.arrayBuffer()))
  }
  expect(await download()).toEqual({ 'a.txt': 'a', z: null, 'z/b.txt': 'b', '_left out.txt': list })
  expect(await download('dead,foreign.txt,secret')).toEqual({ '_left out.txt': list })
  const losses = [{ kind: 'unreadable', count: 2, paths: ['d/dead', 'd/foreign.txt'] }]
  expect(await lastLine(app, '/new.zip', ['d', 'top.txt'])).toMatchObject({ isDone: true, losses })
})

const mebi = 1024 * 1024

test.each([
  ['is sent with its announced size while it grows', 'whole', (log: string) => appendFileSync(log, 'more')],
  ['breaks the archive off when it has shrunk', 'cut', (log: string) => truncateSync(log, mebi)],
  [
    'breaks the archive off when it was rewritten and is longer',
    'cut',
    (log: string) => writeFileSync(log, randomBytes(65 * mebi)),
  ],
])('a log %s', async (_how, end, change) => {
  const app = await startApp({ files: { d: { 'z.txt': 'z' } } })
  const [log, bytes] = [path.join(app.disk, 'd/log'), randomBytes(64 * mebi)]
  writeFileSync(log, bytes)
  for (const algo of ['tar', 'zip']) {
    writeFileSync(log, bytes)
    const reply = await app.call('raw.get', { path: '/d', query: { algo } })
    const reader = reply.body!.getReader()
    const chunks: Uint8Array[] = []
    const read = async (): Promise<boolean> => {
      const { done, value } = await reader.read()
      if (value !== undefined) chunks.push(value)
      return !done
    }
    await read()
    change(log)
    const outcome = await (async () => {
      while (await read());
      return 'whole'
    })().catch(() => 'cut')
    expect([algo, outcome]).toEqual([algo, end])
    if (algo !== 'tar' || end !== 'whole') continue
    const tar = Buffer.concat(chunks)
    expect(tar.subarray(512, 512 + bytes.length).equals(bytes)).toBe(true)
    expect(membersOf(Buffer.from(tar.subarray(512 + bytes.length)))).toEqual({ 'z.txt': 'z' })
  }
})

test('the download of a single log that grows has its announced size', async () => {
  const app = await startApp({ files: {} })
  const [log, bytes] = [path.join(app.disk, 'log'), randomBytes(64 * mebi)]
  writeFileSync(log, bytes)
  const reply = await app.call('raw.get', { path: '/log' })
  appendFileSync(log, 'more')
  expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true)
})
