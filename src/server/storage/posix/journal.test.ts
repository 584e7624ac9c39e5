import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createJournal } from './journal.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'journal-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return join(made, 'state')
}

test('a start that was killed before its sweep leaves the records to the next start', async () => {
  const state = folder()
  await createJournal(state).add('/srv/a')
  expect(await createJournal(state).readOld()).toEqual(['/srv/a'])
  const next = createJournal(state)
  await next.add('/srv/b')
  expect(await next.readOld()).toEqual(['/srv/a'])
  await next.dropOld()
  expect(await createJournal(state).readOld()).toEqual(['/srv/b'])
})

test('a file that is still staged stays recorded, however many files are staged after it', async () => {
  const state = folder()
  const journal = createJournal(state)
  const long = join(state, 'a long upload')
  await journal.add(long)
  writeFileSync(long, '')
  await Promise.all(
    Array.from({ length: 5000 }, async (_, at) => journal.add(`/srv/${'x'.repeat(200)}/${at}`)),
  )
  expect(await createJournal(state).readOld()).toContain(long)
})

test('the recorded paths are returned at the next start, and not again afterwards', async () => {
  const state = folder()
  const first = createJournal(state)
  expect(await first.readOld()).toEqual([])
  await first.add('/srv/a\nb')
  await first.add('/srv/\udc80')
  const next = createJournal(state)
  expect(await next.readOld()).toEqual(['/srv/a\nb', '/srv/\udc80'])
  await next.dropOld()
  expect(await createJournal(state).readOld()).toEqual([])
  expect(statSync(join(state, 'staged')).mode & 0o777).toBe(0o600)
})

test('paths that this server recorded do not count as old', async () => {
  const state = folder()
  await createJournal(state).add('/srv/old')
  const journal = createJournal(state)
  await journal.add('/srv/new')
  expect(await journal.readOld()).toEqual(['/srv/old'])
  await journal.dropOld()
  expect(await createJournal(state).readOld()).toEqual(['/srv/new'])
})

test('a line that a crash cut off is ignored', async () => {
  const state = folder()
  await createJournal(state).add('/srv/whole')
  appendFileSync(join(state, 'staged'), '"/srv/ha')
  expect(await createJournal(state).readOld()).toEqual(['/srv/whole'])
})

test('the journal stays small when many files are staged', async () => {
  const state = folder()
  const journal = createJournal(state)
  await Promise.all(
    Array.from({ length: 5000 }, async (_, at) => journal.add(`/srv/${'x'.repeat(200)}/${at}`)),
  )
  const text = readFileSync(join(state, 'staged'), 'utf8')
  expect(text.length).toBeLessThan(600 * 1024)
  expect(text).toContain('/4999"')
})

test('without a folder, nothing is recorded', async () => {
  const journal = createJournal(undefined)
  await journal.add('/srv/a')
  expect(await journal.readOld()).toEqual([])
})
