import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { fileTypes } from '../../../shared/domain/file-kind.ts'
import { flag } from '../port.ts'
import {
  body,
  can,
  conformance,
  listAll,
  namesIn,
  outside,
  ownVolume,
  p,
  readAll,
  refusal,
  refusals,
  treeOf,
  walkAll,
} from './world.ts'

conformance('H links and special files', ({ world, adapter }) => {
  test('102 a link that stays inside is followed', async () => {
    const { disk, storage } = await world({
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
    expect(await namesIn(storage, '/to-folder/deep')).toEqual(['back'])
    expect(await walkAll(storage, '/absolute')).toEqual([
      '/absolute/deep',
      '/absolute/deep/back',
      '/absolute/file.txt',
    ])
    const { rows } = await listAll(storage, '/')
    expect(rows.map(({ name, flags, type }) => [name, flags, fileTypes[type]])).toEqual([
      ['absolute', flag.folder | flag.link, ''],
      ['folder', flag.folder, ''],
      ['to-folder', flag.folder | flag.link, ''],
      ['to-file', flag.link, 'text'],
      ['twice', flag.link, 'text'],
    ])
    const sniffed = await listAll(storage, '/', { sniffs: true })
    expect(sniffed.rows.map(({ type }) => fileTypes[type]).slice(3)).toEqual(['text', 'text'])
  })

  test('102 saving through a link changes its target; the link stays', async () => {
    const { disk, storage } = await world({
      folder: { file: 'old' },
      alias: { link: 'folder/file' },
      dir: { link: 'folder' },
    })
    await storage.write(p('/alias'), body('new'), { overwrite: 'replace' })
    await storage.write(p('/dir/made'), body('made'), { overwrite: 'create' })
    expect(treeOf(disk)).toEqual({
      folder: { file: 'new', made: 'made' },
      alias: { link: 'folder/file' },
      dir: { link: 'folder' },
    })
  })

  test('102 a link is removed and moved itself, and copied as what it leads to', async () => {
    const { disk, storage } = await world({
      file: 'x',
      folder: { a: 'b' },
      l: { link: 'file' },
      d: { link: 'folder' },
    })
    await storage.copy(p('/l'), p('/l-copy'), { overwrite: 'create' })
    await storage.copy(p('/d'), p('/d-copy'), { overwrite: 'create' })
    await storage.move(p('/l'), p('/l2'), { overwrite: 'create' })
    await storage.remove(p('/d'), { recursive: true })
    expect(treeOf(disk)).toEqual({
      file: 'x',
      folder: { a: 'b' },
      'l-copy': 'x',
      'd-copy': { a: 'b' },
      l2: { link: 'file' },
    })
  })

  test('102 a copied tree takes linked files along as files, and no other links', async () => {
    const away = outside({ secret: 's' })
    const { disk, storage } = await world({
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
    await storage.copy(p('/tree'), p('/copy'), { overwrite: 'create' })
    expect(treeOf(join(disk, 'copy'))).toEqual({ l: 'x', sub: { l: 'x' } })
  })

  test('103 a link that leads outside is in no list, and every call that names it is forbidden', async () => {
    const away = outside({ secret: 'theirs', sub: { inner: 'theirs' } })
    const before = treeOf(away)
    const { disk, storage } = await world({
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
      expect([path, ...new Set(await refusals(storage, path))]).toEqual([path, 'forbidden'])
    expect(await namesIn(storage)).toEqual(['inside', 'plain'])
    expect(await walkAll(storage)).toEqual(['/inside', '/plain'])
    expect((await listAll(storage, '/')).total).toBe(2)
    expect([treeOf(disk), treeOf(away)]).toEqual([tree, before])
  })

  test('103 who opts out follows them', async () => {
    const away = outside({ secret: 'theirs' })
    const root = outside({ file: { link: join(away, 'secret') }, folder: { link: away } })
    const volume = ownVolume(() => adapter.make({ root, followExternalSymlinks: true }))
    expect(await readAll(volume, '/file')).toBe('theirs')
    expect(await namesIn(volume, '/folder')).toEqual(['secret'])
    expect(await namesIn(volume)).toEqual(['folder', 'file'])
    await volume.write(p('/file'), body('changed'), { overwrite: 'replace' })
    await volume.write(p('/folder/made'), body('made'), { overwrite: 'create' })
    expect(treeOf(away)).toEqual({ secret: 'changed', made: 'made' })
  })

  test('104 a link to nothing is shown as broken, can be removed, and written through', async () => {
    const { disk, storage } = await world({
      dead: { link: 'sub/nothing' },
      worse: { link: 'no/such' },
      sub: {},
    })
    expect((await storage.stat(p('/dead'))).target?.kind).toBe('missing')
    const { rows } = await listAll(storage, '/')
    expect(rows.map(({ name, flags, type }) => [name, flags, fileTypes[type]])).toEqual([
      ['sub', flag.folder, ''],
      ['dead', flag.link | flag.broken, 'invalid_link'],
      ['worse', flag.link | flag.broken, 'invalid_link'],
    ])
    expect(await refusal(storage.open(p('/dead')))).toBe('not-found')
    expect(await refusal(storage.write(p('/dead'), body('x'), { overwrite: 'replace' }))).toBe('not-found')
    await storage.write(p('/dead'), body('made'), { overwrite: 'upsert' })
    expect(await refusal(storage.write(p('/worse'), body('x'), { overwrite: 'upsert' }))).toBe('not-found')
    await storage.remove(p('/worse'), { recursive: false })
    expect(treeOf(disk)).toEqual({ dead: { link: 'sub/nothing' }, sub: { nothing: 'made' } })
  })

  test('105 a loop', async () => {
    const { disk, storage } = await world({ a: { link: 'b' }, b: { link: 'a' }, self: { link: 'self' } })
    expect(await refusal(storage.open(p('/a')))).toBe('link-loop')
    expect(await refusal(listAll(storage, '/a/below'))).toBe('link-loop')
    expect(await refusal(storage.open(p('/self')))).toBe('link-loop')
    expect((await listAll(storage, '/')).rows.map(({ flags }) => flags)).toEqual(
      Array(3).fill(flag.link | flag.broken),
    )
    for (const name of ['a', 'b', 'self']) await storage.remove(p(`/${name}`), { recursive: false })
    expect(treeOf(disk)).toEqual({})
  })

  test('105 a long chain of links is no loop', async () => {
    const links = Object.fromEntries(
      Array.from({ length: 38 }, (_, at) => [`l${at + 1}`, { link: `l${at}` }]),
    )
    const { storage } = await world({ l0: 'end', ...links })
    expect(await readAll(storage, '/l38')).toBe('end')
  })

  test(
    '106 a folder that is swapped with a link a thousand times is never left',
    { timeout: 60_000 },
    async () => {
      const away = outside({ file: 'SECRET', only: 'SECRET' })
      const { disk, storage } = await world({ spare: {} })
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
        seen.add(await refusal(storage.write(p('/door/file'), body('ours'), { overwrite: 'upsert' })))
        const text = await readAll(storage, '/door/file').catch(() => '')
        if (text.includes('SECRET')) throw new Error('read what lies outside')
        const names = await namesIn(storage, '/door').catch((): string[] => [])
        if (names.includes('only')) throw new Error('listed what lies outside')
        seen.add(await refusal(storage.remove(p('/door/file'), { recursive: false })))
        if (await storage.stat(p('/door/only')).catch(() => null)) throw new Error('found what lies outside')
      }
      expect(tries).toBeGreaterThan(10)
      expect(seen.has(null)).toBe(true)
      expect(treeOf(away)).toEqual({ file: 'SECRET', only: 'SECRET' })
    },
  )

  test('108 pipes, sockets and devices are listed, and refused without waiting', async () => {
    const { disk, storage } = await world({ plain: 'x' })
    execFileSync('mkfifo', [join(disk, 'pipe')])
    const server = createServer().listen(join(disk, 'socket'))
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const hasDevice = can('mknod', join(disk, 'device'), 'c', '1', '3')
    const special = [...(hasDevice ? ['device'] : []), 'pipe', 'socket']
    const { rows } = await listAll(storage, '/', { sniffs: true })
    expect(
      rows
        .filter(({ name }) => name !== 'plain')
        .map(({ name, flags, type }) => [name, flags, fileTypes[type]]),
    ).toEqual(special.map((name) => [name, flag.special, 'blob']))
    for (const name of special) {
      expect((await storage.stat(p(`/${name}`))).kind).toBe('other')
      expect(await refusal(storage.open(p(`/${name}`)))).toBe('forbidden')
      expect(await refusal(storage.copy(p(`/${name}`), p('/copy'), { overwrite: 'create' }))).toBe(
        'forbidden',
      )
      expect(await refusal(storage.write(p(`/${name}`), body('x'), { overwrite: 'upsert' }))).toBe(
        'forbidden',
      )
    }
    await storage.makeFolder(p('/tree'))
    await storage.move(p('/pipe'), p('/tree/pipe'), { overwrite: 'create' })
    await storage.copy(p('/tree'), p('/copy'), { overwrite: 'create' })
    expect(readdirSync(join(disk, 'copy'))).toEqual([])
    await storage.remove(p('/tree'), { recursive: true })
    expect(existsSync(join(disk, 'tree'))).toBe(false)
    expect(readFileSync(join(disk, 'plain'), 'utf8')).toBe('x')
  })
})

/** Puts a link where the folder was and back again, a thousand times. */
const swapping = `
  const { renameSync } = require('node:fs')
  const { join } = require('node:path')
  const { disk } = require('node:worker_threads').workerData
  const at = (name) => join(disk, name)
  for (let turn = 0; turn < 1000; turn += 1) {
    renameSync(at('door'), at('inside'))
    renameSync(at('out'), at('door'))
    const until = performance.now() + 1
    while (performance.now() < until);
    renameSync(at('door'), at('out'))
    renameSync(at('inside'), at('door'))
    const still = performance.now() + 1
    while (performance.now() < still);
  }
`
