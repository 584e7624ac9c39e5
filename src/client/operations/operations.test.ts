import { expect, test, vi } from 'vitest'
import { pathOf, root } from '../../shared/domain/path.ts'
import type { RouteName } from '../../shared/contract/routes.ts'
import type { AnyCallOptions } from '../api/call-options.ts'
import { CallError } from '../api/call.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import { notices } from '../state/notices.ts'
import { dropPersonal } from '../state/personal.ts'
import { createFile, createFolder } from './create.ts'
import { createOperationContext, type OperationContext } from './operation-context.ts'
import { removeEntries } from './remove.ts'
import { renameEntry } from './renaming/rename.ts'

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

type ResponseFunction = (name: RouteName, options: AnyCallOptions) => Promise<Response>
const fine: ResponseFunction = () => Promise.resolve(new Response('200 OK\n'))

/**
 * Creates a context with a folder of the given names and a server with the given response. The context records all
 * requests and notices.
 */
function createContext(names: readonly string[], response: ResponseFunction = fine) {
  const rows = new Set(names)
  const asked: string[] = []
  const told: string[] = []
  const failures: [string, readonly string[]][] = []
  const timers = new Set<() => void>()
  const went: string[] = []
  let [fetches, reloads] = [0, 0]
  const context: OperationContext = {
    call: (name: RouteName, options: AnyCallOptions = {}) => {
      asked.push(
        [name, options.path, options.isFolder ? 'folder' : '', JSON.stringify(options.query ?? {})].join(' '),
      )
      return response(name, options)
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
            showFailures: () => undefined,
            watchFetches: () => {
              const before = fetches
              return () => fetches !== before
            },
            reload: () => void (reloads += 1),
          },
    notify: (text) => void told.push(text),
    notifyFailure: (text, details) => void failures.push([text, details ?? []]),
    notifyWork: (text) => {
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
    context,
    asked,
    told,
    failures,
    went,
    names: () => [...rows].sort(),
    /** Replaces the rows, to simulate a fetch after another client has changed the folder. */
    fetchRows: (fetched: readonly string[]) => {
      fetches += 1
      rows.clear()
      for (const name of fetched) rows.add(name)
    },
    reloads: () => reloads,
    pass: () => timers.forEach((run) => run()),
  }
}

const refuse =
  (status: number, ...names: string[]): ResponseFunction =>
  (name, options) =>
    names.some((refused) => options.path === `/docs/${refused}`)
      ? Promise.reject(new CallError(status))
      : fine(name, options)

/** Creates a response that stays pending until the test releases it. */
function pendingResponse() {
  const { promise, resolve } = Promise.withResolvers<Response>()
  return { response: () => promise, release: () => resolve(new Response('')) }
}

const onRefusal = (reason: string): never => {
  throw new Error(reason)
}

test('a new folder shows at once, and opens when the server has created it', async () => {
  const { response, release } = pendingResponse()
  const { context, asked, names, went } = createContext([], response)
  const made = createFolder(context, { folder: docs, name: 'a b%', onRefusal })
  expect([names(), went]).toEqual([['a b%'], []])
  release()
  await made
  expect([asked, went]).toEqual([['resources.create /docs/a b% folder {}'], ['/files/docs/a%20b%25/']])
})

test('a new file whose name exists leaves the row that has the name', async () => {
  const { context, names, went } = createContext(['a.txt'], refuse(409, 'a.txt'))
  const reasons: string[] = []
  await createFile(context, { folder: docs, name: 'a.txt', onRefusal: (reason) => reasons.push(reason) })
  expect([names(), reasons, went]).toEqual([['a.txt'], ['reason.name-taken'], []])
})

test('a new file that is refused leaves no row', async () => {
  const { context, names } = createContext([], refuse(507, 'a.txt'))
  const reasons: string[] = []
  await createFile(context, { folder: docs, name: 'a.txt', onRefusal: (reason) => reasons.push(reason) })
  expect([names(), reasons]).toEqual([[], ['text.sentences']])
})

test('a rename shows at once; its destination is encoded before the query encodes it again', async () => {
  const { response, release } = pendingResponse()
  const { context, asked, names } = createContext(['old.txt'], response)
  const done = renameEntry(context, { folder: docs, from: 'old.txt', to: '100%.txt' })
  expect(names()).toEqual(['100%.txt'])
  release()
  await done
  expect(asked).toEqual([
    'resources.transfer /docs/old.txt  {"action":"rename","destination":"/docs/100%25.txt"}',
  ])
})

test('a refused rename restores the old name and tells the reason; a rename to the same name sends nothing', async () => {
  const { context, names, failures, asked } = createContext(['old.txt'], refuse(403, 'old.txt'))
  await renameEntry(context, { folder: docs, from: 'old.txt', to: 'new.txt' })
  expect([names(), failures]).toEqual([['old.txt'], [['text.sentences', []]]])
  await renameEntry(context, { folder: docs, from: 'old.txt', to: 'old.txt' })
  expect(asked).toHaveLength(1)
})

test('deleting sends one request for each entry, at most five at a time', async () => {
  let [now, most] = [0, 0]
  const slow: ResponseFunction = async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setTimeout(resolve, 1))
    now -= 1
    return new Response('')
  }
  const all = Array.from({ length: 12 }, (_, n) => `f${n}`)
  const { context, asked, names, told } = createContext([...all, 'stays'], slow)
  await removeEntries(context, { folder: docs, entries: all.map(entry) })
  expect([asked.length, most, names(), told]).toEqual([12, 5, ['stays'], ['done.delete']])
})

