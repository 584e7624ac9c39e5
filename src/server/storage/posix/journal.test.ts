import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createJournal } from './journal.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'journal-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return join(made, 'state')
}

test('the next start gets what was noted, once', async () => {
  const state = folder()
  const first = createJournal(state)
  expect(await first.takeOld()).toEqual([])
  await first.add('/srv/a\nb')
  await first.add('/srv/\udc80')
  expect(await createJournal(state).takeOld()).toEqual(['/srv/a\nb', '/srv/\udc80'])
  expect(await createJournal(state).takeOld()).toEqual([])
  expect(statSync(join(state, 'staged')).mode & 0o777).toBe(0o600)
})

test('what this server noted is not old', async () => {
  const state = folder()
  await createJournal(state).add('/srv/old')
  const journal = createJournal(state)
  await journal.add('/srv/new')
  expect(await journal.takeOld()).toEqual(['/srv/old'])
  expect(await createJournal(state).takeOld()).toEqual(['/srv/new'])
})

test('a line that a crash cut off is passed over', async () => {
  const state = folder()
  await createJournal(state).add('/srv/whole')
  appendFileSync(join(state, 'staged'), '"/srv/ha')
  expect(await createJournal(state).takeOld()).toEqual(['/srv/whole'])
})

test('a busy server keeps its journal small', async () => {
  const state = folder()
  const journal = createJournal(state)
  await Promise.all(
    Array.from({ length: 5000 }, async (_, at) => journal.add(`/srv/${'x'.repeat(200)}/${at}`)),
  )
  const text = readFileSync(join(state, 'staged'), 'utf8')
  expect(text.length).toBeLessThan(600 * 1024)
  expect(text).toContain('/4999"')
})

test('without a folder nothing is remembered', async () => {
  const journal = createJournal(undefined)
  await journal.add('/srv/a')
  expect(await journal.takeOld()).toEqual([])
})
