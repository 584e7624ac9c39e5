import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ArchiveMembers, ArchiveProgress } from '../../shared/contract/archives.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import { makeZip } from '../../../test/kit/zip.ts'
import { lz4Decompress } from './reading/decompression/lz4.ts'
import { unpackLz4Block } from './compressions/lz4-block.ts'

/** Runs a Python program in the served folder. It makes archives as other programs do, or as an attacker would. */
const python = (app: Pick<TestApp, 'disk'>, program: string): void =>
  void execFileSync('python3', ['-c', `import io,os,struct,sys,tarfile,time,zipfile\n${program}`], {
    cwd: app.disk,
  })

const listOf = async (app: Pick<TestApp, 'call'>, at: string): Promise<ArchiveMembers> =>
  (await (await app.call('archives.list', { path: at })).json()) as ArchiveMembers

const pathsIn = async (app: Pick<TestApp, 'call'>, at: string): Promise<readonly string[]> =>
  (await listOf(app, at)).members.map(([name, size, , flags]) => `${name} ${size} ${flags}`)

const memberOf = async (app: Pick<TestApp, 'call'>, at: string, member: string, query = {}) => {
  const reply = await app.call('archives.member', { path: at, query: { member, ...query } })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

/** Extracts an archive and returns the last line of the progress. */
const extracted = async (app: Pick<TestApp, 'call'>, at: string, query = {}): Promise<ArchiveProgress> => {
  const reply = await app.call('archives.extract', { path: at, query })
  const lines = (await reply.text()).trimEnd().split('\n')
  return JSON.parse(lines.at(-1) ?? '') as ArchiveProgress
}

/** Returns all files below a folder on disk with their contents, and its empty folders. */
const treeOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => {
        const at = path.join(entry.parentPath, entry.name)
        return [path.relative(folder, at), entry.isFile() ? readFileSync(at, 'utf8') : '/'] as const
      })
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

const folderOfThree = `
os.makedirs('in/sub/empty'); open('in/a.txt','w').write('first'); open('in/sub/ä €.txt','w').write('zweite')
open('in/sub/long '+'x'*120+'.txt','w').write('long name')
`
const longName = `sub/long ${'x'.repeat(120)}.txt`

const packers: readonly (readonly [name: string, program: string])[] = [
  ['a.zip', `import shutil; shutil.make_archive('a','zip','in')`],
  ['a.tar', `t=tarfile.open('a.tar','w',format=tarfile.PAX_FORMAT); t.add('in',''); t.close()`],
  ['a.tar.gz', `t=tarfile.open('a.tar.gz','w:gz',format=tarfile.GNU_FORMAT); t.add('in','.'); t.close()`],
  ['a.tar.bz2', `t=tarfile.open('a.tar.bz2','w:bz2'); t.add('in','.'); t.close()`],
  ['a.txz', `t=tarfile.open('a.txz','w:xz'); t.add('in','.'); t.close()`],
]

test.each(packers)(
  '%s is listed, its files are sent one by one, and it is extracted',
  async (name, program) => {
    const app = await startApp({ files: {} })
    python(app, folderOfThree + program)
    const { members, isTruncated, hidden } = await listOf(app, `/${name}`)
    const files = members.filter(([, , , flags]) => flags === 0).map(([at, size]) => [at, size])
    expect(files.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ['a.txt', 5],
      [longName, 9],
      ['sub/ä €.txt', 6],
    ])
    expect(members.filter(([, , , flags]) => flags === 1).map(([at]) => at)).toContain('sub/empty')
    expect([isTruncated, hidden]).toEqual([false, 0])
    expect(await memberOf(app, `/${name}`, 'sub/ä €.txt')).toMatchObject({ status: 200, text: 'zweite' })
    expect((await memberOf(app, `/${name}`, 'none.txt')).status).toBe(404)
    expect(await extracted(app, `/${name}`)).toMatchObject({ isDone: true, path: '/a', files: 3, bytes: 20 })
    expect(treeOf(path.join(app.disk, 'a'))).toEqual(treeOf(path.join(app.disk, 'in')))
    expect(statSync(path.join(app.disk, 'a/a.txt')).mtime.getFullYear()).toBe(new Date().getFullYear())
  },
)

