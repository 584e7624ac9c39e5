import { getSystemErrorName } from 'node:util'
import { expect, test } from 'vitest'
import { codeOf } from '../../../../shared/domain/failure.ts'
import { isUnreachable } from './descriptors.ts'
import { systemError } from './kernel.ts'
import { asFailure } from './system-failures.ts'

const isLinux = process.platform === 'linux'

test.skipIf(!isLinux)('errors for which Node has no name are recognized by their number', () => {
  const quotaExceeded = 122
  const staleMount = 116
  const damagedFileSystem = 117
  const noMedium = 123
  const lockedFolder = 126
  const numbers = [quotaExceeded, staleMount, damagedFileSystem, noMedium, lockedFolder]
  expect(numbers.map((errno) => getSystemErrorName(-errno))).toEqual(
    numbers.map((errno) => `Unknown system error -${errno}`),
  )
  expect(numbers.map((errno) => codeOf(asFailure(systemError(errno))))).toEqual([
    'no-space',
    'unavailable',
    'unavailable',
    'unavailable',
    'unavailable',
  ])
  expect(numbers.map((errno) => isUnreachable(systemError(errno)))).toEqual([false, true, true, true, true])
})

test.skipIf(!isLinux)('a server behind a mount that is down makes entries unavailable', () => {
  const hostIsDown = 112
  const noRouteToHost = 113
  for (const errno of [hostIsDown, noRouteToHost]) {
    expect(codeOf(asFailure(systemError(errno)))).toBe('unavailable')
    expect(isUnreachable(systemError(errno))).toBe(true)
  }
})
