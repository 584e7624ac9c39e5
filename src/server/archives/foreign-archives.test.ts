import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ArchiveMembers, ArchiveProgress } from '../../shared/contract/archives.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import { makeTar, padded, paxHeader, tarMembers, writeTarNumber } from '../../../test/kit/tar.ts'
import { makeZip } from '../../../test/kit/zip.ts'

type ArchiveFile = readonly [name: string, bytes: Uint8Array]

/** The results of a server for an archive: its list, the last line of its extraction, and the extracted files. */
async function handled([name, bytes]: ArchiveFile, encoding?: string) {
  const app = await startApp({ files: {} })
  writeFileSync(path.join(app.disk, name), bytes)
  const query = encoding === undefined ? {} : { encoding }
  const reply = await app.call('archives.list', { path: `/${name}`, query })
  const list = reply.ok ? ((await reply.json()) as ArchiveMembers) : null
  const lines = await (await app.call('archives.extract', { path: `/${name}`, query })).text()
  const last = JSON.parse(lines.trimEnd().split('\n').at(-1) ?? '') as ArchiveProgress
  const folder = last.path === undefined ? null : path.join(app.disk, last.path)
  return { app, status: reply.status, list, last, folder, files: folder === null ? {} : filesIn(folder) }
}

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const at = path.join(entry.parentPath, entry.name)
        return [path.relative(folder, at), readFileSync(at, 'latin1')] as const
      })
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

const memberText = async (app: Pick<TestApp, 'call'>, at: string, member: string): Promise<string> =>
  (await app.call('archives.member', { path: at, query: { member } })).text()

const after = { name: 'after.txt', content: 'after' }
/** A file of 3000 bytes with data at its start and near its end. The archive contains 20 of its bytes. */
const expanded = `${'a'.repeat(10)}${'\0'.repeat(1990)}${'b'.repeat(10)}${'\0'.repeat(990)}`
const parts = 'aaaaaaaaaabbbbbbbbbb'

const gnuSparse = tarMembers({
  name: 'sparse',
  type: 'S',
  content: parts,
  change(header) {
    for (const [at, number] of [0, 10].entries()) writeTarNumber(header, 386 + 12 * at, 12, number)
    header[482] = 1
    writeTarNumber(header, 483, 12, 3000)
  },
})
const moreSparse = Buffer.alloc(512)
writeTarNumber(moreSparse, 0, 12, 2000)
writeTarNumber(moreSparse, 12, 12, 10)

test.each([
  [
    'GNU tar, with a block that continues the map',
    Buffer.concat([gnuSparse.subarray(0, 512), moreSparse, gnuSparse.subarray(512)]),
  ],
  [
    'pax 0.0',
    tarMembers(
      paxHeader(
        ['GNU.sparse.size', '3000'],
        ['GNU.sparse.numblocks', '2'],
        ['GNU.sparse.offset', '0'],
        ['GNU.sparse.numbytes', '10'],
        ['GNU.sparse.offset', '2000'],
        ['GNU.sparse.numbytes', '10'],
      ),
      { name: 'sparse', content: parts },
    ),
  ],
  [
    'pax 0.1',
    tarMembers(
      paxHeader(
        ['GNU.sparse.size', '3000'],
        ['GNU.sparse.name', 'sparse'],
        ['GNU.sparse.map', '0,10,2000,10'],
      ),
      { name: 'GNUSparseFile.1/sparse', content: parts },
    ),
  ],
  [
    'pax 1.0',
    tarMembers(
      paxHeader(
        ['GNU.sparse.major', '1'],
        ['GNU.sparse.minor', '0'],
        ['GNU.sparse.name', 'sparse'],
        ['GNU.sparse.realsize', '3000'],
      ),
      {
        name: 'GNUSparseFile.1/sparse',
        content: Buffer.concat([padded(Buffer.from('2\n0\n10\n2000\n10\n')), Buffer.from(parts)]),
      },
    ),
  ],
])('a sparse file of %s is expanded, and the members after it are read', async (_case, sparse) => {
  const { list, last, files, app } = await handled(['s.tar', Buffer.concat([sparse, makeTar(after)])])
  expect(list?.members.map(([name, size]) => [name, size])).toEqual([
    ['sparse', 3000],
    ['after.txt', 5],
  ])
  expect(last).toMatchObject({ isDone: true, files: 2, bytes: 3005, totalBytes: 3005 })
  expect(files).toEqual({ 'after.txt': 'after', sparse: expanded })
  expect(await memberText(app, '/s.tar', 'sparse')).toBe(expanded)
})

