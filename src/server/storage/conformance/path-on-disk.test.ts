import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { nameOfBytes } from '../../../shared/domain/name-bytes.ts'
import { conformance, outside, ownVolume, p } from './world.ts'

conformance('where other programs find an entry', ({ volume, top, adapter }) => {
  test('it has an absolute path, whether or not it is there', () => {
    const paths = ['/', '/a b/c', "/-rf'\n$(id)"]
    expect(paths.map((path) => volume().pathOnDisk(p(path)))).toEqual([
      top(),
      join(top(), 'a b/c'),
      join(top(), "-rf'\n$(id)"),
    ])
    const root = outside()
    const byRelative = ownVolume(() => adapter.make({ root: relative(process.cwd(), root) }))
    expect(byRelative.pathOnDisk(p('/a'))).toBe(join(root, 'a'))
  })

  test('one whose name is no text has none', () => {
    const name = nameOfBytes(Uint8Array.of(0x61, 0xe4))
    expect([`/${name}`, `/${name}/below`].map((path) => volume().pathOnDisk(p(path)))).toEqual([null, null])
  })
})
