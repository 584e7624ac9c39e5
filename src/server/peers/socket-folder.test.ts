import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { openSocketFolder } from './socket-folder.ts'

const name = '0123456789abcdef'
const folderOfTest = (): string => path.join(temporaryFolder(), 'state.servers')

function open(folder: string) {
  const sockets = openSocketFolder(folder)
  onTestFinished(() => sockets.close())
  return sockets
}

test('a new folder is private, and is opened again by the next server', () => {
  const folder = folderOfTest()
  open(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(open(folder).names()).toEqual([])
})

test.each(['777', '750', '701'])('a folder that others may enter is refused: mode %s', (mode) => {
  const folder = folderOfTest()
  mkdirSync(folder)
  chmodSync(folder, Number.parseInt(mode, 8))
  expect(() => open(folder)).toThrow('is not a folder that only the user of this server can enter')
})

test('a link to a folder is refused', () => {
  const folder = folderOfTest()
  mkdirSync(`${folder}.target`, { mode: 0o700 })
  symlinkSync(`${folder}.target`, folder)
  expect(() => open(folder)).toThrow('is not a folder that only the user of this server can enter')
})

test.runIf(process.getuid?.() === 0)('a folder of another user is refused', () => {
  const folder = folderOfTest()
  mkdirSync(folder, { mode: 0o700 })
  chownSync(folder, 65_534, 65_534)
  expect(() => open(folder)).toThrow('is not a folder that only the user of this server can enter')
})

test('a folder that has disappeared has no sockets, and what cannot be removed stays', () => {
  const folder = folderOfTest()
  const sockets = open(folder)
  mkdirSync(path.join(folder, name))
  sockets.remove(name)
  expect(sockets.names()).toEqual([name])
  rmSync(folder, { recursive: true })
  expect(sockets.names()).toEqual([])
})