test.each(['zip', 'tar', 'tar.gz', 'tar.xz', 'tar.br', 'tar.zst', 'tar.bz2', 'tar.lz4', 'tar.sz'])(
  'a created %s can be listed and extracted again',
  async (extension) => {
    const app = await startApp({ files: { in: { 'a.txt': 'a', sub: { 'b#?&+.txt': 'b'.repeat(100_000) } } } })
    const at = `/new.${extension}`
    const reply = await app.call('archives.create', {
      path: at,
      json: { folder: '/in', names: ['a.txt', 'sub'] },
    })
    expect((await reply.text()).trimEnd().split('\n').at(-1)).toContain('"isDone":true')
    expect((await pathsIn(app, at)).toSorted()).toEqual(['a.txt 1 0', 'sub 0 1', 'sub/b#?&+.txt 100000 0'])
    expect(await extracted(app, at)).toMatchObject({ path: '/new', isDone: true })
    expect(treeOf(path.join(app.disk, 'new'))).toEqual(treeOf(path.join(app.disk, 'in')))
  },
)

test('a large member is sent in ranges, with the type of its content', async () => {
  const app = await startApp({ files: {} })
  python(
    app,
    `z=zipfile.ZipFile('a.zip','w',zipfile.ZIP_DEFLATED); z.writestr('big.txt','0123456789'*100000)`,
  )
  const reply = await app.call('archives.member', {
    path: '/a.zip',
    query: { member: 'big.txt', inline: 'true' },
    headers: { range: 'bytes=500005-500009' },
  })
  expect([reply.status, await reply.text()]).toEqual([206, '56789'])
  expect(reply.headers.get('content-type')).toContain('text/plain')
})

test('an archive is extracted into another folder, and a taken name gets a number', async () => {
  const app = await startApp({ files: { target: { a: 'taken' } } })
  python(app, `z=zipfile.ZipFile('a.zip','w'); z.writestr('x.txt','x'); z.writestr('y.txt','y')`)
  expect(await extracted(app, '/a.zip', { destination: '/target' })).toMatchObject({ path: '/target/a(1)' })
  expect(treeOf(path.join(app.disk, 'target'))).toEqual({
    a: 'taken',
    'a(1)': '/',
    'a(1)/x.txt': 'x',
    'a(1)/y.txt': 'y',
  })
})

test('the only folder of an archive becomes the new folder', async () => {
  const app = await startApp({ files: {} })
  python(
    app,
    `z=zipfile.ZipFile('a.zip','w'); z.writestr('photos/x.txt','x'); z.writestr('photos/sub/y.txt','y')`,
  )
  expect(await extracted(app, '/a.zip')).toMatchObject({ path: '/photos', files: 2 })
  expect(Object.keys(treeOf(path.join(app.disk, 'photos')))).toEqual(['sub', 'sub/y.txt', 'x.txt'])
})

test('members that lead out of the archive, links and devices are never written', async () => {
  const app = await startApp({ files: {} })
  python(
    app,
    `
t=tarfile.open('evil.tar','w')
def add(name, kind=tarfile.REGTYPE, link='', data=b'evil'):
    m=tarfile.TarInfo(name); m.type=kind; m.linkname=link; m.size=len(data) if kind==tarfile.REGTYPE else 0
    t.addfile(m, io.BytesIO(data))
add('good.txt', data=b'good'); add('../out.txt'); add('/abs.txt'); add('a/../../out.txt')
add('link', tarfile.SYMTYPE, '/etc'); add('link/in.txt'); add('hard', tarfile.LNKTYPE, '/etc/passwd')
add('device', tarfile.CHRTYPE); t.close()
z=zipfile.ZipFile('evil.zip','w')
for name in ['good.txt','../out.txt','/abs.txt','a\\\\..\\\\..\\\\out.txt','sub/../../out.txt']: z.writestr(name,'good')
link=zipfile.ZipInfo('link'); link.create_system=3; link.external_attr=0o120777<<16; z.writestr(link,'/etc'); z.close()`,
  )
  expect((await listOf(app, '/evil.tar')).hidden).toBe(3)
  expect(await extracted(app, '/evil.tar')).toMatchObject({ isDone: true, files: 2, skippedCount: 6 })
  expect(treeOf(path.join(app.disk, 'evil'))).toEqual({
    'good.txt': 'good',
    link: '/',
    'link/in.txt': 'evil',
  })
  expect(await extracted(app, '/evil.zip')).toMatchObject({ isDone: true, files: 1, skippedCount: 5 })
  expect(treeOf(path.join(app.disk, 'evil(1)'))).toEqual({ 'good.txt': 'good' })
  expect(readdirSync(app.disk).toSorted()).toEqual(['evil', 'evil(1)', 'evil.tar', 'evil.zip'])
})

