import {
  appendFileSync,
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ReservedFiles } from '../posix/resolution/reserved-names.ts'
import { bodyOf, canRun, conformance, outsideFolder, ownVolume, p, refusalCode, treeOf } from './suite.ts'

const create = { overwrite: 'create' } as const
const upsert = { overwrite: 'upsert' } as const

conformance('G moving and copying', ({ fixture, adapter }) => {
  test('88 a file is moved, and an existing target stays or is replaced', async () => {
    const { disk, storage } = await fixture({ a: 'A', b: 'B', c: 'C' })
    expect(
      (await storage.apply({ kind: 'move', path: p('/a'), to: p('/new/deep/a2'), ...create })).name,
    ).toBe('a2')
    expect(await refusalCode(storage.apply({ kind: 'move', path: p('/b'), to: p('/c'), ...create }))).toBe(
      'name-taken',
    )
    expect(treeOf(disk)).toEqual({ b: 'B', c: 'C', new: { deep: { a2: 'A' } } })
    await storage.apply({ kind: 'move', path: p('/b'), to: p('/c'), ...upsert })
    expect(treeOf(disk)).toEqual({ c: 'B', new: { deep: { a2: 'A' } } })
    expect(await refusalCode(storage.apply({ kind: 'move', path: p('/nope'), to: p('/x'), ...create }))).toBe(
      'not-found',
    )
    expect(
      await refusalCode(storage.apply({ kind: 'move', path: p('/c'), to: p('/c/below'), ...create })),
    ).toBe('into-itself')
  })

  test('88 of two concurrent moves of one file, one succeeds', async () => {
    const { disk, storage } = await fixture({ a: 'A' })
    const calls = [1, 2].map(async (at) =>
      refusalCode(storage.apply({ kind: 'move', path: p('/a'), to: p(`/b${at}`), ...create })),
    )
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['not-found', null]))
    expect(Object.values(treeOf(disk))).toEqual(['A'])
  })

  test('89 a folder of 1,000 files is moved', async () => {
    const files = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, `${at}`]))
    const { disk, storage } = await fixture({ many: { ...files, sub: { x: 'y' } }, to: {} })
    await storage.apply({ kind: 'move', path: p('/many'), to: p('/to/moved'), ...create })
    expect(treeOf(disk)).toEqual({ to: { moved: { ...files, sub: { x: 'y' } } } })
  })

  test('90 and 100 moving or copying a folder into itself is refused', async () => {
    const { disk, storage } = await fixture({ a: { b: { c: 'x' } }, alias: { link: 'a/b' } })
    for (const to of ['/a/new', '/a/b/new', '/a/b/deeper/new', '/alias/new']) {
      expect(await refusalCode(storage.apply({ kind: 'move', path: p('/a'), to: p(to), ...upsert }))).toBe(
        'into-itself',
      )
      expect(await refusalCode(storage.apply({ kind: 'copy', path: p('/a'), to: p(to), ...upsert }))).toBe(
        'into-itself',
      )
    }
    expect(treeOf(join(disk, 'a/b'))).toMatchObject({ c: 'x' })
    expect(existsSync(join(disk, 'a/b/new'))).toBe(false)
  })

  test('91 moving an entry onto itself does nothing, and copying an entry onto itself is refused', async () => {
    const { disk, storage } = await fixture({ a: 'A', f: { x: 'y' }, alias: { link: 'a' } })
    for (const path of ['/a', '/f']) {
      expect((await storage.apply({ kind: 'move', path: p(path), to: p(path), ...upsert })).name).toBe(
        path.slice(1),
      )
      expect(await refusalCode(storage.apply({ kind: 'copy', path: p(path), to: p(path), ...upsert }))).toBe(
        'name-taken',
      )
    }
    expect(
      await refusalCode(storage.apply({ kind: 'copy', path: p('/alias'), to: p('/a'), ...upsert })),
    ).toBe('name-taken')
    expect(treeOf(disk)).toEqual({ a: 'A', f: { x: 'y' }, alias: { link: 'a' } })
  })

  test('92 a move can change only the case of a name', async () => {
    const { disk, storage } = await fixture({ Name: 'x', Folder: { a: 'b' } })
    await storage.apply({ kind: 'move', path: p('/Name'), to: p('/name'), ...create })
    await storage.apply({ kind: 'move', path: p('/Folder'), to: p('/folder'), ...create })
    expect(treeOf(disk)).toEqual({ name: 'x', folder: { a: 'b' } })
  })

  test('92 two hard links of one file are two names', async () => {
    const { disk, storage } = await fixture({ one: 'x' })
    linkSync(join(disk, 'one'), join(disk, 'two'))
    expect(
      await refusalCode(storage.apply({ kind: 'move', path: p('/one'), to: p('/two'), ...create })),
    ).toBe('name-taken')
    expect(treeOf(disk)).toEqual({ one: 'x', two: 'x' })
    await storage.apply({ kind: 'move', path: p('/one'), to: p('/two'), ...upsert })
    expect(treeOf(disk)).toEqual({ two: 'x' })
  })

  test('93 a folder cannot replace a file, a file cannot replace a folder, and nothing is lost', async () => {
    const tree = { file: 'x', folder: { inner: 'y' } }
    const { disk, storage } = await fixture(tree)
    for (const verb of ['move', 'copy'] as const) {
      expect(
        await refusalCode(storage.apply({ kind: verb, path: p('/folder'), to: p('/file'), ...upsert })),
      ).toBe('name-taken')
      expect(
        await refusalCode(storage.apply({ kind: verb, path: p('/file'), to: p('/folder'), ...upsert })),
      ).toBe('is-a-folder')
      expect(
        await refusalCode(storage.apply({ kind: verb, path: p('/file'), to: p('/folder'), ...create })),
      ).toBe('name-taken')
      expect(
        await refusalCode(storage.apply({ kind: verb, path: p('/file'), to: p('/file/below'), ...upsert })),
      ).toBe(verb === 'move' ? 'into-itself' : 'not-a-folder')
    }
    expect(treeOf(disk)).toEqual(tree)
  })

  test('94 moving a folder onto a folder is refused, even onto an empty one', async () => {
    const tree = { a: { x: '1' }, b: { y: '2' }, empty: {} }
    const { disk, storage } = await fixture(tree)
    for (const to of ['/b', '/empty'])
      expect(await refusalCode(storage.apply({ kind: 'move', path: p('/a'), to: p(to), ...upsert }))).toBe(
        'name-taken',
      )
    expect(await refusalCode(storage.apply({ kind: 'copy', path: p('/a'), to: p('/b'), ...create }))).toBe(
      'name-taken',
    )
    expect(treeOf(disk)).toEqual(tree)
  })

  test('copying a folder onto a folder merges them', async () => {
    const { disk, storage } = await fixture({
      a: { both: 'new', sub: { x: '1' }, only: 'a' },
      b: { both: 'old', sub: { y: '2' }, kept: 'b' },
    })
    await storage.apply({ kind: 'copy', path: p('/a'), to: p('/b'), ...upsert })
    expect(treeOf(disk)).toEqual({
      a: { both: 'new', sub: { x: '1' }, only: 'a' },
      b: { both: 'new', sub: { x: '1', y: '2' }, only: 'a', kept: 'b' },
    })
  })

  test('a merge does not overwrite the server’s own files or take their names', async () => {
    const taken = { file: { db: 'theirs' }, name: { 'db-wal': 'theirs' }, alias: { other: 'theirs' } }
    const root = outsideFolder({ ...taken, deep: { sub: { db: 'theirs' } }, into: { sub: { db: 'ours' } } })
    linkSync(join(root, 'into/sub/db'), join(root, 'into/sub/other'))
    const [file, folder] = ['into/sub/db', 'into/sub'].map((name) =>
      statSync(join(root, name), { bigint: true }),
    )
    const own = {
      files: [{ dev: file!.dev, ino: file!.ino }],
      prefixes: [{ dev: folder!.dev, ino: folder!.ino, prefix: 'db' }],
    }
    const volume = ownVolume(() => adapter.createVolume({ root, reservedFiles: () => own }))
    const before = treeOf(root)
    for (const name of Object.keys(taken))
      expect([
        name,
        await refusalCode(volume.apply({ kind: 'copy', path: p(`/${name}`), to: p('/into/sub'), ...upsert })),
      ]).toEqual([name, 'forbidden'])
    expect(
      await refusalCode(volume.apply({ kind: 'copy', path: p('/deep'), to: p('/into'), ...upsert })),
    ).toBe('forbidden')
    expect(treeOf(root)).toEqual(before)
  })

  test('reserved names are not available through a link', async () => {
    const root = outsideFolder({ home: { db: 'ours' }, alias: { link: 'home' }, file: 'x' })
    const volume = ownVolume(() =>
      adapter.createVolume({ root, reservedFiles: () => reservedFilesIn(join(root, 'home')) }),
    )
    const before = treeOf(root)
    const calls = [
      volume.apply({
        kind: 'write',
        path: p('/alias/db-wal/x'),
        body: bodyOf('x'),
        overwrite: 'create',
        parents: true,
      }),
      volume.apply({ kind: 'makeFolder', path: p('/alias/db-shm/x'), parents: true }),
      volume.apply({ kind: 'move', path: p('/file'), to: p('/alias/db-journal/x'), ...upsert }),
      volume.stat(p('/alias/db-none')),
      volume.open(p('/alias/db-none')),
    ]
    expect(await Promise.all(calls.map(refusalCode))).toEqual(calls.map(() => 'forbidden'))
    expect(treeOf(root)).toEqual(before)
  })

  test('reserved names are not available where links may lead outside', async () => {
    const away = outsideFolder({ db: 'ours', 'db-journal': 'ours', sub: { 'db-plain': 'theirs' } })
    const root = outsideFolder({
      file: 'x',
      folder: { link: away },
      journal: { link: join(away, 'db-journal') },
    })
    const volume = ownVolume(() =>
      adapter.createVolume({
        root,
        reservedFiles: () => reservedFilesIn(away),
        followExternalSymlinks: true,
      }),
    )
    const before = treeOf(away)
    for (const path of ['/journal', '/folder/db-journal']) {
      const calls = [
        volume.open(p(path)),
        volume.apply({ kind: 'write', path: p(path), body: bodyOf('x'), overwrite: 'upsert' }),
        volume.apply({ kind: 'copy', path: p('/file'), to: p(path), ...upsert }),
      ]
      expect([path, ...new Set(await Promise.all(calls.map(refusalCode)))]).toEqual([path, 'forbidden'])
    }
    expect((await volume.stat(p('/folder/sub/db-plain'))).sizeBytes).toBe(6)
    expect(treeOf(away)).toEqual(before)
  })

  test('a merge writes to the target of a link, and refuses links to the outside and special files', async () => {
    const away = outsideFolder({ secret: 'theirs' })
    const { disk, storage } = await fixture({
      in: { a: 'new' },
      out: { b: 'new' },
      pipe: { c: 'new' },
      to: { a: { link: '../target' }, b: { link: join(away, 'secret') } },
      target: 'old',
    })
    execFileSync('mkfifo', [join(disk, 'to/c')])
    await storage.apply({ kind: 'copy', path: p('/in'), to: p('/to'), ...upsert })
    for (const from of ['/out', '/pipe'])
      expect(await refusalCode(storage.apply({ kind: 'copy', path: p(from), to: p('/to'), ...upsert }))).toBe(
        'forbidden',
      )
    expect(treeOf(disk)).toMatchObject({
      to: { a: { link: '../target' }, b: { link: join(away, 'secret') }, c: '(special)' },
      target: 'new',
    })
    expect(treeOf(away)).toEqual({ secret: 'theirs' })
  })

  test('a folder cannot be moved or copied into a mount of itself', async ({ skip }) => {
    const root = outsideFolder({ a: { file: 'A', sub: { deep: 'B' } }, again: {} })
    if (!canRun('mount', '--bind', join(root, 'a/sub'), join(root, 'again')))
      skip('nothing may be mounted here')
    onTestFinished(() => void execFileSync('umount', ['-l', join(root, 'again')]))
    const volume = ownVolume(() => adapter.createVolume({ root }))
    const before = treeOf(root)
    expect(
      await refusalCode(volume.apply({ kind: 'move', path: p('/a'), to: p('/again/new'), ...create })),
    ).toBe('into-itself')
    expect(
      await refusalCode(volume.apply({ kind: 'move', path: p('/a/sub'), to: p('/again/new'), ...create })),
    ).toBe('into-itself')
    expect(
      await refusalCode(volume.apply({ kind: 'copy', path: p('/a'), to: p('/again/new'), ...create })),
    ).toBe('into-itself')
    expect(treeOf(root)).toEqual(before)
    expect(await refusalCode(volume.apply({ kind: 'copy', path: p('/a'), to: p('/again'), ...upsert }))).toBe(
      'into-itself',
    )
    expect(treeOf(join(root, 'a'))).toMatchObject({ file: 'A', sub: { deep: 'B' } })
  })

  test('a failed copy of read-only folders leaves nothing, and a sweep removes a staged read-only folder', () => {
    const [root, state] = [outsideFolder({ from: { a: { b: 'x' }, z: 'too large' } }), outsideFolder()]
    const run = String.raw`
      const { adapters } = await import(${JSON.stringify(join(import.meta.dirname, 'adapters.ts'))})
      const { chmodSync, mkdirSync, readdirSync, renameSync, writeFileSync } = await import('node:fs')
      const root = ${JSON.stringify(root)}
      for (const name of ['from/a', 'from']) chmodSync(root + '/' + name, 0o555)
      const createVolume = adapters.find(({ name }) => name === ${JSON.stringify(adapter.name)}).createVolume
      const volume = createVolume({ root, stateFolder: ${JSON.stringify(state)} })
      const code = await volume.apply({ kind: 'copy', path: '/from', to: '/to', overwrite: 'create', maxBytes: 1 }).catch(({ code }) => code)
      const left = readdirSync(root)
      await volume.apply({ kind: 'copy', path: '/from', to: '/to', overwrite: 'create' })
      const staged = '.' + '0'.repeat(32) + '.stowage-part'
      renameSync(root + '/to', root + '/' + staged)
      writeFileSync(${JSON.stringify(state)} + '/staged', JSON.stringify(root + '/' + staged) + '\n')
      await volume.close()
      const next = createVolume({ root, stateFolder: ${JSON.stringify(state)} })
      const swept = await next.sweep()
      await next.close()
      for (const name of ['from', 'from/a']) chmodSync(root + '/' + name, 0o755)
      console.log(JSON.stringify({ code, left, swept, after: readdirSync(root) }))
    `
    // A process of root may normally write to every folder. Without these capabilities, the mode of a folder restricts
    // root like any other owner.
    const asOwner =
      process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'] : []
    const words = [...asOwner, process.execPath, '--input-type=module', '-e', run]
    const { stdout } = spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8', cwd: '/' })
    expect(JSON.parse(stdout)).toEqual({ code: 'over-quota', left: ['from'], swept: 1, after: ['from'] })
  })

  test('a folder that is removed while it is copied is copied completely or not at all', async () => {
    const files = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`f${at}`, `${at}`]))
    const { disk, storage } = await fixture({})
    const outcomes = new Set<string>()
    for (let round = 0; round < 80; round += 1) {
      const [from, to] = [`from${round}`, `to${round}`]
      mkdirSync(join(disk, from))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(disk, from, name), text)
      const copying = refusalCode(
        storage.apply({ kind: 'copy', path: p(`/${from}`), to: p(`/${to}`), ...create }),
      )
      await Promise.all([copying, storage.apply({ kind: 'remove', path: p(`/${from}`), recursive: true })])
      const found = existsSync(join(disk, to)) ? readdirSync(join(disk, to)).length : 'nothing'
      outcomes.add(`${await copying}: ${found}`)
    }
    expect([...outcomes].filter((one) => !['null: 80', 'not-found: nothing'].includes(one))).toEqual([])
  })

  test('95 times and permissions are kept, and setuid, setgid and sticky bits are not copied', async () => {
    const { disk, storage } = await fixture({ file: 'x', folder: { inner: 'y' } })
    for (const name of ['file', 'folder', 'folder/inner'])
      utimesSync(join(disk, name), 1000, 1_500_000_000.125)
    chmodSync(join(disk, 'file'), 0o6754)
    chmodSync(join(disk, 'folder'), 0o1710)
    await storage.apply({ kind: 'copy', path: p('/file'), to: p('/file2'), ...create })
    await storage.apply({ kind: 'copy', path: p('/folder'), to: p('/folder2'), ...create })
    await storage.apply({ kind: 'move', path: p('/file'), to: p('/moved'), ...create })
    const metadata = (name: string): readonly [string, number, number] => {
      const { mode, mtimeMs } = statSync(join(disk, name))
      return [name, mode & 0o7777, mtimeMs]
    }
    expect(['file2', 'folder2', 'folder2/inner', 'moved'].map(metadata)).toEqual([
      ['file2', 0o754, 1_500_000_000_125],
      ['folder2', 0o710, 1_500_000_000_125],
      ['folder2/inner', expect.any(Number), 1_500_000_000_125],
      ['moved', 0o6754, 1_500_000_000_125],
    ])
  })

  test('96 a copy is independent', async () => {
    const { disk, storage } = await fixture({ a: 'A', b: 'B' })
    await storage.apply({ kind: 'copy', path: p('/a'), to: p('/new/a'), ...create })
    expect(await refusalCode(storage.apply({ kind: 'copy', path: p('/a'), to: p('/b'), ...create }))).toBe(
      'name-taken',
    )
    await storage.apply({ kind: 'copy', path: p('/a'), to: p('/b'), ...upsert })
    await storage.apply({ kind: 'write', path: p('/a'), body: bodyOf('changed'), overwrite: 'replace' })
    expect(treeOf(disk)).toEqual({ a: 'changed', b: 'A', new: { a: 'A' } })
    expect(await refusalCode(storage.apply({ kind: 'copy', path: p('/nope'), to: p('/x'), ...create }))).toBe(
      'not-found',
    )
  })

  test('96 a copy over a link changes the target of the link', async () => {
    const { disk, storage } = await fixture({ a: 'A', sub: { target: 'old' }, alias: { link: 'sub/target' } })
    expect(
      await refusalCode(storage.apply({ kind: 'copy', path: p('/a'), to: p('/alias'), ...create })),
    ).toBe('name-taken')
    await storage.apply({ kind: 'copy', path: p('/a'), to: p('/alias'), ...upsert })
    expect(treeOf(disk)).toEqual({ a: 'A', sub: { target: 'A' }, alias: { link: 'sub/target' } })
  })

  test('an aborted copy leaves nothing', async () => {
    const { disk, storage } = await fixture({
      from: Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`f${at}`, 'x'])),
    })
    const control = new AbortController()
    const copying = storage.apply({
      kind: 'copy',
      path: p('/from'),
      to: p('/to'),
      ...create,
      signal: control.signal,
    })
    await expect.poll(() => readdirSync(disk).length, { interval: 1 }).toBe(2)
    control.abort()
    expect(await refusalCode(copying)).toBe('aborted')
    expect(readdirSync(disk)).toEqual(['from'])
  })

  test('101 a sparse file is copied correctly', async () => {
    const { disk, storage } = await fixture()
    const file = openSync(join(disk, 'sparse'), 'w')
    ftruncateSync(file, 8 * 1024 * 1024)
    writeSync(file, 'middle', 4_000_000)
    closeSync(file)
    await storage.apply({ kind: 'copy', path: p('/sparse'), to: p('/copy'), ...create })
    expect(readFileSync(join(disk, 'copy')).equals(readFileSync(join(disk, 'sparse')))).toBe(true)
  })

  test('a move to another device copies completely, flushes, and then removes the source, links included', async ({
    skip,
  }) => {
    const root = outsideFolder({
      from: { a: 'A', sub: { b: 'B' }, dead: { link: 'nothing' } },
      file: 'F',
      link: { link: 'x' },
      away: {},
    })
    if (!canRun('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', join(root, 'away')))
      skip('no tmpfs may be mounted here')
    onTestFinished(() => void execFileSync('umount', ['-l', join(root, 'away')]))
    utimesSync(join(root, 'from/a'), 1000, 1_500_000_000)
    chmodSync(join(root, 'from/sub'), 0o2751)
    const volume = ownVolume(() => adapter.createVolume({ root }))
    for (const name of ['from', 'file', 'link'])
      await volume.apply({ kind: 'move', path: p(`/${name}`), to: p(`/away/${name}`), ...create })
    expect(treeOf(root)).toEqual({
      away: { from: { a: 'A', sub: { b: 'B' }, dead: { link: 'nothing' } }, file: 'F', link: { link: 'x' } },
    })
    expect(lstatSync(join(root, 'away/from/a')).mtimeMs).toBe(1_500_000_000_000)
    expect(lstatSync(join(root, 'away/from/sub')).mode & 0o7777).toBe(0o2751)
    await volume.apply({
      kind: 'write',
      path: p('/big'),
      body: bodyOf(Buffer.alloc(2 * 1024 * 1024)),
      overwrite: 'create',
    })
    expect(
      await refusalCode(volume.apply({ kind: 'move', path: p('/big'), to: p('/away/big'), ...create })),
    ).toBe('no-space')
    expect([readdirSync(root).toSorted(), readdirSync(join(root, 'away')).toSorted()]).toEqual([
      ['away', 'big'],
      ['file', 'from', 'link'],
    ])
  })

  test('a move of a link to another device replaces the target when that is allowed', async ({ skip }) => {
    const root = outsideFolder({ link: { link: 'x' }, away: {} })
    if (!mountOtherDisk(root)) skip('no tmpfs may be mounted here')
    writeFileSync(join(root, 'away/link'), 'old')
    const volume = ownVolume(() => adapter.createVolume({ root }))
    expect(
      await refusalCode(volume.apply({ kind: 'move', path: p('/link'), to: p('/away/link'), ...create })),
    ).toBe('name-taken')
    await volume.apply({ kind: 'move', path: p('/link'), to: p('/away/link'), ...upsert })
    expect(treeOf(root)).toEqual({ away: { link: { link: 'x' } } })
  })

  test('a move to another device loses no file that is saved during the move', async ({ skip }) => {
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`f${at}`, `${at}`]))
    const root = outsideFolder({
      from: { ...files, sub: { x: 'y' } },
      file: 'x'.repeat(50_000_000),
      away: {},
    })
    if (!mountOtherDisk(root)) skip('no tmpfs may be mounted here')
    const volume = ownVolume(() => adapter.createVolume({ root }))
    const move = () =>
      refusalCode(volume.apply({ kind: 'move', path: p('/from'), to: p('/away/from'), ...create }))
    const save = () => writeFileSync(join(root, 'from/new'), 'saved')
    expect(await saveDuringMove(root, move, save)).toBe('changed-meanwhile')
    expect(treeOf(root)).toMatchObject({ from: { new: 'saved' }, away: { from: files } })
    expect(
      await refusalCode(volume.apply({ kind: 'move', path: p('/from'), to: p('/away/rest'), ...create })),
    ).toBe(null)
    const movingFile = refusalCode(
      volume.apply({ kind: 'move', path: p('/file'), to: p('/away/file'), ...create }),
    )
    await expect.poll(() => readdirSync(join(root, 'away')).length, { interval: 1 }).toBe(3)
    appendFileSync(join(root, 'file'), 'saved')
    await movingFile
    expect(readFileSync(join(root, 'file'), 'utf8').endsWith('saved')).toBe(true)
  })
})

