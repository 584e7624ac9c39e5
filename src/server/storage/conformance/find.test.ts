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
