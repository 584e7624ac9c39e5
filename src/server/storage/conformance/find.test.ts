import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseNameQuery } from '../../../shared/domain/name-query.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { Storage } from '../port.ts'
import { conformance, openDescriptors, p, refusalCode } from './suite.ts'

async function findAll(storage: Storage, text = '', path = '/'): Promise<string[]> {
  const names: string[] = []
  for await (const { paths, folders } of storage.find(p(path), { query: parseNameQuery(text) }))
    names.push(...paths.map((name, index) => (folders[index] === true ? `${name}/` : name)))
  return names
}

/** Returns the paths that a search for an abbreviation finds, in their order. */
async function findAbbreviated(storage: Storage, text: string, path = '/'): Promise<string[]> {
  const found: string[] = []
  const query = parseNameQuery(text, { ignoresAccents: true })
  for await (const { paths } of storage.find(p(path), { query, abbreviations: true, describes: true }))
    found.push(...paths)
  return found
}

const hasHiddenName = (path: Path) => path.slice(path.lastIndexOf('/') + 1).startsWith('.')

conformance('Find', ({ fixture, volume, top }) => {
  test('a search returns matching names depth first, in byte order', async () => {
    const { storage } = await fixture({
      b: { 'a hit': '', x: {} },
      a: '',
      'hit b': { hit: '' },
      B: '',
      é: '',
    })
    expect(await findAll(storage)).toEqual(['B', 'a', 'b/', 'b/a hit', 'b/x/', 'hit b/', 'hit b/hit', 'é'])
    expect(await findAll(storage, 'HIT')).toEqual(['b/a hit', 'hit b/', 'hit b/hit'])
    expect(await findAll(storage, 'hit', '/b')).toEqual(['a hit'])
  })

  test('an empty folder has no matches, and special files are not found', async () => {
    const { disk, storage } = await fixture({ a: '' })
    execFileSync('mkfifo', [join(disk, 'pipe')])
    expect(await findAll(storage)).toEqual(['a'])
    expect(await findAll(storage, '', '/none')).toEqual([])
    expect(await findAll(storage, '', '/a')).toEqual([])
    expect(await findAll(storage, '', '/pipe')).toEqual([])
  })

  test('staged files and the state folder are never found', async () => {
    mkdirSync(join(top(), '.stowage'), { recursive: true })
    writeFileSync(join(top(), '.stowage/secret-needle'), '')
    writeFileSync(join(top(), `.${'0'.repeat(32)}.stowage-part`), '')
    expect(await findAll(volume(), 'secret-needle')).toEqual([])
    expect(await findAll(volume(), 'stowage-part')).toEqual([])
    expect(await refusalCode(findAll(volume(), '', '/.stowage'))).toBe('forbidden')
  })

  test('a search enters denied folders but not hidden folders, and a narrower storage finds no further entries', async () => {
    const { storage } = await fixture({
      no: { yes: { hit: '' }, hit: '' },
      '.git': { hit: '', sub: { hit: '' } },
      ok: { hit: '' },
    })
    const ann = await storage.narrow({
      permits: (path) => !path.startsWith('/no') || path.startsWith('/no/yes'),
      hides: hasHiddenName,
    })
    expect(await findAll(ann, 'hit')).toEqual(['no/yes/hit', 'ok/hit'])
    expect(await findAll(await ann.narrow({ at: p('/no/yes') }), '')).toEqual(['hit'])
    expect(await refusalCode(findAll(await ann.narrow({ only: 'write' })))).toBe('forbidden')
  })

  test('links are found but not followed, and links that leave the storage or form loops cause no error', async () => {
    const { storage } = await fixture({
      dir: { hit: '' },
      'hit-dir': { link: 'dir' },
      'hit-out': { link: '/etc' },
      'hit-loop': { link: 'hit-loop' },
      up: { 'hit-up': { link: '..' } },
    })
    expect(await findAll(storage, 'hit')).toEqual(['dir/hit', 'hit-dir', 'hit-loop', 'up/hit-up'])
  })

  test('paths with the letters of an abbreviation follow the names that contain it, the best one first', async () => {
    const { storage } = await fixture({
      'quarterly report.pdf': '',
      'quick meeting report.pdf': '',
      q: { r: { 'e.p': '' }, 'Rép.md': '' },
      'old-qrep.txt': '',
      'queer people.txt': '',
      'prequel report.txt': '',
    })
    expect(await findAbbreviated(storage, 'qrep')).toEqual([
      'old-qrep.txt',
      'quarterly report.pdf',
      'quick meeting report.pdf',
      'q/Rép.md',
      'q/r/e.p',
    ])
    expect(await findAbbreviated(storage, 'qrep type:md')).toEqual(['q/Rép.md'])
    expect(await findAbbreviated(storage, 'rp', '/q')).toEqual(['Rép.md', 'r/e.p'])
  })

  test('an abbreviation never finds denied, hidden or own entries, however many match better than a permitted one', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`q r ${n + 100}`, '']))
    const { disk, storage } = await fixture({
      no: many,
      '.git': many,
      ok: { 'the quite long report': '', 'qu-re': { link: '/etc' }, 'qu-ro': { link: '../no/q r 100' } },
    })
    execFileSync('mkfifo', [join(disk, 'queue rows')])
    writeFileSync(join(disk, `.${'0'.repeat(32)}.stowage-part`), '')
    const ann = await storage.narrow({ permits: (path) => !path.startsWith('/no'), hides: hasHiddenName })
    expect(await findAbbreviated(ann, 'qr')).toEqual(['ok/the quite long report'])
    expect(await findAbbreviated(ann, 'sp')).toEqual([])
    expect(await findAbbreviated(storage, 'qr')).toHaveLength(50)
  })

  test('names of any characters are found by their letters', async () => {
    const long = `long ${'x'.repeat(240)} tail`
    const names = ['a%2Fb', '#?&+', 'x🎉 party.png', 'تقرير المبيعات.txt', '我的季度报告.txt', long]
    const { storage } = await fixture(Object.fromEntries(names.map((name) => [name, ''])))
    for (const [text, name] of [
      ['a2f', 'a%2Fb'],
      ['#&', '#?&+'],
      ['🎉p', 'x🎉 party.png'],
      ['تا', 'تقرير المبيعات.txt'],
      ['季报', '我的季度报告.txt'],
      ['lt', long],
    ] as const)
      expect(await findAbbreviated(storage, text)).toEqual([name])
  })

  test('a search that ends early or is aborted leaves no descriptor open', async () => {
    const { disk, storage } = await fixture()
    for (let at = 0; at < 30; at += 1) mkdirSync(join(disk, `f${at}/a/b`), { recursive: true })
    const opened = openDescriptors(disk)
    const early = storage.find(p('/'), { query: parseNameQuery('') })[Symbol.asyncIterator]()
    await early.next()
    await early.return?.()
    const aborting = new AbortController()
    const query = parseNameQuery('')
    const names = storage.find(p('/'), { query, signal: aborting.signal })[Symbol.asyncIterator]()
    await names.next()
    aborting.abort()
    await names.next().catch(() => {})
    await expect.poll(() => openDescriptors(disk)).toBe(opened)
    await expect.poll(() => openDescriptors(join(disk, 'f0'))).toBe(0)
  })
})
