import { expect, test } from 'vitest'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import type { ComparedEntry } from '../state/listed-entry.ts'
import { jobsAfterChoices, planUpload, type UploadItem } from './upload-plan.ts'

const tree: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  '/': { Photos: true, 'a.txt': false },
  '/Photos': { 'cat.png': false, old: true },
  '/Photos/old': { 'dog.png': false },
}

const facts = (isFolder: boolean): ComparedEntry => ({ isFolder, type: '', sizeBytes: 1, modifiedMs: 0 })

/** Plans an upload into a fixed folder tree, and records the folders whose names were requested. */
async function plan(paths: readonly string[]) {
  const asked: Path[] = []
  const namesIn = (folder: Path) => {
    asked.push(folder)
    const entries = Object.entries(tree[folder] ?? {})
    return Promise.resolve(new Map(entries.map(([name, isFolder]) => [name, facts(isFolder)])))
  }
  const items = paths.map((path): UploadItem => ({
    names: path.replace(/\/$/, '').split('/'),
    file: path.endsWith('/') ? null : new Blob(['x']),
  }))
  const made = await planUpload(
    { namesIn, yieldIfDue: () => null, signal: new AbortController().signal },
    root,
    items,
  )
  return { plan: made, asked, conflicts: made.conflicts.map(({ folder, name }) => `${folder} ${name}`) }
}

test('only taken names of files are conflicts, at any depth; folders are merged', async () => {
  const { conflicts, asked } = await plan([
    'a.txt',
    'b.txt',
    'Photos/cat.png',
    'Photos/old/dog.png',
    'Photos/old/x',
  ])
  expect(conflicts).toEqual(['/ a.txt', '/Photos cat.png', '/Photos/old dog.png'])
  expect(asked).toEqual(['/', '/Photos', '/Photos/old'])
})

test('the names of a folder that does not exist yet are not requested', async () => {
  const { conflicts, asked } = await plan(['New/a.txt', 'New/deep/b.txt', 'New/empty/'])
  expect([conflicts, asked]).toEqual([[], ['/']])
})

test('a file with the name of a folder and an invalid name are refused before anything is sent', async () => {
  const { plan: made } = await plan(['Photos', 'tab\tname', '..'])
  expect(made.jobs.map(({ fault }) => fault)).toEqual(['is-a-folder', 'bad-name', 'bad-name'])
})

test('a refused name is named with its fault, also when it is the name of a folder or the whole path', async () => {
  const long = 'n'.repeat(256)
  const deep = Array.from({ length: 20 }, () => 'n'.repeat(250)).join('/')
  const { plan: made } = await plan([long, `${long}/a.txt`, `${deep}/b.txt`, 'good.txt'])
  expect(made.jobs.map(({ refusedName }) => refusedName && [refusedName.name, refusedName.fault])).toEqual([
    [long, 'too-long'],
    [long, 'too-long'],
    ['b.txt', 'too-deep'],
    undefined,
  ])
})

test('only chosen files are overwritten or get a number, skipped files are not sent, and a cancel sends nothing', async () => {
  const { plan: made } = await plan(['a.txt', 'b.txt', 'Photos/cat.png'])
  const sent = (...choices: ('overwrite' | 'rename' | 'skip' | 'cancel')[]) =>
    jobsAfterChoices(made, choices).map(
      ({ path, overwrite, isSkipped }) => `${path}${overwrite ? '!' : isSkipped ? ' skipped' : ''}`,
    )
  expect(sent('overwrite', 'skip')).toEqual(['/a.txt!', '/b.txt', '/Photos/cat.png skipped'])
  expect(sent('skip', 'overwrite')).toEqual(['/a.txt skipped', '/b.txt', '/Photos/cat.png!'])
  expect(sent('rename', 'skip')).toEqual(['/a(1).txt', '/b.txt', '/Photos/cat.png skipped'])
  expect(sent('overwrite', 'cancel')).toEqual([])
})

test('a path below the root keeps its names as they are', async () => {
  const items: UploadItem[] = [{ names: ['100% é', ' x '], file: new Blob(['x']) }]
  const world = {
    namesIn: () => Promise.resolve(new Map<string, ComparedEntry>()),
    yieldIfDue: () => null,
    signal: new AbortController().signal,
  }
  const made = await planUpload(world, pathOf('/docs') ?? root, items)
  expect(made.jobs[0]?.path).toBe('/docs/100% é/ x ')
})

test('a plan that the user cancels ends at the next file', async () => {
  const cancelling = new AbortController()
  const listed: string[] = []
  const items: UploadItem[] = ['a', 'b', 'c'].map((name) => ({
    names: [name, 'x.txt'],
    file: new Blob(['x']),
  }))
  const namesIn = (folder: string) => {
    listed.push(folder)
    cancelling.abort()
    return Promise.resolve(new Map<string, ComparedEntry>())
  }
  const made = planUpload({ namesIn, yieldIfDue: () => null, signal: cancelling.signal }, root, items)
  await expect(made).rejects.toThrow('aborted')
  expect(listed).toHaveLength(1)
})

test('a name that looks like an existing one is asked about, and replaces the existing file under its name', async () => {
  const [composed, decomposed] = ['caf\u00e9.txt', 'cafe\u0301.txt']
  const existing = new Map([[composed, facts(false)]])
  const made = await planUpload(
    {
      namesIn: async () => existing,
      yieldIfDue: () => null,
      signal: new AbortController().signal,
    },
    root,
    [{ names: [decomposed], file: new Blob(['new']) }],
  )
  expect(made.conflicts).toMatchObject([{ name: composed, freeName: 'caf\u00e9(1).txt' }])
  const jobsAfter = (choice: 'overwrite' | 'rename') =>
    jobsAfterChoices(made, [choice]).map(({ path, overwrite }) => [path, overwrite])
  expect(jobsAfter('overwrite')).toEqual([[`/${composed}`, true]])
  expect(jobsAfter('rename')).toEqual([['/caf\u00e9(1).txt', false]])
})
