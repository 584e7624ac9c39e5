import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { decompressFrame } from 'lz4-napi'
import { Decompressor } from 'snappy'
import { expect, onTestFinished, test } from 'vitest'
import { startApp, type App, type AppWish } from '../../../test/kit/start-app.ts'

const files = {
  docs: { 'a.txt': 'first', 'ä €.txt': 'zweite', empty: {}, sub: { 'deep.txt': 'deep '.repeat(50) } },
  other: { 'b.txt': 'b' },
  'notes.txt': 'some notes',
}

/** Programs that unpack, other than ours: Python's. It prints what it finds as JSON. */
function unpacked(kind: 'zipfile' | 'tarfile', bytes: Uint8Array): Record<string, string | null> {
  const folder = mkdtempSync(path.join(tmpdir(), 'unpacked-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'archive')
  writeFileSync(file, bytes)
  const program = {
    zipfile: `z=zipfile.ZipFile(sys.argv[1]); bad=z.testzip(); assert bad is None, bad
d={n: None if n.endswith('/') else z.read(n).decode('latin1') for n in z.namelist()}`,
    tarfile: `t=tarfile.open(sys.argv[1])
d={m.name+('/' if m.isdir() else ''): None if m.isdir() else t.extractfile(m).read().decode('latin1') for m in t.getmembers()}`,
  }[kind]
  const script = `import sys,json,zipfile,tarfile\n${program}\nprint(json.dumps(d))`
  return JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }))
}

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

async function archive(app: Pick<App, 'call'>, at: string, query: Record<string, string> = {}) {
  const reply = await app.call('raw.get', { path: at, query })
  return {
    status: reply.status,
    headers: reply.headers,
    bytes: Buffer.from(await reply.arrayBuffer()),
    name: /filename="(.*)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1],
  }
}

const namesIn = async (wish: AppWish, at: string, query: Record<string, string> = {}): Promise<string[]> => {
  const app = await startApp(wish)
  return Object.keys(unpacked('zipfile', (await archive(app, at, query)).bytes))
}

test('5.2: a folder comes as a zip with its content at the top, empty folders included', async () => {
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
  '5.2, A4: %s unpacks to the tree, with a dot in its name or without',
  async (algo) => {
    const app = await startApp({ files })
    const dotted = await archive(app, '/docs', { algo })
    expect([dotted.status, dotted.name]).toEqual([200, `docs.${algo}`])
    const tar = await decoders[algo]?.(dotted.bytes)
    expect(unpacked('tarfile', tar ?? dotted.bytes)).toEqual({
      'a.txt': 'first',
      'empty/': null,
      'sub/': null,
      'sub/deep.txt': 'deep '.repeat(50),
      'ä €.txt': 'zweite',
    })
    const undotted = await archive(app, '/docs', { algo: algo.replace('.', '') })
    expect([undotted.status, undotted.name]).toEqual([200, `docs.${algo}`])
  },
)
