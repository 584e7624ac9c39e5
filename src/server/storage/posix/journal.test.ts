import { diskPathOf } from '../disk-path.ts'
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { maxSilenceMs } from './journal-owner.ts'
import { createJournal } from './journal.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'journal-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return join(made, 'state')
}

/** Changes the owners of all journals in the folder: their machines, or the ids of their processes. */
function changeOwners(
  state: string,
  { machine, pid }: { readonly machine?: string; readonly pid?: number },
): void {
  for (const name of readdirSync(state)) {
    const [, ownMachine = '', ownPid = '', rest = ''] = /^staged-([^-]+)-([^-]+)-(.*)$/.exec(name) ?? []
    const changed = `staged-${machine ?? ownMachine}-${pid ?? ownPid}-${rest}`
    if (rest !== '') renameSync(join(state, name), join(state, changed))
  }
}

/** Makes all journals in the folder those of killed processes. The id is larger than any that Linux gives. */
const killOwners = (state: string): void => changeOwners(state, { pid: 4_194_305 })

const onlyFile = (state: string): string => {
  const [name = ''] = readdirSync(state)
  return join(state, name)
}

test('a start that was killed before its sweep leaves the records to the next start', async () => {
  const state = folder()
  await createJournal(state).add(diskPathOf('/srv/a'))
  killOwners(state)
  expect(await createJournal(state).readOld()).toEqual(['/srv/a'])
  killOwners(state)
  const next = createJournal(state)
  await next.add(diskPathOf('/srv/b'))
  expect(await next.readOld()).toEqual(['/srv/a'])
  await next.dropOld()
  killOwners(state)
  expect(await createJournal(state).readOld()).toEqual(['/srv/b'])
})

test('the records of a server that runs stay its own, also on another machine, until it is silent', async () => {
  const state = folder()
  await createJournal(state).add(diskPathOf('/srv/a'))
  expect(await createJournal(state).readOld()).toEqual([])
  changeOwners(state, { machine: '0'.repeat(16), pid: 4_194_305 })
  expect(await createJournal(state).readOld()).toEqual([])
  const silentS = (Date.now() - maxSilenceMs - 1000) / 1000
  utimesSync(onlyFile(state), silentS, silentS)
  expect(await createJournal(state).readOld()).toEqual(['/srv/a'])
})

test('a process with the id of one that has ended owns no journal of it', async () => {
  const state = folder()
  await createJournal(state).add(diskPathOf('/srv/a'))
  renameSync(onlyFile(state), onlyFile(state).replace(/-\d+-([0-9a-f]{16})$/, '-1-$1'))
  expect(await createJournal(state).readOld()).toEqual(['/srv/a'])
})

test('a server whose cleanup failed goes on when another server has taken over its records', async () => {
  const state = folder()
  await createJournal(state).add(diskPathOf('/srv/a'))
  killOwners(state)
  const failed = createJournal(state)
  expect(await failed.readOld()).toEqual(['/srv/a'])
  killOwners(state)
  expect(await createJournal(state).readOld()).toEqual(['/srv/a'])
  expect(await failed.readOld()).toEqual([])
})

test('of two servers that start, one takes over the records', async () => {
  const state = folder()
  await createJournal(state).add(diskPathOf('/srv/a'))
  killOwners(state)
  const found = await Promise.all([createJournal(state).readOld(), createJournal(state).readOld()])
  expect(found.flat()).toEqual(['/srv/a'])
})

test('a journal that is closed leaves the records of files that still exist, and no file otherwise', async () => {
  const state = folder()
  const journal = createJournal(state)
  const left = join(state, 'left')
  await journal.add(diskPathOf('/srv/gone'))
  await journal.add(diskPathOf(left))
  writeFileSync(left, '')
  await journal.close()
  const next = createJournal(state)
  expect(await next.readOld()).toEqual([left])
  await next.dropOld()
  rmSync(left)
  await next.close()
  expect(readdirSync(state)).toEqual([])
})

test('the journal of earlier versions is read', async () => {
  const state = folder()
  await createJournal(state).add(diskPathOf('/srv/a'))
  renameSync(onlyFile(state), join(state, 'staged'))
  expect(await createJournal(state).readOld()).toEqual(['/srv/a'])
})

test('a file that is still staged stays recorded, however many files are staged after it', async () => {
  const state = folder()
  const journal = createJournal(state)
  const long = `${state} a long upload`
  await journal.add(diskPathOf(long))
  writeFileSync(long, '')
  await Promise.all(
    Array.from({ length: 5000 }, async (_, at) => journal.add(diskPathOf(`/srv/${'x'.repeat(200)}/${at}`))),
  )
  killOwners(state)
  expect(await createJournal(state).readOld()).toContain(long)
})

test('the recorded paths are returned at the next start, and not again afterwards', async () => {
  const state = folder()
  const first = createJournal(state)
  expect(await first.readOld()).toEqual([])
  await first.add(diskPathOf('/srv/a\nb'))
  await first.add(diskPathOf('/srv/\udc80'))
  expect(statSync(onlyFile(state)).mode & 0o777).toBe(0o600)
  killOwners(state)
  const next = createJournal(state)
  expect(await next.readOld()).toEqual(['/srv/a\nb', '/srv/\udc80'])
  await next.dropOld()
  expect(await createJournal(state).readOld()).toEqual([])
  expect(readdirSync(state)).toEqual([])
})

test('a line that a crash cut off is ignored', async () => {
  const state = folder()
  await createJournal(state).add(diskPathOf('/srv/whole'))
  appendFileSync(onlyFile(state), '"/srv/ha')
  killOwners(state)
  expect(await createJournal(state).readOld()).toEqual(['/srv/whole'])
})

test('the journal stays small when many files are staged', async () => {
  const state = folder()
  const journal = createJournal(state)
  await Promise.all(
    Array.from({ length: 5000 }, async (_, at) => journal.add(diskPathOf(`/srv/${'x'.repeat(200)}/${at}`))),
  )
  const text = readFileSync(onlyFile(state), 'utf8')
  expect(text.length).toBeLessThan(600 * 1024)
  expect(text).toContain('/4999"')
})

test('without a folder, nothing is recorded', async () => {
  const journal = createJournal(undefined)
  await journal.add(diskPathOf('/srv/a'))
  expect(await journal.readOld()).toEqual([])
})
