import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { decompressFrame } from 'lz4-napi'
import { Decompressor } from 'snappy'
import { expect, onTestFinished, test } from 'vitest'
import { startApp, type TestApp, type TestAppOptions } from '../../../test/kit/start-app.ts'

const files = {
  docs: { 'a.txt': 'first', 'ä €.txt': 'zweite', empty: {}, sub: { 'deep.txt': 'deep '.repeat(50) } },
  other: { 'b.txt': 'b' },
  'notes.txt': 'some notes',
}

/** Unpacks an archive with a module of Python's standard library and returns the members' contents, keyed by name. */
function unpacked(kind: 'zipfile' | 'tarfile', bytes: Uint8Array): Record<string, string | null> {
  const folder = mkdtempSync(path.join(tmpdir(), 'unpacked-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'archive')
  writeFileSync(file, bytes)
  const program = {
    zipfile: `z=zipfile.ZipFile(sys.argv[1]); bad=z.testzip(); assert bad is None, bad
d={n: None if n.endswith('/') else z.read(n).decode() for n in z.namelist()}`,
    tarfile: `t=tarfile.open(sys.argv[1])
d={m.name+('/' if m.isdir() else ''): None if m.isdir() else t.extractfile(m).read().decode() for m in t.getmembers()}`,
  }[kind]
  const script = `import sys,json,zipfile,tarfile\n${program}\nprint(json.dumps(d))`
  return JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }))
}

async function archive(app: Pick<TestApp, 'call'>, at: string, query: Record<string, string> = {}) {
  const reply = await app.call('raw.get', { path: at, query })
  return {
    status: reply.status,
    headers: reply.headers,
    bytes: Buffer.from(await reply.arrayBuffer()),
    name: /filename="(.*)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1],
  }
}

const namesIn = async (
  options: TestAppOptions,
  at: string,
  query: Record<string, string> = {},
): Promise<string[]> => {
  const app = await startApp(options)
  return Object.keys(unpacked('zipfile', (await archive(app, at, query)).bytes))
}

test('5.2: a folder is sent as a zip with its content at the top, empty folders included', async () => {
  const app = await startApp({ files })
  const { status, name, bytes, headers } = await archive(app, '/docs')
  expect([status, name, headers.get('content-type')]).toEqual([200, 'docs.zip', 'application/zip'])
  expect(unpacked('zipfile', bytes)).toEqual({
    'a.txt': 'first',
    'empty/': null,
    'sub/': null,
    'sub/deep.txt': 'deep '.repeat(50),
    'ä €.txt': 'zweite',
  })
})

const decoders: Readonly<Record<string, (bytes: Buffer) => Uint8Array | Promise<Uint8Array>>> = {
  'tar.gz': (bytes) => gunzipSync(bytes),
  'tar.br': (bytes) => brotliDecompressSync(bytes),
  'tar.zst': (bytes) => zstdDecompressSync(bytes),
  'tar.lz4': (bytes) => decompressFrame(bytes),
  'tar.sz': async (bytes) => {
    const decompressor = new Decompressor()
    return Buffer.concat([decompressor.update(bytes), await decompressor.finish()])
  },
  'tar.bz2': (bytes) => bytes,
  'tar.xz': (bytes) => bytes,
  tar: (bytes) => bytes,
}

test.each(Object.keys(decoders))(
  '5.2, A4: an archive in the format %s unpacks to the original tree, and its name may be written without dots',
  async (algo) => {
    const app = await startApp({ files })
    const withDot = await archive(app, '/docs', { algo })
    expect([withDot.status, withDot.name]).toEqual([200, `docs.${algo}`])
    const tar = await decoders[algo]?.(withDot.bytes)
    expect(unpacked('tarfile', tar ?? withDot.bytes)).toEqual({
      'a.txt': 'first',
      'empty/': null,
      'sub/': null,
      'sub/deep.txt': 'deep '.repeat(50),
      'ä €.txt': 'zweite',
    })
    const withoutDot = await archive(app, '/docs', { algo: algo.replace('.', '') })
    expect([withoutDot.status, withoutDot.name]).toEqual([200, `docs.${algo}`])
  },
)