test('entries that the server refuses to delete come back with the reason; entries that are gone already do not', async () => {
  const [forbidden, gone] = [refuse(403, 'b'), refuse(404, 'c')]
  const { context, names, failures } = createContext(['a', 'b', 'c'], async (name, options) => {
    await forbidden(name, options)
    return gone(name, options)
  })
  await removeEntries(context, { folder: docs, entries: ['a', 'b', 'c'].map(entry) })
  expect([names(), failures]).toEqual([['b'], [['failed.some', ['b: reason.forbidden']]]])
})

test('a notice shows while a delete takes longer than 300 ms, and disappears with the answer', async () => {
  const { response, release } = pendingResponse()
  const { context, told, pass } = createContext(['a'], response)
  const done = removeEntries(context, { folder: docs, entries: [entry('a')] })
  expect(told).toEqual([])
  pass()
  expect(told).toEqual(['working.delete'])
  release()
  await done
  expect(told).toEqual(['working.delete', 'end of working.delete', 'done.delete'])
})

test('an operation sends and shows nothing more once the person who began it has left', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('nothing may be sent')))
  const context = createOperationContext()
  dropPersonal()
  await removeEntries(context, { folder: docs, entries: [entry('a'), entry('b')] })
  context.notify('done')
  context.notifyWork('working')()
  expect([notices.get(), context.openAt(docs)]).toEqual([[], null])
  createOperationContext().notify('done')
  expect(notices.get().map(({ text }) => text)).toEqual(['done'])
  vi.unstubAllGlobals()
})

test('rows that were fetched during a deletion may be old, so the folder is fetched once more', async () => {
  const { response, release } = pendingResponse()
  const { context, fetchRows, reloads, told } = createContext(['a.txt', 'b.txt'], response)
  const done = removeEntries(context, { folder: docs, entries: [entry('a.txt')] })
  fetchRows(['a.txt', 'b.txt', 'new.txt'])
  release()
  await done
  expect([reloads(), told.includes('done.delete')]).toEqual([1, true])
})

test('a deletion without a fetch in the meantime needs no other one', async () => {
  const { context, names, reloads } = createContext(['a.txt', 'b.txt'])
  await removeEntries(context, { folder: docs, entries: [entry('a.txt')] })
  expect([names(), reloads()]).toEqual([['b.txt'], 0])
})

test('a rename of an entry that is gone tells both names and fetches the folder again; other refusals can be handled', async () => {
  const { context, failures, reloads } = createContext(['a.txt', 'b.txt'], refuse(404, 'a.txt'))
  const reasons: string[] = []
  const onRefusal = (reason: string): void => void reasons.push(reason)
  await renameEntry(context, { folder: docs, from: 'a.txt', to: 'new.txt', onRefusal })
  expect([failures, reasons, reloads()]).toEqual([[['failed.rename.gone', []]], [], 1])
  const refusing = createContext(['b.txt'], refuse(403, 'b.txt'))
  await renameEntry(refusing.context, { folder: docs, from: 'b.txt', to: 'new.txt', onRefusal })
  expect([refusing.failures, reasons, refusing.names()]).toEqual([[], ['reason.forbidden'], ['b.txt']])
})

test('rows that were fetched during a rename are fetched once more', async () => {
  const { response, release } = pendingResponse()
  const { context, fetchRows, reloads } = createContext(['a.txt'], response)
  const done = renameEntry(context, { folder: docs, from: 'a.txt', to: 'b.txt' })
  fetchRows(['a.txt'])
  release()
  await done
  expect(reloads()).toBe(1)
})

test('a refused rename leaves an entry of the new name that appeared meanwhile', async () => {
  const { promise, reject } = Promise.withResolvers<Response>()
  const { context, fetchRows, names, reloads } = createContext(['a.txt'], () => promise)
  const done = renameEntry(context, { folder: docs, from: 'a.txt', to: 'b.txt' })
  fetchRows(['a.txt', 'b.txt'])
  reject(new CallError(409))
  await done
  expect([names(), reloads()]).toEqual([['a.txt', 'b.txt'], 1])
})

test('a renamed entry is deleted only after the server has renamed it', async () => {
  const { response, release } = pendingResponse()
  const { context, asked, names, told } = createContext(['old.txt'], (name, options) =>
    name === 'resources.transfer' ? response() : fine(name, options),
  )
  const renamed = renameEntry(context, { folder: docs, from: 'old.txt', to: 'new.txt' })
  const removed = removeEntries(context, { folder: docs, entries: [entry('new.txt')] })
  await new Promise((resolve) => setTimeout(resolve))
  expect([names(), asked.length]).toEqual([[], 1])
  release()
  await Promise.all([renamed, removed])
  expect(asked[1]).toMatch(/^resources.remove \/docs\/new.txt/)
  expect(told).toContain('done.delete')
})

test('when the server refuses to rename an entry, a later deletion of the new name is refused, too', async () => {
  const { promise, reject } = Promise.withResolvers<Response>()
  const { context, asked, failures, reloads } = createContext(['old.txt'], () => promise)
  const renamed = renameEntry(context, { folder: docs, from: 'old.txt', to: 'new.txt' })
  const removed = removeEntries(context, { folder: docs, entries: [entry('new.txt')] })
  reject(new CallError(403))
  await Promise.all([renamed, removed])
  expect([asked.length, reloads()]).toEqual([1, 1])
  expect(failures.map(([text]) => text)).toEqual(['text.sentences', 'text.sentences'])
})
