import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { nameOfBytes } from '../../../shared/domain/name-bytes.ts'
import { conformance, outsideFolder, ownVolume, p } from './suite.ts'

conformance('paths for other programs', ({ volume, top, adapter }) => {
  test('existing and missing entries have an absolute path on disk', () => {
    const paths = ['/', '/a b/c', "/-rf'\n$(id)"]
    expect(paths.map((path) => volume().localDisk!.pathOf(p(path)))).toEqual([
      top(),
      join(top(), 'a b/c'),
      join(top(), "-rf'\n$(id)"),
    ])
    const root = outsideFolder()
    const byRelative = ownVolume(() => adapter.createVolume({ root: relative(process.cwd(), root) }))
    expect(byRelative.localDisk!.pathOf(p('/a'))).toBe(join(root, 'a'))
  })

  test('a name with invalid UTF-8 has no path on disk', () => {
    const name = nameOfBytes(Uint8Array.of(0x61, 0xe4))
    expect([`/${name}`, `/${name}/below`].map((path) => volume().localDisk!.pathOf(p(path)))).toEqual([
      null,
      null,
    ])
  })
})
