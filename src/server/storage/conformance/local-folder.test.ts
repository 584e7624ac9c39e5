import { mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conformance, p, refusalCode } from './suite.ts'

conformance('J local folders', ({ volume, top, fixture }) => {
  test('a folder is returned with its identity, and links are followed', async () => {
    const { disk, storage } = await fixture({ docs: { sub: {} }, link: { link: 'docs/sub' } })
    const { dev, ino } = statSync(join(disk, 'docs/sub'), { bigint: true })
    const expected = { realPath: realpathSync(join(disk, 'docs/sub')), dev, ino, ownNames: [] }
    expect(await storage.localDisk!.folder(p('/docs/sub'))).toEqual(expected)
    expect(await storage.localDisk!.folder(p('/link'))).toEqual(expected)
    expect(await (await storage.narrow({ at: p('/docs') })).localDisk!.folder(p('/sub'))).toEqual(expected)
  })

  test('paths that are files, missing, denied or outside are refused', async () => {
    const { storage } = await fixture({ file: 'x', docs: {}, secret: {}, out: { link: '/' } })
    const narrow = await storage.narrow({ permits: (path) => path !== '/secret' })
    expect(await refusalCode(narrow.localDisk!.folder(p('/file')))).toBe('not-a-folder')
    expect(await refusalCode(narrow.localDisk!.folder(p('/none')))).toBe('not-found')
    expect(await refusalCode(narrow.localDisk!.folder(p('/secret')))).toBe('forbidden')
    expect(await refusalCode(narrow.localDisk!.folder(p('/out')))).toBe('forbidden')
  })

  test('the state folder is one of the reserved names at the top of a volume', async () => {
    expect((await volume().localDisk!.folder(p('/')))?.ownNames).toEqual(['.stowage'])
    expect((await volume().localDisk!.folder(p('/')))?.realPath).toBe(realpathSync(top()))
  })

  test('a path with invalid UTF-8 has no local folder, because it cannot be passed to programs', async () => {
    const { disk, storage } = await fixture()
    mkdirSync(Buffer.concat([Buffer.from(`${disk}/`), Buffer.from([0xe4])]))
    symlinkSync(Buffer.from([0xe4]), join(disk, 'link'))
    expect(await storage.localDisk!.folder(p('/link'))).toBe(null)
  })
})
