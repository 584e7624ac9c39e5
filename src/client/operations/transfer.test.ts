import { expect, test } from 'vitest'
import { nameOf, pathOf, root, type Path } from '../../shared/domain/path.ts'
import type { RouteName } from '../../shared/contract/routes.ts'
import type { AnyCallOptions } from '../api/call-options.ts'
import { CallError } from '../api/call.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import type { ConflictChoice } from '../state/upload-job.ts'
import { transferEntries } from './transfer.ts'

const [docs, photos] = [pathOf('/docs') ?? root, pathOf('/photos') ?? root]
const entry = (name: string, isFolder = false): ListedEntry => ({
  name,
  isFolder,
  isLink: false,
  isBroken: false,
  sizeBytes: 1,
  modifiedMs: 0,
  type: isFolder ? '' : 'text',
})

/**
 * Transfers entries from /docs, which is on screen. `there` contains the names in /photos, and `choice` is the user's
 * decision about names that are already taken there.
 */
async function transfer(
  verb: 'move' | 'copy',
  to: Path | null,
  world: {
    existingNames?: string[]
    choice?: ConflictChoice
    refused?: string
    /** Names that others give to entries in /photos after the names were compared. */
    lateNames?: readonly string[]
    /** True while the network is cut: when the names are compared, or only later, when the entries are sent. */
    isCut?: 'before' | 'later' | null
    entries: readonly ListedEntry[]
  },
) {
  const rows = new Set(world.entries.map(({ name }) => name))
  const asked: string[] = []
  const told: string[] = []
  const failures: string[] = []
  const questions: number[] = []
  const freeNames: (string | null)[] = []
  const retries: (() => void)[] = []
  await transferEntries(
    {
      call: (_name: RouteName, options: AnyCallOptions = {}) => {
        const { destination, override, rename } = options.query ?? {}
        asked.push(
          `${options.path} ${String(destination)}${override ? ' override' : ''}${rename ? ' rename' : ''}`,
        )
        if (world.isCut === 'later') return Promise.reject(new CallError(0))
        if (world.lateNames !== undefined && !override && !rename) return Promise.reject(new CallError(409))
        return world.refused !== undefined && options.path?.endsWith(world.refused)
          ? Promise.reject(new CallError(403))
          : Promise.resolve(new Response(''))
      },
      fetchEntry: async (path) => {
        asked.push(`entry ${path}`)
        return world.lateNames?.includes(nameOf(path)) === true ? entry(nameOf(path)) : null
      },
      namesIn: () =>
        world.isCut === 'before'
          ? Promise.reject(new CallError(0))
          : Promise.resolve(new Map((world.existingNames ?? []).map((name) => [name, entry(name)]))),
      conflicts: {
        cancelAll: () => undefined,
        ask: (conflicts) => {
          questions.push(conflicts.length)
          freeNames.push(...conflicts.map(({ freeName }) => freeName))
          return Promise.resolve(conflicts.map(() => world.choice ?? 'cancel'))
        },
      },
      openAt: (folder) =>
        folder !== docs
          ? null
          : {
              has: (name) => rows.has(name),
              insert: (entries) => entries.forEach(({ name }) => rows.add(name)),
              remove: (names) => names.forEach((name) => rows.delete(name)),
              rename: () => undefined,
              focus: () => undefined,
              showFailures: () => undefined,
              watchFetches: () => () => false,
              reload: () => undefined,
            },
      notify: (text) => void told.push(text),
      notifyFailure: (text, details, action) => {
        failures.push([text, ...(details ?? []), action?.label ?? ''].join(' | '))
        if (action !== undefined) retries.push(action.run)
      },
      notifyWork: () => () => undefined,
      go: () => undefined,
      nowMs: () => 0,
      later: () => () => undefined,
    },
    { verb, from: docs, to, entries: world.entries },
  )
  return { asked, told, failures, questions, freeNames, retries, rows: [...rows].sort() }
}

test('a move without conflicts asks nothing, and the rows are removed', async () => {
  const { asked, rows, told } = await transfer('move', photos, { entries: [entry('a'), entry('b')] })
  expect([asked, rows, told]).toEqual([['/docs/a /photos/a', '/docs/b /photos/b'], [], ['done.move']])
})

test.each([
  ['overwrite', ['/docs/a /photos/a override', '/docs/b /photos/b']],
  ['rename', ['/docs/a /photos/a rename', '/docs/b /photos/b']],
  ['skip', ['/docs/b /photos/b']],
  ['cancel', []],
] as const)('the choice %s applies only to names that exist in the target', async (choice, expected) => {
  const { asked } = await transfer('copy', photos, {
    existingNames: ['a'],
    choice,
    entries: [entry('a'), entry('b')],
  })
  expect(asked).toEqual(expected)
})

test('a name that was taken meanwhile is asked about without fetching the whole folder', async () => {
  const { asked, questions, freeNames } = await transfer('copy', photos, {
    lateNames: ['a', 'a(1)'],
    choice: 'rename',
    entries: [entry('a')],
  })
  expect([questions, freeNames]).toEqual([[0, 1], ['a(2)']])
  expect(asked).toEqual([
    '/docs/a /photos/a',
    'entry /photos/a',
    'entry /photos/a(1)',
    'entry /photos/a(2)',
    '/docs/a /photos/a rename',
  ])
})

test('a copy into the same folder is numbered without a question', async () => {
  const { asked, questions, rows } = await transfer('copy', docs, {
    existingNames: ['a'],
    entries: [entry('a')],
  })
  expect([asked, questions, rows]).toEqual([['/docs/a /docs/a rename'], [], ['a']])
})

test('duplicates of entries from several folders are one operation, which names all refused entries in one notice', async () => {
  const inPhotos = { ...entry('b'), folder: photos }
  const done = await transfer('copy', null, { entries: [entry('a'), inPhotos] })
  expect([done.asked, done.questions, done.told]).toEqual([
    ['/docs/a /docs/a rename', '/photos/b /photos/b rename'],
    [],
    ['done.copyBeside'],
  ])
  const refused = await transfer('copy', null, {
    refused: 'b',
    entries: [{ ...inPhotos, name: 'other b' }, inPhotos],
  })
  expect(refused.failures).toEqual([
    'failed.some | other b: reason.forbidden | b: reason.forbidden | buttons.retryFailed',
  ])
})

test('refused entries come back with the reason; a folder is not moved into itself, without a request', async () => {
  const { rows, failures, asked } = await transfer('move', pathOf('/docs/c/deep') ?? root, {
    refused: 'b',
    entries: [entry('a'), entry('b'), entry('c', true)],
  })
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['/docs/a', '/docs/b'])
  expect([rows, failures]).toEqual([
    ['b', 'c'],
    ['failed.some | b: reason.forbidden | c: reason.into-itself | buttons.retryFailed'],
  ])
})

test.each(['before', 'later'] as const)(
  'a move without a network (cut %s) names what was not moved, and can be tried again with the same target',
  async (when) => {
    const world: Parameters<typeof transfer>[2] = { isCut: when, entries: [entry('a'), entry('b')] }
    const { failures, retries, rows, asked, told } = await transfer('move', photos, world)
    expect([failures, rows]).toEqual([['text.sentences | buttons.retry'], ['a', 'b']])
    world.isCut = null
    asked.length = 0
    retries[0]?.()
    await expect.poll(() => told).toEqual(['done.move'])
    expect(asked).toEqual(['/docs/a /photos/a', '/docs/b /photos/b'])
  },
)
