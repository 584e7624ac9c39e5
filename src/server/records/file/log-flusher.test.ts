import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { createLogFlusher } from './log-flusher.ts'

test('a reader waits for a flush while a change in another thread may be visible, and not before or after', async () => {
  // The log cannot be opened, so that each flush fails.
  const file = path.join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const log = createLogFlusher(path.join(file, 'stowage.db'))
  await log.flush()
  const endWrite = log.beginWrite()
  await expect(log.flush()).rejects.toMatchObject({ code: 'unavailable' })
  endWrite()
  await expect(log.flush()).rejects.toMatchObject({ code: 'unavailable' })
  const flushed = createLogFlusher(path.join(temporaryFolder(), 'stowage.db'))
  flushed.beginWrite()()
  await flushed.flush()
  expect(await flushed.flush()).toBe(undefined)
})
