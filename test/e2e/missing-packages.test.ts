import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually } from './journeys.ts'

const root = path.resolve(import.meta.dirname, '../..')
const missing = ['lz4-napi', 'lzma-native', 'snappy']

/** A copy of the program beside which some packages are not installed. The other packages are links. */
const copy = mkdtempSync(path.join(tmpdir(), 'stowage-program-'))
cpSync(path.join(root, 'dist/server'), path.join(copy, 'dist/server'), { recursive: true })
symlinkSync(path.join(root, 'dist/client'), path.join(copy, 'dist/client'))
cpSync(path.join(root, 'package.json'), path.join(copy, 'package.json'))
mkdirSync(path.join(copy, 'node_modules'))
for (const name of readdirSync(path.join(root, 'node_modules')))
  if (!missing.includes(name) && !name.startsWith('.'))
    symlinkSync(path.join(root, 'node_modules', name), path.join(copy, 'node_modules', name))
afterAll(() => rmSync(copy, { recursive: true }))

/** A file in the Snappy framing format: the identifier, and the head and 8 bytes of a chunk of compressed data. */
const snappyFile = Buffer.concat([
  Buffer.from('\u00FF\u0006\0\0sNaPpY\0\u0008\0\0', 'latin1'),
  Buffer.alloc(8),
])

const files = { docs: { 'a.txt': 'first' }, 'old.tar.xz': 'no archive', 'old.tar.sz': snappyFile }
const program = [process.execPath, path.join(copy, 'dist/server/main.js')]

atRoot({ files, people: [ann], program }, ({ server, window }) => {
  test('formats whose packages do not run are said at the start, refused, and not offered', async () => {
    const { url, output } = server()
    await eventually(
      () => output().match(/Archives in the format \S+ cannot be used: the package \S+ is missing/g),
      [
        'Archives in the format tar.xz cannot be used: the package lzma-native is missing',
        'Archives in the format tar.lz4 cannot be used: the package lz4-napi is missing',
        'Archives in the format tar.sz cannot be used: the package snappy is missing',
      ],
    )
    const login = await fetch(`${url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ username: ann.name, password: ann.password }),
    })
    const headers = { 'X-Auth': await login.text() }
    const statusOf = async (call: string, method = 'GET', body?: string): Promise<string> => {
      const response = await fetch(`${url}/api/${call}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      })
      await response.arrayBuffer()
      return `${response.status} ${response.headers.get('x-error')}`
    }
    for (const algo of ['tar.xz', 'tar.lz4', 'tar.sz'])
      expect([algo, await statusOf(`raw/docs?algo=${algo}`)]).toEqual([algo, '501 unsupported'])
    for (const algo of ['zip', 'tar.bz2', 'tar.zst'])
      expect([algo, await statusOf(`raw/docs?algo=${algo}`)]).toEqual([algo, '200 null'])
    for (const name of ['old.tar.xz', 'old.tar.sz'])
      expect([name, await statusOf(`archive/${name}`)]).toEqual([name, '501 unsupported'])

    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, 'docs').click()
    await page.keyboard.press('Control+Shift+s')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'zip', exact: true }).waitFor()
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual([
      'zip',
      'tar',
      'tar.gz',
      'tar.bz2',
      'Cancel',
    ])
  })
})