const half = (bytes: Buffer): readonly [Buffer, Buffer] => [bytes.subarray(0, 700), bytes.subarray(700)]
const [tarStart, tarRest] = half(makeTar({ name: 'a.txt', content: 'a' }, after))
const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])

test.each<ArchiveFile>([
  [
    'skippable.tar.zst',
    Buffer.concat([skippable, zstdCompressSync(tarStart), skippable, zstdCompressSync(tarRest), skippable]),
  ],
  ['streams.tar.br', Buffer.concat([brotliCompressSync(tarStart), brotliCompressSync(tarRest)])],
  ['members.tar.gz', Buffer.concat([gzipSync(tarStart), gzipSync(tarRest)])],
  ['plain.tar.gz', Buffer.concat([tarStart, tarRest])],
  ['wrong.zip', zstdCompressSync(Buffer.concat([tarStart, tarRest]))],
  ['zip.tar.xz', makeZip([{ name: 'a.txt', content: 'a' }, after])],
  ['copy.tar(1).gz', gzipSync(Buffer.concat([tarStart, tarRest]))],
  [
    'lone-block.tar',
    Buffer.concat([tarMembers({ name: 'a.txt', content: 'a' }), Buffer.alloc(512), makeTar(after)]),
  ],
  [
    'joined.tar',
    Buffer.concat([
      makeTar({ name: 'a.txt', content: 'a' }),
      Buffer.alloc(9000 - (9000 % 512)),
      makeTar(after),
    ]),
  ],
  ['newline.zip', makeZip([{ name: 'a.txt', content: 'a' }, after], { suffix: Buffer.from('\r\n') })],
  [
    'program.zip',
    makeZip([{ name: 'a.txt', content: 'a' }, after], {
      prefix: Buffer.from('MZ a program'),
      suffix: Buffer.alloc(3000, 'x'),
    }),
  ],
  ['counts.zip', makeZip([{ name: 'a.txt', content: 'a' }, after], { claimedCount: 2 })],
])('%s is read to its end', async (name, bytes) => {
  const { list, last, files } = await handled([name, bytes])
  expect(list?.members.map(([member]) => member)).toEqual(['a.txt', 'after.txt'])
  expect(last).toMatchObject({ isDone: true, files: 2 })
  expect(files).toEqual({ 'a.txt': 'a', 'after.txt': 'after' })
})

test('a zip of more than 65,535 members whose count has 16 bits is listed as a whole', async () => {
  const files = Array.from({ length: 65_600 }, (_, index) => ({
    name: `f${index}`,
    content: '',
    isStored: true,
  }))
  const app = await startApp({ files: {} })
  writeFileSync(path.join(app.disk, 'many.zip'), makeZip(files, { claimedCount: 65_600 - 65_536 }))
  const list = (await (await app.call('archives.list', { path: '/many.zip' })).json()) as ArchiveMembers
  expect([list.members.length, list.isTruncated, list.members.at(-1)?.[0]]).toEqual([65_600, false, 'f65599'])
})

