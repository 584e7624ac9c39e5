import { expect, test } from 'vitest'
import type { ChangeMessage } from '../../../shared/contract/events.ts'
import { root, type Path } from '../../../shared/domain/path.ts'
import { startChangeFeed } from './change-feed.ts'

class FakeSocket extends EventTarget {
  sent: string[] = []
  send(text: string): void {
    this.sent.push(text)
  }
  close(): void {
    this.dispatchEvent(new Event('close'))
  }
  say(message: unknown): void {
    this.dispatchEvent(
      new MessageEvent('message', { data: typeof message === 'string' ? message : JSON.stringify(message) }),
    )
  }
}

function world() {
  const sockets: FakeSocket[] = []
  const heard: unknown[] = []
  const waits: { ms: number; run: () => void }[] = []
  let breaks = 0
  const feed = startChangeFeed({
    openSocket: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket
    },
    later: (ms, run) => {
      const wait = { ms, run }
      waits.push(wait)
      return () => void (waits.includes(wait) && waits.splice(waits.indexOf(wait), 1))
    },
    origin: 'me',
    onChange: (folder, change) => heard.push([folder, change === 'missed' ? change : change.path]),
    onFollowed: (folder, change) =>
      heard.push(['followed', folder, change === 'missed' ? change : change.path]),
    onOwnChange: ({ path }) => heard.push(['own', path]),
    onRights: () => heard.push(['rights']),
    onWatching: (folder, modifiedMs) => heard.push([folder, modifiedMs]),
    onConnect: () => undefined,
    onDisconnect: () => (breaks += 1),
  })
  const last = (): FakeSocket => sockets.at(-1) as FakeSocket
  const open = () => last().dispatchEvent(new Event('open'))
  return { feed, sockets, heard, waits, last, open, breaks: () => breaks }
}

const change = (path: string, more: Partial<ChangeMessage> = {}): ChangeMessage => ({
  id: 1,
  kind: 'created',
  path,
  origin: 'others',
  ...more,
})

test('the open folder is watched, and changes that others make in it are reported', () => {
  const { feed, heard, last, open } = world()
  feed.watch('/Docs' as Path)
  open()
  feed.watch(root)
  expect(last().sent.map((text) => JSON.parse(text) as unknown)).toEqual([
    { watch: ['/Docs'], resume: null, since: 0 },
    { watch: ['/'], resume: null, since: 0 },
  ])
  for (const message of [
    change('/new.txt'),
    change('/Docs/deep.txt'),
    change('/mine.txt', { origin: 'me' }),
    change('/Docs/old.txt', { kind: 'moved', to: '/old.txt' }),
    'no json',
    '{"path":5}',
  ])
    last().say(message)
  expect(heard).toEqual([
    ['/', '/new.txt'],
    ['own', '/mine.txt'],
    ['/', '/Docs/old.txt'],
  ])
})

test('a broken connection is tried again at growing intervals, and continues after the last change', () => {
  const { feed, sockets, heard, waits, last, open, breaks } = world()
  feed.watch(root)
  open()
  last().say({ resume: 'token', isResumed: false })
  last().say({ ...change('/a.txt'), id: 7 })
  last().close()
  last().close()
  expect([waits.map(({ ms }) => ms), breaks()]).toEqual([[1000], 1])
  waits[0]?.run()
  last().close()
  expect([waits.map(({ ms }) => ms), breaks()]).toEqual([[1000, 2000], 2])
  waits[1]?.run()
  open()
  expect([sockets.length, last().sent]).toEqual([3, ['{"watch":["/"],"resume":"token","since":7}']])
  last().say({ resume: 'token', isResumed: true })
  last().say({ ...change('/b.txt'), id: 8 })
  expect(heard).toEqual([
    ['/', '/a.txt'],
    ['/', '/b.txt'],
  ])
})

test('changes that the server has forgotten are reported as missed', () => {
  const { feed, heard, waits, last, open } = world()
  feed.watch(root)
  open()
  last().say({ resume: 'token', isResumed: false })
  last().close()
  waits[0]?.run()
  open()
  expect(heard).toEqual([])
  last().say({ resume: 'other', isResumed: false })
  last().say({ watching: '/', modifiedMs: 5 })
  expect(heard).toEqual([
    ['/', 'missed'],
    ['/', 5],
  ])
})

test('followed folders are watched beside the open one, also when changes were missed', () => {
  const { feed, heard, waits, last, open } = world()
  feed.watch('/Docs' as Path)
  feed.follow([root, '/Docs' as Path])
  open()
  feed.follow([root])
  feed.follow([root])
  expect(last().sent.map((text) => (JSON.parse(text) as { watch: unknown }).watch)).toEqual([
    ['/Docs', '/'],
    ['/Docs', '/'],
  ])
  last().say({ resume: 'token', isResumed: false })
  for (const message of [
    change('/Docs'),
    change('/Zed'),
    change('/own', { origin: 'me' }),
    change('/Docs/new'),
  ])
    last().say(message)
  last().close()
  waits[0]?.run()
  open()
  last().say({ resume: 'other', isResumed: false })
  expect(heard).toEqual([
    ['/Docs', '/Docs'],
    ['followed', '/', '/Docs'],
    ['followed', '/', '/Zed'],
    ['/Docs', '/Docs/new'],
    ['/Docs', 'missed'],
    ['followed', '/', 'missed'],
  ])
})

test('a connection whose server does not answer any more is given up', () => {
  const { feed, sockets, heard, waits, last, open, breaks } = world()
  feed.watch(root)
  open()
  const runNext = () => waits.shift()?.run()
  last().say({ resume: 'token', isResumed: false })
  expect(waits.map(({ ms }) => ms)).toEqual([10_000])
  runNext()
  expect(last().sent).toEqual([
    '{"watch":["/"],"resume":null,"since":0}',
    '{"watch":["/"],"resume":"token","since":0}',
  ])
  last().say({ resume: 'token', isResumed: true })
  expect([waits.map(({ ms }) => ms), heard, breaks()]).toEqual([[10_000], [], 0])
  runNext()
  runNext()
  expect([waits.map(({ ms }) => ms), sockets.length, breaks()]).toEqual([[1000], 1, 1])
})

test('a feed connects again as soon as the device has a network', () => {
  const { feed, sockets, waits, last, open, breaks } = world()
  open()
  feed.disconnect()
  const [lost] = sockets
  expect([waits.map(({ ms }) => ms), breaks()]).toEqual([[1000], 1])
  feed.reconnect()
  expect([sockets.length, waits]).toEqual([2, []])
  open()
  lost?.say({ resume: 'late', isResumed: false })
  expect(JSON.parse(last().sent[0] ?? '')).toEqual({ watch: [], resume: null, since: 0 })
  feed.reconnect()
  expect(sockets).toHaveLength(2)
})

test('a closed feed does not reconnect', () => {
  const { feed, sockets, waits, last, open, breaks } = world()
  open()
  feed.close()
  last().close()
  expect([sockets.length, waits, breaks()]).toEqual([1, [], 0])
})