test('an archive that expands without bound is refused before its bytes are unpacked', async () => {
  const app = await startApp({ files: {} })
  python(
    app,
    `
m=tarfile.TarInfo('zeros'); m.size=2<<40
import gzip
open('bomb.tar.gz','wb').write(gzip.compress(m.tobuf(tarfile.GNU_FORMAT)))
z=zipfile.ZipFile('overlap.zip','w',zipfile.ZIP_DEFLATED); z.writestr('a','0'*100000)
for n in range(50):
    i=zipfile.ZipInfo('m%d'%n); src=z.filelist[0]
    for k in ('compress_size','file_size','CRC','header_offset','compress_type'): setattr(i,k,getattr(src,k))
    z.filelist.append(i)
z._didModify=True; z.close()`,
  )
  for (const name of ['bomb.tar.gz', 'overlap.zip']) {
    const reply = await app.call('archives.list', { path: `/${name}` })
    expect([413, 422]).toContain(reply.status)
    expect((await extracted(app, `/${name}`)).error).toMatch(/too-large|undecodable/)
  }
  expect(readdirSync(app.disk).toSorted()).toEqual(['bomb.tar.gz', 'overlap.zip'])
})

/** Returns the header of a block of zstd (RFC 8878, 3.1.1.2). A repeated block has one byte instead of `size` bytes. */
function zstdBlock(type: 'raw' | 'repeated', size: number, isLast = false): Buffer {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntLE(Number(isLast) + (type === 'repeated' ? 2 : 0) + size * 8, 0, 3)
  return bytes
}

test('a folder that claims gigabytes does not make the server unpack them', async () => {
  const app = await startApp({ files: {} })
  python(
    app,
    `
m=tarfile.TarInfo('folder'); m.type=tarfile.DIRTYPE; m.size=8<<30
open('header','wb').write(m.tobuf(tarfile.GNU_FORMAT))`,
  )
  // A frame with the header as it is and 1.7 GB of zeros as repeated bytes.
  const header = readFileSync(path.join(app.disk, 'header'))
  const zeros = Buffer.concat([zstdBlock('repeated', 128 * 1024), Buffer.alloc(1)])
  const frame = [
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3]),
    zstdBlock('raw', header.length),
    header,
    ...Array.from({ length: 13_000 }, () => zeros),
    zstdBlock('raw', 0, true),
  ]
  writeFileSync(path.join(app.disk, 'claims.tar.zst'), Buffer.concat(frame))
  expect((await app.call('archives.list', { path: '/claims.tar.zst' })).headers.get('x-error')).toBe(
    'too-large',
  )
}, 60_000)

test('small LZ4 blocks need little memory, whatever size their frame declares', async () => {
  const start = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0])
  const blockOfOneLetter = Buffer.from([2, 0, 0, 0, 0x10, 0x41])
  const count = 3000
  const blocks = Array.from({ length: count }, () => blockOfOneLetter)
  const before = process.memoryUsage.rss()
  let letters = 0
  let highest = before
  for await (const { length } of lz4Decompress(
    streamOfOne(Buffer.concat([start, ...blocks, Buffer.alloc(4)])),
    async (block) => unpackLz4Block(block),
  )) {
    letters += length
    highest = Math.max(highest, process.memoryUsage.rss())
  }
  expect(letters).toBe(count)
  expect((highest - before) / 1024 / 1024).toBeLessThan(100)
})

async function* streamOfOne(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}