test.each<readonly [name: string, bytes: Uint8Array, error: string]>([
  ['no-end.tar', tarMembers({ name: 'a.txt', content: 'a' }), 'cut-off'],
  [
    'short.tar',
    makeTar({ name: 'a.txt', content: 'a' }, { name: 'b', content: 'b'.repeat(900) }).subarray(0, 2000),
    'cut-off',
  ],
  ['short.tar.gz', gzipSync(Buffer.concat([tarStart, tarRest])).subarray(0, -8), 'cut-off'],
  [
    'short.tar.zst',
    Buffer.concat([
      zstdCompressSync(tarMembers({ name: 'a.txt', content: 'a' })),
      zstdCompressSync(tarRest).subarray(0, -5),
    ]),
    'cut-off',
  ],
  ['rows.zip', makeZip([{ name: 'a.txt', content: 'a' }], { claimedCount: 2 }), 'cut-off'],
])('%s ends with an error, and what it contains is kept', async (name, bytes, error) => {
  const { list, last, files } = await handled([name, bytes])
  expect(list).toMatchObject({ isCutOff: true })
  expect(last.isDone).toBeUndefined()
  expect([last.error, files['a.txt']]).toEqual([error, 'a'])
})

test.each<readonly [name: string, bytes: Uint8Array, status: number, error: string]>([
  ['start.zip', makeZip([{ name: 'a', content: 'x'.repeat(90) }]).subarray(0, 40), 422, 'cut-off'],
  ['empty.tar.gz', Buffer.alloc(0), 422, 'cut-off'],
  ['text.tar.gz', gzipSync('This is a text.'.repeat(100)), 422, 'undecodable'],
  ['foreign.zip', Buffer.from('377abcaf271c000400000000', 'hex'), 415, 'wrong-media-type'],
])('%s is refused, never an empty archive', async (name, bytes, status, error) => {
  const outcome = await handled([name, bytes])
  expect([outcome.status, outcome.last.error]).toEqual([status, error])
})

test('of members with the same path, the last one counts everywhere', async () => {
  const members = [
    { name: 'd/x', content: 'old' },
    { name: 'y', content: 'y' },
    { name: './d/x', content: 'new!' },
  ]
  for (const [name, bytes] of [
    ['a.tar', makeTar(...members)],
    ['a.zip', makeZip(members)],
  ] as const) {
    const { list, last, files, app } = await handled([name, bytes])
    expect(list?.members.map(([member, size]) => [member, size])).toEqual([
      ['d/x', 4],
      ['y', 1],
    ])
    expect(files).toEqual({ 'd/x': 'new!', y: 'y' })
    expect(last).toMatchObject({ files: 2, totalFiles: 2, totalBytes: 5 })
    expect(await memberText(app, `/${name}`, 'd/x')).toBe('new!')
  }
})

test('times, executable files, hard links and the times of folders are kept', async () => {
  const tar = makeTar(
    { name: 'd/', type: '5', seconds: 1_000_000_000 },
    { name: 'd/run', content: '#!', mode: 0o755, seconds: -31_536_000 },
    { name: 'd/link', type: '1', linkName: 'd/run', claimedBytes: 2 },
    { name: 'd/far', content: '', seconds: 2 ** 60 },
    { name: 'd/epoch', content: '', seconds: 0 },
    { name: 'sub/', type: '5', seconds: 1_100_000_000 },
    { name: 'sub/none', type: '1', linkName: 'nothing' },
  )
  const { list, last, folder, app } = await handled(['a.tar', tar])
  expect(list?.members.map(([name, size, time, flags]) => [name, size, time, flags])).toEqual([
    ['d', 0, 1_000_000_000_000, 1],
    ['d/run', 2, -31_536_000_000, 0],
    ['d/link', 2, 1_700_000_000_000, 0],
    ['d/far', 0, 0, 0],
    ['d/epoch', 0, 0, 0],
    ['sub', 0, 1_100_000_000_000, 1],
    ['sub/none', 0, 1_700_000_000_000, 2],
  ])
  expect(last).toMatchObject({ isDone: true, files: 4, skipped: ['sub/none'], skippedReasons: ['link'] })
  const at = (name: string) => statSync(path.join(folder ?? '', name))
  expect([at('d/run').mode & 0o100, at('d/link').mode & 0o100, at('d/far').mode & 0o100]).toEqual([
    0o100, 0o100, 0,
  ])
  expect([at('d').mtimeMs, at('sub').mtimeMs, at('d/run').mtimeMs]).toEqual([1e12, 1.1e12, -31_536_000_000])
  // Reproducible builds date their files to the beginning of 1970.
  expect([at('d/epoch').mtimeMs, at('d/far').mtimeMs > 1e12]).toEqual([0, true])
  expect(await memberText(app, '/a.tar', 'd/link')).toBe('#!')
  const zip = makeZip([{ name: 'run', content: '#!', system: 3, unixMode: 0o100755 }])
  expect(statSync(path.join((await handled(['b.zip', zip])).folder ?? '', 'run')).mode & 0o100).toBe(0o100)
})

