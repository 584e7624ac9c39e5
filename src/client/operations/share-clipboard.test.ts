import { afterEach, expect, test } from 'vitest'
import { root } from '../../shared/domain/path.ts'
import { clipboard, type ClipboardContent } from '../state/clipboard.ts'
import { shareClipboard } from './share-clipboard.ts'

afterEach(() => clipboard.set(null))

const content: ClipboardContent = { verb: 'move', folder: root, entries: [] }

/** Connects the clipboard to a channel. `receive` delivers a message of another tab, and `sent` records messages. */
function connect() {
  const sent: unknown[] = []
  const listeners = new Set<(event: MessageEvent) => void>()
  const disconnect = shareClipboard({
    send: (message) => void sent.push(message),
    onMessage: (listener) => void listeners.add(listener),
    close: () => listeners.clear(),
  })
  const receive = (data: unknown): void => {
    for (const listener of listeners) listener({ data } as MessageEvent)
  }
  return { sent, receive, disconnect }
}

test('a new tab asks the other tabs, and takes over their content without sending it back', () => {
  const { sent, receive, disconnect } = connect()
  receive({ kind: 'content', content })
  expect([sent, clipboard.get()]).toEqual([[{ kind: 'request' }], content])
  disconnect()
})

test('a change is sent to the other tabs, also when the clipboard is emptied', () => {
  const { sent, receive, disconnect } = connect()
  receive({ kind: 'content', content })
  clipboard.set(null)
  clipboard.set(content)
  expect(sent.slice(1)).toEqual([
    { kind: 'content', content: null },
    { kind: 'content', content },
  ])
  disconnect()
  clipboard.set(null)
  expect(sent).toHaveLength(3)
})

test('only a tab with a content answers a request', () => {
  const { sent, receive, disconnect } = connect()
  receive({ kind: 'request' })
  expect(sent).toHaveLength(1)
  clipboard.set(content)
  receive({ kind: 'request' })
  expect(sent.slice(1)).toEqual([
    { kind: 'content', content },
    { kind: 'content', content },
  ])
  disconnect()
})
