import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeBigFolder, makeLargeFile } from './bulk.ts'
import { samplePng } from './png.ts'
import { makeSampleTree } from './sample-tree.ts'
import { invalidName, makeTortureNames, tortureNames } from './torture-names.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stowage-samples-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('the sample tree contains what the end-to-end tests use', async () => {
  await makeSampleTree(folder, Date.UTC(2026, 0, 31))
  expect((await readdir(folder)).sort()).toEqual([
    'Docs',
    'Photos',
    'data.bin',
    'report.txt',
    'scan.pdf',
    'song.mp3',
  ])
  expect(await readdir(path.join(folder, 'Photos'))).toHaveLength(48)
  expect(await readdir(path.join(folder, 'Docs'))).toHaveLength(20)
  expect((await stat(path.join(folder, 'report.txt'))).mtime).toEqual(new Date(Date.UTC(2026, 0, 28)))
})

test('an argument that begins with a hyphen is no folder, and the script says how it is used', async () => {
  const script = fileURLToPath(new URL('../sample-data.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, '--help'], {
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: folder },
  })
  expect([status, stderr, await readdir(folder)]).toEqual([2, 'Usage: npm run sample-data -- FOLDER\n', []])
})

test('a picture has the size in its header', () => {
  const png = samplePng(200, { width: 30, height: 20 })
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([30, 20])
  const length = png.readUInt32BE(33)
  expect(inflateSync(png.subarray(41, 41 + length))).toHaveLength(20 * (1 + 30 * 3))
})

test('each offset in the cross-reference table of a PDF is right', async () => {
  await makeSampleTree(folder, 0)
  const text = await readFile(path.join(folder, 'scan.pdf'), 'latin1')
  const offsets = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
  expect(offsets).toHaveLength(5)
  for (const [index, offset] of offsets.entries()) {
    expect(text.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj`))
  }
})

test.runIf(process.platform === 'linux')('Linux stores every name with its exact bytes', async () => {
  expect(await makeTortureNames(folder)).toBe(tortureNames.length + 1)
  const names = await readdir(folder, { encoding: 'buffer' })
  expect(names.filter((name) => name.equals(invalidName))).toHaveLength(1)
  expect(names.map((name) => name.toString()).filter((name) => tortureNames.includes(name))).toHaveLength(
    tortureNames.length,
  )
})

test('bulk data has the requested number of files and size', async () => {
  makeBigFolder(path.join(folder, 'big'), 1000)
  expect(await readdir(path.join(folder, 'big'))).toHaveLength(1000)
  makeLargeFile(path.join(folder, 'large'), 3_000_001)
  expect((await stat(path.join(folder, 'large'))).size).toBe(3_000_001)
})