test('a file that Info-ZIP packed from a pipe is extracted, and a named pipe without bytes is left out', async () => {
  const pipe = { system: 3, unixMode: 0o010600 }
  const zip = makeZip([
    { name: '-', content: 'a dump', ...pipe },
    { name: 'fifo', content: '', isStored: true, ...pipe },
  ])
  const { last, files } = await handled(['backup.zip', zip])
  expect(files).toEqual({ '-': 'a dump' })
  expect(last).toMatchObject({ isDone: true, files: 1, skipped: ['fifo'], skippedReasons: ['special'] })
})

/** Names in old encodings: their bytes as Latin-1, and the names. 0x5C is the second byte of 表 and of ソ in Shift JIS. */
const legacyNames = {
  shift_jis: ['\x90V\x8BK/\x95\\\x8E\xA6.txt', '\x90V\x8BK/_\x83\\.txt', '新規/表示.txt', '新規/_ソ.txt'],
  gb18030: ['\xBC\xF2\xC0\xFA.doc', '\xD5\xD5\xC6\xAC.jpg', '简历.doc', '照片.jpg'],
  big5: ['\xBCi\xBE\xFA\xAA\xED.doc', '\xB7\xD3\xA4\xF9.jpg', '履歷表.doc', '照片.jpg'],
  'euc-kr': ['\xC0\xCC\xB7\xC2\xBC\xAD.doc', '\xBB\xE7\xC1\xF8.jpg', '이력서.doc', '사진.jpg'],
  'windows-1251': ['\xCF\xF0\xEE\xE5\xEA\xF2.txt', '\xD4\xEE\xF2\xEE.jpg', 'Проект.txt', 'Фото.jpg'],
  ibm866: ['\x8F\xE0\xAE\xA5\xAA\xE2.txt', '\x94\xAE\xE2\xAE.jpg', 'Проект.txt', 'Фото.jpg'],
  'windows-1252': ['\xDCber uns.txt', 'caf\xE9.txt', 'Über uns.txt', 'café.txt'],
  cp850: ['\x9Aber uns.txt', 'S\xC6o.txt', 'Über uns.txt', 'São.txt'],
} as const

test.each(Object.entries(legacyNames))(
  'names in %s are recognized in a zip and a tar, or read as somebody chooses',
  async (encoding, [first, second, ...names]) => {
    const members = [first, second].map((text) => ({
      name: Buffer.from(text, 'latin1'),
      content: 'x',
      isLegacyName: true,
    }))
    for (const archive of [['a.zip', makeZip(members)] as const, ['a.tar', makeTar(...members)] as const])
      for (const chosen of [undefined, encoding]) {
        const { list, last, files, app } = await handled(archive, chosen)
        expect([list?.encoding, list?.members.map(([name]) => name)]).toEqual([encoding, names])
        expect(last).toMatchObject({ isDone: true, files: 2 })
        expect(Object.keys(files).toSorted()).toEqual(
          names.map((name) => name.replace('新規/', '')).toSorted(),
        )
        expect(await memberText(app, `/${archive[0]}`, names[0])).toBe('x')
      }
  },
)

test('a backslash separates names in archives of Windows only', async () => {
  const names = [{ name: 'd\\x.txt', content: 'w' }]
  expect((await handled(['w.zip', makeZip(names)])).files).toEqual({ 'x.txt': 'w' })
  expect((await handled(['u.zip', makeZip([{ ...names[0]!, system: 3 }])])).files).toEqual({
    'd\\x.txt': 'w',
  })
})

