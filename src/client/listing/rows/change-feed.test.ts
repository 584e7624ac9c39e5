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
      return () => waits.splice(waits.indexOf(wait), 1)
    },
    origin: 'me',
    onChange: (folder, change) => heard.push([folder, change === 'missed' ? change : change.path]),
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
  expect(last().sent).toEqual(['{"watch":["/Docs"]}', '{"watch":["/"]}'])
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
    ['/', '/Docs/old.txt'],
  ])
})

test('a broken connection is tried again at growing intervals, and reports that changes may have been missed', () => {
  const { feed, sockets, heard, waits, last, open, breaks } = world()
  feed.watch(root)
  open()
  last().close()
  last().close()
  expect([waits.map(({ ms }) => ms), breaks()]).toEqual([[1000, 2000], 2])
  waits[0]?.run()
  expect(heard).toEqual([])
  open()
  expect([sockets.length, heard, last().sent]).toEqual([2, [['/', 'missed']], ['{"watch":["/"]}']])
})

test('a closed feed does not reconnect', () => {
  const { feed, sockets, waits, last, open, breaks } = world()
  open()
  feed.close()
  last().close()
  expect([sockets.length, waits, breaks()]).toEqual([1, [], 0])
})