/**
 * Returns the reserved files of a folder that contains the server's file `db`. All names in this folder that begin with
 * `db` are reserved.
 */
function reservedFilesIn(folder: string): ReservedFiles {
  const [file, above] = [join(folder, 'db'), folder].map((path) => statSync(path, { bigint: true }))
  return {
    files: [{ dev: file!.dev, ino: file!.ino }],
    prefixes: [{ dev: above!.dev, ino: above!.ino, prefix: 'db' }],
  }
}

/** Mounts another file system at the folder `away`. Returns false when this machine does not allow it. */
function mountOtherDisk(root: string): boolean {
  const away = join(root, 'away')
  if (!canRun('mount', '-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', away)) return false
  onTestFinished(() => void execFileSync('umount', ['-l', away]))
  return true
}

/**
 * Runs a move, saves a file during this move, and returns the outcome of the move. When the move ends before the file
 * is saved, the move is undone and repeated.
 */
async function saveDuringMove(
  root: string,
  move: () => Promise<unknown>,
  save: () => void,
): Promise<unknown> {
  for (let tries = 1; tries <= 20; tries += 1) {
    const moving = move()
    let isOver = false
    void moving.then(() => (isOver = true))
    await expect.poll(() => isOver || countStagedEntries(join(root, 'away')) > 10, { interval: 1 }).toBe(true)
    try {
      save()
      return await moving
    } catch {
      await moving
      cpSync(join(root, 'away/from'), join(root, 'from'), { recursive: true })
      rmSync(join(root, 'away/from'), { recursive: true })
    }
  }
  throw new Error('every move had ended before the file could be saved')
}

/** Returns the number of entries in the staged folder of a running copy. */
function countStagedEntries(folder: string): number {
  const [staged] = readdirSync(folder)
  return staged === undefined ? 0 : readdirSync(join(folder, staged)).length
}