test('a name that is too long for a path is left out with its reason, and the list stays small', async () => {
  const long = 'x'.repeat(900_000)
  const tar = makeTar(paxHeader(['path', long]), { name: 'long', content: '1' }, after)
  const { list, last } = await handled(['a.tar.gz', gzipSync(tar)])
  expect(list).toMatchObject({ hidden: 1, members: [['after.txt', 5, expect.any(Number), 0]] })
  expect(last).toMatchObject({ files: 1, skippedCount: 1, skippedReasons: ['name'] })
})

test('what our own archives contain is extracted again, whatever the names', async () => {
  const app = await startApp({ files: { in: {} } })
  const deep = Array.from({ length: 120 }, () => 'deep').join('/')
  const names = [
    'new\nline',
    'back\\slash',
    'ä €',
    'x'.repeat(255),
    `${'é'.repeat(125)}.txt`,
    '.hidden',
    ' blank ',
    'a:b',
    '表',
  ]
  const invalid = [
    Buffer.from([0x63, 0x61, 0x66, 0xe9]),
    Buffer.concat([Buffer.alloc(200, 0xe9), Buffer.from('.txt')]),
  ]
  mkdirSync(path.join(app.disk, 'in', deep), { recursive: true })
  for (const name of [...names, `${deep}/leaf`]) writeFileSync(path.join(app.disk, 'in', name), name)
  for (const name of invalid) writeFileSync(Buffer.concat([Buffer.from(`${app.disk}/in/`), name]), 'invalid')
  const contents = [...names, `${deep}/leaf`, 'invalid', 'invalid'].map((name) =>
    Buffer.from(name).toString('latin1'),
  )
  for (const extension of [
    'zip',
    'tar',
    'tar.gz',
    'tar.zst',
    'tar.br',
    'tar.xz',
    'tar.bz2',
    'tar.lz4',
    'tar.sz',
  ]) {
    const at = `/${extension.replace('.', '-')}.${extension}`
    const json = { folder: '/', names: ['in'] }
    await (await app.call('archives.create', { path: at, json })).text()
    const lines = await (await app.call('archives.extract', { path: at })).text()
    const last = JSON.parse(lines.trimEnd().split('\n').at(-1) ?? '') as ArchiveProgress
    expect([extension, last.isDone, last.skipped]).toEqual([extension, true, undefined])
    expect(Object.values(filesIn(path.join(app.disk, last.path ?? ''))).toSorted()).toEqual(
      contents.toSorted(),
    )
  }
})

test('what others have saved during a cancelled extraction stays', async () => {
  const app = await startApp({ files: {}, user: { perm: { delete: false } } })
  const names = Array.from({ length: 3000 }, (_, index) => `f${index % 50}/x${index}.bin`)
  const content = 'x'.repeat(70_000)
  writeFileSync(path.join(app.disk, 'a.zip'), makeZip(names.map((name) => ({ name, content }))))
  const leave = new AbortController()
  const reply = await app.fetch('/api/archive/a.zip', { method: 'POST', signal: leave.signal })
  await reply.body?.getReader().read()
  await expect.poll(() => Object.keys(filesIn(app.disk)), { timeout: 15_000 }).toContain('a/f1/x1.bin')
  writeFileSync(path.join(app.disk, 'a/f0/x0.bin'), 'saved by somebody else')
  writeFileSync(path.join(app.disk, 'a/f1/mine.txt'), 'mine')
  leave.abort()
  await expect
    .poll(() => filesIn(app.disk), { timeout: 15_000 })
    .toEqual({
      'a.zip': expect.any(String),
      'a/f0/x0.bin': 'saved by somebody else',
      'a/f1/mine.txt': 'mine',
    })
  await expect.poll(() => readdirSync(path.join(app.disk, 'a')).toSorted()).toEqual(['f0', 'f1'])
})
