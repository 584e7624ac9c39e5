import { mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conformance, p, refusal } from './world.ts'

conformance('J where a folder lies', ({ volume, top, world }) => {
  test('a folder is told with what it is, links followed', async () => {
    const { disk, storage } = await world({ docs: { sub: {} }, link: { link: 'docs/sub' } })
    const { dev, ino } = statSync(join(disk, 'docs/sub'), { bigint: true })
    const told = { realPath: realpathSync(join(disk, 'docs/sub')), dev, ino, ownNames: [] }
    expect(await storage.localFolder(p('/docs/sub'))).toEqual(told)
    expect(await storage.localFolder(p('/link'))).toEqual(told)
    expect(await (await storage.narrow({ at: p('/docs') })).localFolder(p('/sub'))).toEqual(told)
  })

  test('what is no folder, not there, denied or outside is refused', async () => {
    const { storage } = await world({ file: 'x', docs: {}, secret: {}, out: { link: '/' } })
    const narrow = await storage.narrow({ permits: (path) => path !== '/secret' })
    expect(await refusal(narrow.localFolder(p('/file')))).toBe('not-a-folder')
    expect(await refusal(narrow.localFolder(p('/none')))).toBe('not-found')
    expect(await refusal(narrow.localFolder(p('/secret')))).toBe('forbidden')
    expect(await refusal(narrow.localFolder(p('/out')))).toBe('forbidden')
  })

  test('at the top of a volume there is a name of our own', async () => {
    expect((await volume().localFolder(p('/')))?.ownNames).toEqual(['.stowage'])
    expect((await volume().localFolder(p('/')))?.realPath).toBe(realpathSync(top()))
  })

  test('a name that is no UTF-8 cannot be handed to a program', async () => {
    const { disk, storage } = await world()
    mkdirSync(Buffer.concat([Buffer.from(`${disk}/`), Buffer.from([0xe4])]))
    symlinkSync(Buffer.from([0xe4]), join(disk, 'link'))
    expect(await storage.localFolder(p('/link'))).toBe(null)
  })
})