test('5.2: an unknown format is refused for a folder and ignored for a file', async () => {
  const app = await startApp({ files })
  expect((await archive(app, '/docs', { algo: 'rar' })).status).toBe(400)
  const file = await archive(app, '/notes.txt', { algo: 'rar', files: 'x' })
  expect([file.status, file.bytes.toString()]).toEqual([200, 'some notes'])
})

test.each(['', 'true', 'zip'])('5.2: algo=%s is zip', async (algo) => {
  const app = await startApp({ files })
  expect((await archive(app, '/other', { algo })).name).toBe('other.zip')
})

test('13: an archive of several entries keeps their names and is named after their folder', async () => {
  const app = await startApp({ files })
  const { name, bytes } = await archive(app, '/', { files: 'docs,notes.txt' })
  expect(name).toMatch(/^_stowage-files-\w+\.zip$/)
  expect(Object.keys(unpacked('zipfile', bytes))).toEqual([
    'docs/',
    'docs/a.txt',
    'docs/empty/',
    'docs/sub/',
    'docs/sub/deep.txt',
    'docs/ä €.txt',
    'notes.txt',
  ])
  const nested = await archive(app, '/docs', { files: 'a.txt,sub%2Fdeep.txt' })
  expect([nested.name, Object.keys(unpacked('zipfile', nested.bytes))]).toEqual([
    '_docs.zip',
    ['a.txt', 'sub/deep.txt'],
  ])
})

test('T24: an archive of one file contains that file and is named after it', async () => {
  const app = await startApp({ files })
  const { name, bytes } = await archive(app, '/docs', { files: 'a.txt' })
  expect([name, unpacked('zipfile', bytes)]).toEqual(['a.txt.zip', { 'a.txt': 'first' }])
})

test('5.2: a list with a single folder has the content of the folder at the top', async () => {
  const app = await startApp({ files })
  const { name, bytes } = await archive(app, '/', { files: 'docs' })
  expect([name, Object.keys(unpacked('zipfile', bytes))[0]]).toEqual(['docs.zip', 'a.txt'])
})

test('9: names in the list are decoded twice', async () => {
  const unusualNames = { 'a,b.txt': '1', '100%.txt': '2', 'c+d é#?&.txt': '3' }
  const app = await startApp({ files: { odd: unusualNames } })
  const list = Object.keys(unusualNames).map(encodeURIComponent).join(',')
  const { bytes } = await archive(app, '/odd', { files: list })
  expect(unpacked('zipfile', bytes)).toEqual(unusualNames)
})

test('5.2: names that lead out of the folder, are denied or do not exist are omitted in the same way', async () => {
  const rules = [{ regex: false, allow: false, path: '/docs/sub', regexp: null }]
  const app = await startApp({ files, user: { rules } })
  const list = '..%2Fnotes.txt,sub,nothing,a.txt,sub%2Fdeep.txt'
  const { status, bytes } = await archive(app, '/docs', { files: list })
  expect([status, unpacked('zipfile', bytes)]).toEqual([200, { 'a.txt': 'first' }])
  const none = await archive(app, '/docs', { files: '..' })
  expect([none.status, none.name, unpacked('zipfile', none.bytes)]).toEqual([200, 'docs.zip', {}])
})

test('1.4: a missing folder is 404 and a denied one 403', async () => {
  const rules = [{ regex: false, allow: false, path: '/docs', regexp: null }]
  const app = await startApp({ files, user: { rules } })
  expect((await archive(app, '/nothing')).status).toBe(404)
  expect((await archive(app, '/docs')).status).toBe(403)
})

test('11: a denied folder is omitted with everything below it, even allowed entries', async () => {
  const rules = [
    { regex: false, allow: false, path: '/docs', regexp: null },
    { regex: false, allow: true, path: '/docs/sub', regexp: null },
  ]
  expect(await namesIn({ files, user: { rules } }, '/')).toEqual(['notes.txt', 'other/', 'other/b.txt'])
})

test('12: hidden entries and the content of hidden folders are omitted', async () => {
  const hidden = { '.git': { config: 'x' }, '.env': 'x', seen: { '.x': 'x', y: 'y' } }
  expect(await namesIn({ files: hidden, user: { hideDotfiles: true } }, '/')).toEqual(['seen/', 'seen/y'])
})

test('5.2: an archive of the root is named after the scope', async () => {
  const app = await startApp({ files, user: { scope: '/docs' } })
  expect((await archive(app, '/')).name).toBe('docs.zip')
})

