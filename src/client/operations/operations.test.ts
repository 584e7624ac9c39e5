import { expect, test } from 'vitest'
import { pathOf, root } from '../../shared/domain/path.ts'
import type { RouteName } from '../../shared/contract/routes.ts'
import { CallError, type CallOptions } from '../api/call.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import { createFile, createFolder } from './create.ts'
import type { Desk } from './desk.ts'
import { removeEntries } from './remove.ts'
import { renameEntry } from './rename.ts'

const docs = pathOf('/docs') ?? root
const entry = (name: string): ListedEntry => ({
  name,
  isFolder: false,
  isLink: false,
  isBroken: false,
  sizeBytes: 1,
  modifiedMs: 0,
  type: 'text',
})

type Answer = (name: RouteName, options: CallOptions) => Promise<Response>
const fine: Answer = () => Promise.resolve(new Response('200 OK\n'))

/** A desk whose folder holds these names, whose server answers as told, and that keeps everything it was asked and told. */
function openDesk(names: readonly string[], answer: Answer = fine) {
  const rows = new Set(names)
  const asked: string[] = []
  const told: string[] = []
  const failures: [string, readonly string[]][] = []
  const timers = new Set<() => void>()
  const went: string[] = []
  const desk: Desk = {
    call: (name, options) => {
      asked.push(
        [name, options?.path, options?.isFolder ? 'folder' : '', JSON.stringify(options?.query ?? {})].join(
          ' ',
        ),
      )
      return answer(name, options ?? {})
    },
    openAt: (folder) =>
      folder !== docs
        ? null
        : {
            has: (name) => rows.has(name),
            insert: (entries) => entries.forEach(({ name }) => rows.add(name)),
            remove: (gone) => gone.forEach((name) => rows.delete(name)),
            rename: (from, to) => void (rows.delete(from) && rows.add(to)),
            focus: () => undefined,
            reload: () => undefined,
          },
    tell: (text) => void told.push(text),
    tellFailure: (text, details) => void failures.push([text, details ?? []]),
    tellWorking: (text) => {
      told.push(text)
      return () => void told.push(`end of ${text}`)
    },
    go: (to) => void went.push(to),
    nowMs: () => 0,
    later: (run) => {
      timers.add(run)
      return () => void timers.delete(run)
    },
  }
  return {
    desk,
    asked,
    told,
    failures,
    went,
    names: () => [...rows].sort(),
    pass: () => timers.forEach((run) => run()),
  }
}

const refuse =
  (status: number, ...names: string[]): Answer =>
  (name, options) =>
    names.some((refused) => options.path === `/docs/${refused}`)
      ? Promise.reject(new CallError(status))
      : fine(name, options)

/** An answer that comes when the test says so. */
function held() {
  const { promise, resolve } = Promise.withResolvers<Response>()
  return { answer: () => promise, release: () => resolve(new Response('')) }
}

test('a new folder shows at once and is opened when the server has it', async () => {
  const { answer, release } = held()
  const { desk, asked, names, went } = openDesk([], answer)
  const made = createFolder(desk, { folder: docs, name: 'a b%' })
  expect([names(), went]).toEqual([['a b%'], []])
  release()
  await made
  expect([asked, went]).toEqual([['resources.create /docs/a b% folder {}'], ['/files/docs/a%20b%25/']])
})

test('a new file whose name is taken leaves the row that has it', async () => {
  const { desk, names, failures, went } = openDesk(['a.txt'], refuse(409, 'a.txt'))
  await createFile(desk, { folder: docs, name: 'a.txt' })
  expect([names(), failures.length, went]).toEqual([['a.txt'], 1, []])
})

test('a new file that is refused leaves no row', async () => {
  const { desk, names, failures } = openDesk([], refuse(507, 'a.txt'))
  await createFile(desk, { folder: docs, name: 'a.txt' })
  expect([names(), failures[0]?.[0]]).toEqual([[], 'failed.create reason.no-space'])
})

test('a rename shows at once; its destination is encoded before the query encodes it again', async () => {
  const { answer, release } = held()
  const { desk, asked, names } = openDesk(['old.txt'], answer)
  const done = renameEntry(desk, { folder: docs, from: 'old.txt', to: '100%.txt' })
  expect(names()).toEqual(['100%.txt'])
  release()
  await done
  expect(asked).toEqual([
    'resources.transfer /docs/old.txt  {"action":"rename","destination":"/docs/100%25.txt"}',
  ])
})

test('a rename that is refused gives the old name back and says why; one to the same name asks nothing', async () => {
  const { desk, names, failures, asked } = openDesk(['old.txt'], refuse(403, 'old.txt'))
  await renameEntry(desk, { folder: docs, from: 'old.txt', to: 'new.txt' })
  expect([names(), failures]).toEqual([['old.txt'], [['failed.rename reason.forbidden', []]]])
  await renameEntry(desk, { folder: docs, from: 'old.txt', to: 'old.txt' })
  expect(asked).toHaveLength(1)
})

test('deleting sends one request an entry, at most five at once', async () => {
  let [now, most] = [0, 0]
  const slow: Answer = async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setTimeout(resolve, 1))
    now -= 1
    return new Response('')
  }
  const all = Array.from({ length: 12 }, (_, n) => `f${n}`)
  const { desk, asked, names, told } = openDesk([...all, 'stays'], slow)
  await removeEntries(desk, { folder: docs, entries: all.map(entry) })
  expect([asked.length, most, names(), told]).toEqual([12, 5, ['stays'], ['done.delete']])
})

test('what the server keeps comes back, named with its reason; what is gone already does not', async () => {
  const [forbidden, gone] = [refuse(403, 'b'), refuse(404, 'c')]
  const { desk, names, failures } = openDesk(['a', 'b', 'c'], async (name, options) => {
    await forbidden(name, options)
    return gone(name, options)
  })
  await removeEntries(desk, { folder: docs, entries: ['a', 'b', 'c'].map(entry) })
  expect([names(), failures]).toEqual([['b'], [['failed.some', ['b: reason.forbidden']]]])
})

test('a loading notice stands while nothing has answered for 300 ms, and goes with the answer', async () => {
  const { answer, release } = held()
  const { desk, told, pass } = openDesk(['a'], answer)
  const done = removeEntries(desk, { folder: docs, entries: [entry('a')] })
  expect(told).toEqual([])
  pass()
  expect(told).toEqual(['working.delete'])
  release()
  await done
  expect(told).toEqual(['working.delete', 'end of working.delete', 'done.delete'])
})
