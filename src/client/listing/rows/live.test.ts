import { expect, test } from 'vitest'
import type { ChangeMessage } from '../../../shared/contract/events.ts'
import { root, type Path } from '../../../shared/domain/path.ts'
import { startLive } from './live.ts'

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
  const live = startLive({
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
  })
  const last = (): FakeSocket => sockets.at(-1) as FakeSocket
  const open = () => last().dispatchEvent(new Event('open'))
  return { live, sockets, heard, waits, last, open }
}

const change = (path: string, more: Partial<ChangeMessage> = {}): ChangeMessage => ({
  id: 1,
  kind: 'created',
  path,
  origin: 'others',
  ...more,
})

test('the open folder is watched, and what others do in it is heard', () => {
  const { live, heard, last, open } = world()
  live.watch('/Docs' as Path)
  open()
  live.watch(root)
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

test('a line that breaks is tried again, ever later, and says that something may have been missed', () => {
  const { live, sockets, heard, waits, last, open } = world()
  live.watch(root)
  open()
  last().close()
  last().close()
  expect(waits.map(({ ms }) => ms)).toEqual([1000, 2000])
  waits[0]?.run()
  expect(heard).toEqual([])
  open()
  expect([sockets.length, heard, last().sent]).toEqual([2, [['/', 'missed']], ['{"watch":["/"]}']])
})

test('once closed it stays closed', () => {
  const { live, sockets, waits, last, open } = world()
  open()
  live.close()
  last().close()
  expect([sockets.length, waits]).toEqual([1, []])
})