test('bzip2 streams of many blocks, and LZ4 frames of every kind are unpacked', async () => {
  const app = await startApp({ files: {} })
  python(
    app,
    `
import random,bz2,subprocess
r=random.Random(7); data=r.randbytes(1000000)+b'zeros'+bytes(4000000)+r.randbytes(1000)
t=tarfile.open('a.tar','w'); m=tarfile.TarInfo('big.bin'); m.size=len(data); t.addfile(m, io.BytesIO(data)); t.close()
tar=open('a.tar','rb').read(); half=len(tar)//3
open('one.tar.bz2','wb').write(bz2.compress(tar, 9))
open('many.tar.bz2','wb').write(bz2.compress(tar[:half], 1)+bz2.compress(b'')+bz2.compress(tar[half:], 5)+b'trailing')
for name, flags in (('linked',['-BD','-B4']),('sum',['-BX','-B7','--content-size']),('plain',['--no-frame-crc'])):
    if subprocess.run(['sh','-c','command -v lz4'],capture_output=True).returncode==0:
        subprocess.run(['lz4','-q',*flags,'a.tar',name+'.tar.lz4'],check=True)
`,
  )
  const bytesIn = async (at: string) => {
    const reply = await app.call('archives.member', { path: at, query: { member: 'big.bin' } })
    return createHash('sha256')
      .update(new Uint8Array(await reply.arrayBuffer()))
      .digest('hex')
  }
  const expected = await bytesIn('/a.tar')
  const packed = readdirSync(app.disk).filter((name) => name !== 'a.tar')
  expect(packed).toContain('many.tar.bz2')
  for (const name of packed) expect([name, await bytesIn(`/${name}`)]).toEqual([name, expected])
})

test('damaged and cut bzip2, LZ4 and Snappy files are refused', async () => {
  const app = await startApp({
    files: { in: { 'a.bin': Array.from({ length: 60_000 }, (_, index) => (index * 7919) % 10_007).join() } },
  })
  for (const extension of ['tar.bz2', 'tar.lz4', 'tar.sz']) {
    const json = { folder: '/in', names: ['a.bin'] }
    await (await app.call('archives.create', { path: `/a.${extension}`, json })).text()
    const whole = readFileSync(path.join(app.disk, `a.${extension}`))
    const flipped = Buffer.from(whole)
    const middle = Math.floor(whole.length / 2)
    flipped.fill(0xff, middle, middle + 40)
    const damaged = {
      cut: whole.subarray(0, -9),
      head: whole.subarray(0, 3),
      flipped,
      foreign: Buffer.from('This is no archive, but a text of some length. '.repeat(30)),
    }
    for (const [name, bytes] of Object.entries(damaged)) {
      writeFileSync(path.join(app.disk, `${name}.${extension}`), bytes)
      const { error } = await extracted(app, `/${name}.${extension}`)
      // A size that is damaged may reach beyond the end of the file.
      const possible =
        name === 'flipped' ? ['undecodable', 'cut-off'] : [name === 'foreign' ? 'undecodable' : 'cut-off']
      expect([name, extension, possible]).toEqual([name, extension, expect.arrayContaining([error])])
    }
  }
})

test('headers without end are refused', async () => {
  const app = await startApp({ files: {} })
  python(
    app,
    `
def header(name, kind, size):
    m=tarfile.TarInfo(name); m.type=kind; m.size=size; return m.tobuf(tarfile.USTAR_FORMAT)
record=b'20 comment=12345678\\n'
import gzip
with gzip.open('loop.tar.gz','wb') as f:
    for n in range(1000): f.write(header('x', b'x', len(record))+record.ljust(512, b'\\0'))`,
  )
  expect((await app.call('archives.list', { path: '/loop.tar.gz' })).status).toBe(422)
})

test('a damaged archive is refused, and what could be read of it is kept', async () => {
  const app = await startApp({
    files: { 'text.zip': 'no archive', 'text.tar': 'no archive', 'empty.tar': '' },
  })
  python(
    app,
    `
t=tarfile.open('cut.tar','w'); 
for name in ('a.txt','b.txt'):
    m=tarfile.TarInfo(name); m.size=200000; t.addfile(m, io.BytesIO(b'x'*200000))
t.close(); os.truncate('cut.tar', 300000)
z=zipfile.ZipFile('crc.zip','w'); z.writestr('bad.txt','bad'); z.writestr('good.txt','good'); z.close()
b=bytearray(open('crc.zip','rb').read()); at=b.index(b'bad.txt')+7; b[at:at+3]=b'BAD'; open('crc.zip','wb').write(b)`,
  )
  for (const name of ['text.zip', 'text.tar'])
    expect((await app.call('archives.list', { path: `/${name}` })).status).toBe(422)
  expect(await listOf(app, '/empty.tar')).toMatchObject({ members: [] })
  expect(await extracted(app, '/crc.zip')).toMatchObject({ isDone: true, files: 1, skipped: ['bad.txt'] })
  expect(treeOf(path.join(app.disk, 'crc'))).toEqual({ 'good.txt': 'good' })
  expect(await listOf(app, '/cut.tar')).toMatchObject({ isCutOff: true })
  expect((await extracted(app, '/cut.tar')).error).toBe('cut-off')
  expect(statSync(path.join(app.disk, 'cut/a.txt')).size).toBe(200_000)
})