test('5.2: links to files and folders are packed as their targets, without loops and without entries outside the scope', async () => {
  const tree = {
    scope: {
      away: { link: '/etc' },
      dead: { link: 'nothing' },
      dir: { up: { link: '..' }, 'x.txt': 'x', again: { link: '.' } },
      'linked-dir': { link: 'other' },
      'linked-file': { link: 'dir/x.txt' },
      other: { 'deeper-link': { link: '../dir' }, 'file-link': { link: '../dir/x.txt' }, 'y.txt': 'y' },
      out: { link: '../secret' },
    },
    secret: { s: 'theirs' },
  }
  const app = await startApp({ files: tree, user: { scope: 'scope' } })
  const { bytes } = await archive(app, '/')
  expect(unpacked('zipfile', bytes)).toEqual({
    'dir/': null,
    'dir/x.txt': 'x',
    'linked-dir/': null,
    'linked-dir/file-link': 'x',
    'linked-dir/y.txt': 'y',
    'linked-file': 'x',
    'other/': null,
    'other/deeper-link/': null,
    'other/deeper-link/x.txt': 'x',
    'other/file-link': 'x',
    'other/y.txt': 'y',
  })
})

test('a requested link to a folder is packed as its target, under the name of the link', async () => {
  const app = await startApp({ files: { real: { 'a.txt': 'a' }, alias: { link: 'real' } } })
  const { name, bytes } = await archive(app, '/alias')
  expect([name, unpacked('zipfile', bytes)]).toEqual(['alias.zip', { 'a.txt': 'a' }])
})

test('5.2: pipes are never opened, and the archive names them', async () => {
  const app = await startApp({ files: { 'a.txt': 'a' } })
  execFileSync('mkfifo', [path.join(app.disk, 'pipe')])
  expect(Object.keys(unpacked('zipfile', (await archive(app, '/')).bytes))).toEqual([
    'a.txt',
    '_left out.txt',
  ])
})

test('5.2: names that other systems would misread are replaced, and stay distinct', async () => {
  expect(await namesIn({ files: { 'a\\b.txt': '1', 'a_b.txt': '2', 'C:\n': '3' } }, '/')).toEqual([
    'C__',
    'a_b.txt',
    'a_b (1).txt',
  ])
})

/** Runs a Python script on an archive and returns its output. */
const pythonOutput = (script: string, bytes: Uint8Array): string =>
  execFileSync(
    'python3',
    ['-c', `import sys,io,tarfile,zipfile\nb=io.BytesIO(sys.stdin.buffer.read())\n${script}`],
    { input: bytes, encoding: 'utf8' },
  ).trim()

test('5.2: times and modes are kept, and owners are not', async () => {
  const app = await startApp({ files: { 'run.sh': 'x', box: {} } })
  execFileSync('sh', ['-c', 'chmod 751 box && chmod 4750 run.sh && touch -d @1600000000 box run.sh'], {
    cwd: app.disk,
  })
  const tar = `print([(m.name, oct(m.mode), m.mtime, m.uid, m.gid, m.uname) for m in tarfile.open(fileobj=b).getmembers()])`
  expect(pythonOutput(tar, (await archive(app, '/', { algo: 'tar' })).bytes)).toBe(
    `[('box', '0o751', 1600000000, 0, 0, ''), ('run.sh', '0o750', 1600000000, 0, 0, '')]`,
  )
  const zip = `print([(oct(i.external_attr >> 16), int.from_bytes(i.extra[5:9], 'little')) for i in zipfile.ZipFile(b).infolist()])`
  expect(pythonOutput(zip, (await archive(app, '/')).bytes)).toBe(
    `[('0o40751', 1600000000), ('0o100750', 1600000000)]`,
  )
})

test('a zip contains files that shrink deflated and other files stored, whether small or large', async () => {
  const text = 'the same words again and again\n'
  const app = await startApp({
    files: {
      'large.txt': text.repeat(100_000),
      'large.bin': randomBytes(1_000_000),
      'small.txt': text.repeat(100),
      'small.png': text.repeat(100),
    },
  })
  const { bytes } = await archive(app, '/')
  const program = `z=zipfile.ZipFile(b)
print(z.testzip(), [(i.filename, i.compress_type, i.compress_size < i.file_size) for i in z.infolist()])`
  expect(pythonOutput(program, bytes)).toBe(
    `None [('large.bin', 0, False), ('large.txt', 8, True), ('small.png', 0, False), ('small.txt', 8, True)]`,
  )
})

