import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { fileTypes } from '../../../shared/domain/file-types.ts'
import { entryFlag } from '../port.ts'
import {
  bodyOf,
  canRun,
  conformance,
  listAll,
  listNames,
  outsideFolder,
  ownVolume,
  p,
  readAll,
  refusalCode,
  refusalCodes,
  treeOf,
  walkAll,
} from './suite.ts'

conformance('H links and special files', ({ fixture, adapter }) => {
  test('102 a link to an entry inside of the storage is followed', async () => {
    const { disk, storage } = await fixture({
      folder: { 'file.txt': 'text', deep: { back: { link: '../../folder/file.txt' } } },
      'to-folder': { link: 'folder' },
      'to-file': { link: './folder/../to-folder/file.txt' },
      twice: { link: 'to-file' },
    })
    symlinkSync(join(disk, 'folder'), join(disk, 'absolute'))
    for (const path of [
      '/to-file',
      '/twice',
      '/to-folder/file.txt',
      '/to-folder/deep/back',
      '/absolute/deep/back',
    ]) {
      expect([path, await readAll(storage, path)]).toEqual([path, 'text'])
    }
    expect(await storage.stat(p('/twice'))).toMatchObject({
      kind: 'link',
      target: { kind: 'file', sizeBytes: 4 },
    })
    expect(await listNames(storage, '/to-folder/deep')).toEqual(['back'])
    expect(await walkAll(storage, '/absolute')).toEqual([
      '/absolute/deep',
      '/absolute/deep/back',
      '/absolute/file.txt',
    ])
    const { rows } = await listAll(storage, '/')
    expect(rows.map(({ name, flags, type }) => [name, flags, fileTypes[type]])).toEqual([
      ['absolute', entryFlag.folder | entryFlag.link, ''],
      ['folder', entryFlag.folder, ''],
      ['to-folder', entryFlag.folder | entryFlag.link, ''],
      ['to-file', entryFlag.link, 'text'],
      ['twice', entryFlag.link, 'text'],
    ])
    await storage.apply({
      kind: 'write',
      path: p('/folder/file.txt'),
      body: bodyOf('%PDF-1.7'),
      overwrite: 'replace',
    })
    const sniffed = await listAll(storage, '/', { sniffs: true })
    expect(sniffed.rows.map(({ type }) => fileTypes[type]).slice(3)).toEqual(['pdf', 'pdf'])
  })

  test('102 writing through a link changes its target and keeps the link', async () => {
    const { disk, storage } = await fixture({
      folder: { file: 'old' },
      alias: { link: 'folder/file' },
      dir: { link: 'folder' },
    })
    await storage.apply({ kind: 'write', path: p('/alias'), body: bodyOf('new'), overwrite: 'replace' })
    await storage.apply({ kind: 'write', path: p('/dir/made'), body: bodyOf('made'), overwrite: 'create' })
    expect(treeOf(disk)).toEqual({
      folder: { file: 'new', made: 'made' },
      alias: { link: 'folder/file' },
      dir: { link: 'folder' },
    })
  })

  test('102 a link is removed and moved as a link, and copied as its target', async () => {
    const { disk, storage } = await fixture({
      file: 'x',
      folder: { a: 'b' },
      l: { link: 'file' },
      d: { link: 'folder' },
    })
    await storage.apply({ kind: 'copy', path: p('/l'), to: p('/l-copy'), overwrite: 'create' })
    await storage.apply({ kind: 'copy', path: p('/d'), to: p('/d-copy'), overwrite: 'create' })
    await storage.apply({ kind: 'move', path: p('/l'), to: p('/l2'), overwrite: 'create' })
    await storage.apply({ kind: 'remove', path: p('/d'), recursive: true })
    expect(treeOf(disk)).toEqual({
      file: 'x',
      folder: { a: 'b' },
      'l-copy': 'x',
      'd-copy': { a: 'b' },
      l2: { link: 'file' },
    })
  })

  test('102 a copied tree contains linked files as files, and no other links', async () => {
    const away = outsideFolder({ secret: 's' })
    const { disk, storage } = await fixture({
      file: 'x',
      other: { a: 'b' },
      tree: {
        l: { link: '../file' },
        d: { link: '../other' },
        dead: { link: 'nothing' },
        out: { link: join(away, 'secret') },
        sub: { l: { link: '../../file' } },
      },
    })
    await storage.apply({ kind: 'copy', path: p('/tree'), to: p('/copy'), overwrite: 'create' })
    expect(treeOf(join(disk, 'copy'))).toEqual({ l: 'x', sub: { l: 'x' } })
  })

  test('103 a link to the outside is not listed, and every call on it is forbidden', async () => {
    const away = outsideFolder({ secret: 'theirs', sub: { inner: 'theirs' } })
    const before = treeOf(away)
    const { disk, storage } = await fixture({
      plain: 'x',
      file: { link: join(away, 'secret') },
      folder: { link: away },
      up: { link: '..' },
      climbing: { link: `inside/../../../../../../../../..${away}` },
      inside: { again: { link: '../folder' } },
      gone: { link: join(away, 'nothing') },
      proc: { link: '/proc/self/root' },
    })
    const tree = treeOf(disk)
    const links = ['/file', '/folder', '/up', '/climbing', '/inside/again', '/gone', '/proc']
    for (const path of [...links, '/folder/secret', '/folder/nothing', '/folder/sub', '/proc/etc/passwd'])
      expect([path, ...new Set(await refusalCodes(storage, path))]).toEqual([path, 'forbidden'])
    expect(await listNames(storage)).toEqual(['inside', 'plain'])
    expect(await walkAll(storage)).toEqual(['/inside', '/plain'])
    expect((await listAll(storage, '/')).total).toBe(2)
    expect([treeOf(disk), treeOf(away)]).toEqual([tree, before])
  })

  test('103 links to the outside are followed when the option allows it', async () => {
    const away = outsideFolder({ secret: 'theirs' })
    const root = outsideFolder({ file: { link: join(away, 'secret') }, folder: { link: away } })
    const volume = ownVolume(() => adapter.createVolume({ root, followExternalSymlinks: true }))
    expect(await readAll(volume, '/file')).toBe('theirs')
    expect(await listNames(volume, '/folder')).toEqual(['secret'])
    expect(await listNames(volume)).toEqual(['folder', 'file'])
    await volume.apply({ kind: 'write', path: p('/file'), body: bodyOf('changed'), overwrite: 'replace' })
    await volume.apply({ kind: 'write', path: p('/folder/made'), body: bodyOf('made'), overwrite: 'create' })
    expect(treeOf(away)).toEqual({ secret: 'changed', made: 'made' })
  })

  test('104 a dangling link is listed as broken, can be removed, and writing through it creates its target', async () => {
    const { disk, storage } = await fixture({
      dead: { link: 'sub/nothing' },
      worse: { link: 'no/such' },
      sub: {},
    })
    expect((await storage.stat(p('/dead'))).target?.kind).toBe('missing')
    const { rows } = await listAll(storage, '/')
    expect(rows.map(({ name, flags, type }) => [name, flags, fileTypes[type]])).toEqual([
      ['sub', entryFlag.folder, ''],
      ['dead', entryFlag.link | entryFlag.broken, 'invalid_link'],
      ['worse', entryFlag.link | entryFlag.broken, 'invalid_link'],
    ])
    expect(await refusalCode(storage.open(p('/dead')))).toBe('not-found')
    expect(
      await refusalCode(
        storage.apply({ kind: 'write', path: p('/dead'), body: bodyOf('x'), overwrite: 'replace' }),
      ),
    ).toBe('not-found')
    await storage.apply({ kind: 'write', path: p('/dead'), body: bodyOf('made'), overwrite: 'upsert' })
    expect(
      await refusalCode(
        storage.apply({ kind: 'write', path: p('/worse'), body: bodyOf('x'), overwrite: 'upsert' }),
      ),
    ).toBe('not-found')
    await storage.apply({ kind: 'remove', path: p('/worse'), recursive: false })
    expect(treeOf(disk)).toEqual({ dead: { link: 'sub/nothing' }, sub: { nothing: 'made' } })
  })

  test('105 a loop of links is detected', async () => {
    const { disk, storage } = await fixture({ a: { link: 'b' }, b: { link: 'a' }, self: { link: 'self' } })
    expect(await refusalCode(storage.open(p('/a')))).toBe('link-loop')
    expect(await refusalCode(listAll(storage, '/a/below'))).toBe('link-loop')
    expect(await refusalCode(storage.open(p('/self')))).toBe('link-loop')
    expect((await listAll(storage, '/')).rows.map(({ flags }) => flags)).toEqual(
      Array(3).fill(entryFlag.link | entryFlag.broken),
    )
    for (const name of ['a', 'b', 'self'])
      await storage.apply({ kind: 'remove', path: p(`/${name}`), recursive: false })
    expect(treeOf(disk)).toEqual({})
  })

  test('105 a long chain of links is not a loop', async () => {
    const links = Object.fromEntries(
      Array.from({ length: 38 }, (_, at) => [`l${at + 1}`, { link: `l${at}` }]),
    )
    const { storage } = await fixture({ l0: 'end', ...links })
    expect(await readAll(storage, '/l38')).toBe('end')
  })

  test(
    '106 no call leaves the storage while a folder is swapped with a link a thousand times',
    { timeout: 60_000 },
    async () => {
      const away = outsideFolder({ file: 'SECRET', only: 'SECRET' })
      const { disk, storage } = await fixture({ spare: {} })
      mkdirSync(join(disk, 'door'))
      symlinkSync(away, join(disk, 'out'))
      const swapper = new Worker(swapping, { eval: true, workerData: { disk } })
      const swapped = new Promise((resolve) => swapper.once('exit', resolve))
      const state = { isOver: false }
      void swapped.then(() => (state.isOver = true))
      let tries = 0
      const seen = new Set<string | null>()
      while (!state.isOver) {
        tries += 1
        seen.add(
          await refusalCode(
            storage.apply({
              kind: 'write',
              path: p('/door/file'),
              body: bodyOf('ours'),
              overwrite: 'upsert',
            }),
          ),
        )
        const text = await readAll(storage, '/door/file').catch(() => '')
        if (text.includes('SECRET')) throw new Error('a file outside of the storage was read')
        const names = await listNames(storage, '/door').catch((): string[] => [])
        if (names.includes('only')) throw new Error('a folder outside of the storage was listed')
        seen.add(
          await refusalCode(storage.apply({ kind: 'remove', path: p('/door/file'), recursive: false })),
        )
        if (await storage.stat(p('/door/only')).catch(() => null))
          throw new Error('a file outside of the storage was found')
      }
      expect(tries).toBeGreaterThan(10)
      expect(seen.has(null)).toBe(true)
      expect(seen.has('forbidden')).toBe(true)
      expect(treeOf(away)).toEqual({ file: 'SECRET', only: 'SECRET' })
    },
  )

  test('108 pipes, sockets and devices are listed, and opening them is refused without blocking', async () => {
    const { disk, storage } = await fixture({ plain: 'x' })
    execFileSync('mkfifo', [join(disk, 'pipe')])
    const server = createServer().listen(join(disk, 'socket'))
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const hasDevice = canRun('mknod', join(disk, 'device'), 'c', '1', '3')
    const special = [...(hasDevice ? ['device'] : []), 'pipe', 'socket']
    const { rows } = await listAll(storage, '/', { sniffs: true })
    expect(
      rows
        .filter(({ name }) => name !== 'plain')
        .map(({ name, flags, type }) => [name, flags, fileTypes[type]]),
    ).toEqual(special.map((name) => [name, entryFlag.special, 'blob']))
    for (const name of special) {
      expect((await storage.stat(p(`/${name}`))).kind).toBe('other')
      expect(await refusalCode(storage.open(p(`/${name}`)))).toBe('forbidden')
      expect(
        await refusalCode(
          storage.apply({ kind: 'copy', path: p(`/${name}`), to: p('/copy'), overwrite: 'create' }),
        ),
      ).toBe('forbidden')
      expect(
        await refusalCode(
          storage.apply({ kind: 'write', path: p(`/${name}`), body: bodyOf('x'), overwrite: 'upsert' }),
        ),
      ).toBe('forbidden')
    }
    await storage.apply({ kind: 'makeFolder', path: p('/tree') })
    await storage.apply({ kind: 'move', path: p('/pipe'), to: p('/tree/pipe'), overwrite: 'create' })
    await storage.apply({ kind: 'copy', path: p('/tree'), to: p('/copy'), overwrite: 'create' })
    expect(readdirSync(join(disk, 'copy'))).toEqual([])
    await storage.apply({ kind: 'remove', path: p('/tree'), recursive: true })
    expect(existsSync(join(disk, 'tree'))).toBe(false)
    expect(readFileSync(join(disk, 'plain'), 'utf8')).toBe('x')
  })
})

/**
 * Source code of a worker thread that replaces the folder `door` with a symbolic link and then puts the folder back. It
 * repeats this a thousand times.
 */
const swapping = `
  const { renameSync } = require('node:fs')
  const { join } = require('node:path')
  const { disk } = require('node:worker_threads').workerData
  const at = (name) => join(disk, name)
  // A thread that waits leaves its processor to the calls that it disturbs.
  const never = new Int32Array(new SharedArrayBuffer(4))
  for (let turn = 0; turn < 1000; turn += 1) {
    renameSync(at('door'), at('inside'))
    renameSync(at('out'), at('door'))
    Atomics.wait(never, 0, 0, 1)
    renameSync(at('door'), at('out'))
    renameSync(at('inside'), at('door'))
    Atomics.wait(never, 0, 0, 1)
  }
`
