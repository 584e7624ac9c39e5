import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { Narrow, Storage } from '../port.ts'
import { body, conformance, p, refusal, treeOf } from './world.ts'
import type { Tree } from './world.ts'

const create = { overwrite: 'create' } as const
const upsert = { overwrite: 'upsert' } as const

const tree: Tree = {
  file: 'x',
  other: 'y',
  folder: { inner: 'z', deep: { 'secret.key': 'k' } },
  empty: {},
  inside: { link: 'file' },
  alias: { link: 'folder' },
  dead: { link: 'nothing' },
  deadFolder: { link: 'no/folder' },
  out: { link: '/etc/hostname' },
  up: { link: '..' },
}

const paths = [
  ...['/', '/file', '/file/below', '/folder', '/folder/inner', '/folder/new', '/empty', '/new'],
  ...['/new/deep/a', '/inside', '/alias', '/alias/new', '/dead', '/dead/below', '/deadFolder/a', '/out'],
  ...['/up/x', '/folder/deep', '/denied', '/denied/a/b', '/new/denied', '/alias/denied/a'],
].map(p)

const permits: Narrow['permits'] = (path) => !path.endsWith('.key') && !path.split('/').includes('denied')

type Case = {
  readonly check: (storage: Storage) => Promise<void>
  readonly change: (storage: Storage) => Promise<unknown>
}

/** Every change of every path, and of every path onto every other. */
function* cases(): Generator<readonly [name: string, it: Case]> {
  for (const path of paths) {
    for (const overwrite of ['create', 'replace', 'upsert'] as const) {
      for (const parents of [false, true]) {
        for (const extra of [{}, { ifMatch: 'other' }, { sizeBytes: Number.MAX_SAFE_INTEGER }]) {
          const op = { overwrite, parents, ...extra }
          yield [
            `write ${path} ${JSON.stringify(op)}`,
            {
              check: (storage) => storage.check({ kind: 'write', path, ...op }),
              change: (storage) => storage.write(path, body('new'), { ...op, sizeBytes: op.sizeBytes ?? 3 }),
            },
          ]
        }
      }
    }
    for (const op of [{}, { parents: true }, { mayExist: true }, { parents: true, mayExist: true }])
      yield [
        `makeFolder ${path} ${JSON.stringify(op)}`,
        {
          check: (storage) => storage.check({ kind: 'makeFolder', path, ...op }),
          change: (storage) => storage.makeFolder(path, op),
        },
      ]
    for (const recursive of [false, true])
      yield [
        `remove ${path} ${recursive}`,
        {
          check: (storage) => storage.check({ kind: 'remove', path, recursive }),
          change: (storage) => storage.remove(path, { recursive }),
        },
      ]
    for (const to of paths)
      for (const kind of ['move', 'copy'] as const)
        for (const op of [create, upsert])
          yield [
            `${kind} ${path} ${to} ${op.overwrite}`,
            {
              check: (storage) => storage.check({ kind, path, to, ...op }),
              change: (storage) => storage[kind](path, to, op),
            },
          ]
  }
}

conformance('a change that is only judged', ({ world }) => {
  test('is refused with what the change itself is refused with, and changes nothing', async () => {
    const judged = await world(tree)
    const narrow = await judged.storage.narrow({ permits })
    const before = treeOf(judged.disk)
    let made = await world(tree)
    for (const [name, { check, change }] of cases()) {
      const verdict = await refusal(check(narrow))
      const outcome = await refusal(change(await made.storage.narrow({ permits })))
      expect([name, verdict]).toEqual([name, outcome])
      if (!isDeepStrictEqual(treeOf(made.disk), before)) made = await world(tree)
    }
    expect(treeOf(judged.disk)).toEqual(before)
  }, 120_000)

  test('is refused where only reading is allowed', async () => {
    const { storage } = await world({ a: 'A' })
    const reading = await storage.narrow({ only: 'read' })
    expect(await refusal(reading.check({ kind: 'remove', path: p('/a'), recursive: true }))).toBe('forbidden')
  })
})