test('an encrypted member is called encrypted', async () => {
  const app = await startApp({ files: {} })
  python(
    app,
    `
z=zipfile.ZipFile('a.zip','w',zipfile.ZIP_DEFLATED); z.writestr('secret.txt','secret'); z.close()
b=bytearray(open('a.zip','rb').read())
for mark, at in ((b'PK\\x03\\x04',6),(b'PK\\x01\\x02',8)): b[b.index(mark)+at] |= 1
open('a.zip','wb').write(b)`,
  )
  expect(await pathsIn(app, '/a.zip')).toEqual(['secret.txt 6 6'])
  const { status, headers } = await memberOf(app, '/a.zip', 'secret.txt')
  expect([status, headers.get('x-error')]).toEqual([422, 'encrypted'])
  expect(await extracted(app, '/a.zip')).toMatchObject({
    skipped: ['secret.txt'],
    skippedReasons: ['encrypted'],
  })
})

test('an extraction whose client leaves is undone', async () => {
  const app = await startApp({ files: {} })
  const content = 'x'.repeat(70_000)
  const files = Array.from({ length: 3000 }, (_, n) => ({ name: `f${n % 50}/x.bin${n}`, content }))
  writeFileSync(path.join(app.disk, 'a.zip'), makeZip(files))
  const leave = new AbortController()
  const reply = await app.fetch('/api/archive/a.zip', { method: 'POST', signal: leave.signal })
  await reply.body?.getReader().read()
  leave.abort()
  await expect.poll(() => Object.keys(treeOf(app.disk)), { timeout: 15_000 }).toEqual(['a.zip'])
})

test('without the rights, nothing is read or written', async () => {
  const app = await startApp({
    files: { 'hidden.zip': '' },
    user: { perm: { download: false }, rules: [{ regex: false, allow: false, path: '/b', regexp: null }] },
  })
  python(app, `z=zipfile.ZipFile('a.zip','w'); z.writestr('x.txt','x')`)
  expect((await app.call('archives.list', { path: '/a.zip' })).status).toBe(403)
  expect((await memberOf(app, '/a.zip', 'x.txt')).status).toBe(403)
  expect((await app.call('archives.extract', { path: '/a.zip' })).status).toBe(403)
  const json = { folder: '/', names: ['a.zip'] }
  expect((await app.call('archives.create', { path: '/c.zip', json })).status).toBe(403)
  expect(readdirSync(app.disk).toSorted()).toEqual(['a.zip', 'hidden.zip'])
})

test('rules apply to extracted files, and a taken archive is never replaced', async () => {
  const app = await startApp({
    files: { 'taken.zip': 'mine' },
    user: { rules: [{ regex: false, allow: false, path: '/a/secret', regexp: null }] },
  })
  python(app, `z=zipfile.ZipFile('a.zip','w'); z.writestr('secret/x.txt','x'); z.writestr('y.txt','y')`)
  expect(await extracted(app, '/a.zip')).toMatchObject({ skipped: ['secret/x.txt'], files: 1 })
  expect(treeOf(path.join(app.disk, 'a'))).toEqual({ 'y.txt': 'y' })
  const json = { folder: '/', names: ['a.zip'] }
  expect((await app.call('archives.create', { path: '/taken.zip', json })).status).toBe(409)
  expect((await app.call('archives.create', { path: '/none.rar', json })).status).toBe(400)
  expect(readFileSync(path.join(app.disk, 'taken.zip'), 'utf8')).toBe('mine')
})