test.each(['zip', 'tar', 'tar.gz', 'tar.zst', 'tar.bz2'])(
  '5.2: every byte of a %s is correct when many files are packed concurrently',
  async (algo) => {
    const sizes = [5, 3000, 40_000, 200_000, 262_144, 262_145, 700_000]
    // The bzip2 of the server needs a second for each megabyte.
    const rounds = algo === 'tar.bz2' ? 1 : 5
    const tree = Object.fromEntries(
      Array.from({ length: rounds }, (_, round) =>
        sizes.flatMap((size): [string, Buffer][] => [
          [`${round} ${size}.bin`, randomBytes(size)],
          [`${round} ${size}.txt`, Buffer.from(randomBytes(size).toString('hex').slice(0, size))],
        ]),
      ).flat(),
    )
    const app = await startApp({ files: tree })
    const { bytes } = await archive(app, '/', { algo })
    const program =
      algo === 'zip'
        ? 'z=zipfile.ZipFile(b); read=[(n, z.read(n)) for n in z.namelist()]'
        : 't=tarfile.open(fileobj=b); read=[(m.name, t.extractfile(m).read()) for m in t.getmembers()]'
    const digests = Object.entries(tree).map(([name, bytes]) => [
      name,
      createHash('sha1').update(bytes).digest('hex'),
    ])
    const packed = algo.endsWith('zst') ? await decoders[algo]!(bytes) : bytes
    const script = `import json,hashlib\n${program}\nprint(json.dumps({n: hashlib.sha1(d).hexdigest() for n, d in read}))`
    expect(JSON.parse(pythonOutput(script, Buffer.from(packed)))).toEqual(Object.fromEntries(digests))
  },
)

test('1.1: the response to HEAD has the headers and no body', async () => {
  const app = await startApp({ files })
  const reply = await app.fetch('/api/raw/docs?algo=targz', { method: 'HEAD' })
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('content-disposition')]).toEqual(
    [200, 'application/gzip', `attachment; filename="docs.tar.gz"; filename*=utf-8''docs.tar.gz`],
  )
  expect(await reply.text()).toBe('')
  expect((await app.fetch('/api/raw/nothing', { method: 'HEAD' })).status).toBe(404)
})

test('3.7: an archive is always sent as a download, and never compressed again', async () => {
  const app = await startApp({ files })
  const reply = await app.call('raw.get', {
    path: '/docs',
    query: { inline: 'true' },
    headers: { 'accept-encoding': 'gzip, zstd' },
  })
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment;/)
  expect(reply.headers.get('content-encoding')).toBeNull()
  expect(reply.headers.get('content-security-policy')).toMatch(/^sandbox;/)
  const asScript = { headers: { 'sec-fetch-dest': 'script', 'sec-fetch-site': 'same-origin' } }
  expect((await app.call('raw.get', { path: '/docs', ...asScript })).status).toBe(403)
})

test('1.6: without the download permission no archive is sent', async () => {
  const app = await startApp({ files, user: { perm: { download: false } } })
  expect((await archive(app, '/docs')).status).toBe(403)
})

test('5.2: the connection is closed when a file changes while it is packed', async () => {
  const app = await startApp({ files: { 'a.txt': 'a' } })
  const file = path.join(app.disk, 'large')
  writeFileSync(file, '')
  truncateSync(file, 256 * 1024 * 1024)
  const reply = await app.call('raw.get', { path: '/', query: { algo: 'tar' } })
  const reader = reply.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  truncateSync(file, 1024)
  const rest = async (): Promise<void> => {
    while ((await reader?.read())?.done === false);
  }
  await expect(rest()).rejects.toThrow('terminated')
})

test('3.8: a client that disconnects frees its slot', async () => {
  const app = await startApp({ files: { large: '' } })
  truncateSync(path.join(app.disk, 'large'), 256 * 1024 * 1024)
  const disconnect = new AbortController()
  const startArchive = () => app.fetch('/api/raw/?algo=tar', { signal: disconnect.signal })
  await Promise.all([startArchive(), startArchive()])
  disconnect.abort()
  expect((await archive(app, '/', { files: 'nothing' })).status).toBe(200)
})
