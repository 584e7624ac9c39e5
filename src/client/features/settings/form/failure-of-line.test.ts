import { expect, test } from 'vitest'
import { failureOfLine } from './failure-of-line.ts'

const eventWith = (details: Readonly<Record<string, string | number | boolean>>) => ({
  id: 1,
  time: '2026-01-31T00:00:00.000Z',
  action: 'hook' as const,
  outcome: 'internal' as const,
  actor: 'server' as const,
  user: '',
  userId: null,
  session: '',
  address: '',
  target: '/a.txt',
  destination: '',
  details,
})

const hash = '0123456789abcdef'
const long = `sh -c '${'ä\n'.repeat(700)}'`
const sizeBytes = Buffer.byteLength(long)

test.each<readonly [string, string | undefined, string, boolean]>([
  ['the same text', 'true', 'true', true],
  ['another text', 'true', 'false', false],
  ['no text', undefined, '', false],
  ['the start of a long text', `${long.slice(0, 900)}… [${sizeBytes} bytes, SHA-256 ${hash}]`, long, true],
  ['another length', `${long.slice(0, 900)}… [${sizeBytes + 1} bytes, SHA-256 ${hash}]`, long, false],
  ['another start', `x${long.slice(1, 900)}… [${sizeBytes} bytes, SHA-256 ${hash}]`, long, false],
  ['a start without its length', long.slice(0, 900), long, false],
])('%s in the log', (_case, recorded, line, isFound) => {
  const failed = eventWith({
    event: 'before_save',
    end: 'exited',
    ...(recorded !== undefined && { line: recorded }),
  })
  expect(failureOfLine([failed], 'before_save', line)).toBe(isFound ? failed : undefined)
})

test('a refused trial and the failure of another event are passed over', () => {
  const failed = eventWith({ event: 'before_save', line: 'false', end: 'exited', status: 1 })
  const others = [
    eventWith({ event: 'before_save', line: 'false', trial: true }),
    eventWith({ event: 'after_save', line: 'false', end: 'exited', status: 2 }),
  ]
  expect(failureOfLine([...others, failed], 'before_save', 'false')).toBe(failed)
  expect(failureOfLine(others, 'before_save', 'false')).toBe(undefined)
})
