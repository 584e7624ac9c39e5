import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { canMountImages, poweredDisk } from '../kit/mounts.ts'
import { ada, ann, type RunningServer } from '../kit/run-server.ts'
import { askAs, loginStatus, type RequestSender } from './requests.ts'
import { serverOnDisk } from './server-on-disk.ts'

const json = (value: unknown) => ({ body: JSON.stringify(value) })

/** Requests whose effects must survive a power cut after the server has answered. */
const works: Readonly<Record<string, (who: RequestSender, server: RunningServer) => Promise<string>>> = {
  'a login': async (_, server) => String(await loginStatus(server, ann)),
  'a session that is ended': async (_, server) => (await askAs(server, ada)).ask('sessions.logout', ''),
  'a share': async (who) => who.ask('shares.create', '/shared.txt', json({})),
  'a setting': async (who) => who.ask('settings.update', '', json({ signup: true })),
  'a person': async (who) =>
    who.ask(
      'users.create',
      '',
      json({ what: 'user', data: { username: 'new', password: 'new has a long password' } }),
    ),
}

describe.skipIf(!canMountImages())(
  "the power is cut of the disk with the server's state (needs leave to mount)",
  () => {
    const on = serverOnDisk({
      makeDisk: () => poweredDisk(64 * 1024 * 1024, { hasJournal: true }),
      holds: 'state',
      files: { 'shared.txt': '' },
      people: [ada, ann],
    })

    test.each(Object.entries(works))('%s is there again', async (_, work) => {
      const { disk, server, ada: who } = on()
      disk.settle()
      expect(await work(who, server)).toMatch(/^20\d$/)
      const there = rowsIn(disk.folder)
      expect(await disk.afterPowerCut(async (folder) => rowsIn(folder))).toEqual(there)
    })
  },
)

/** Returns all rows of the database except the counts of failed logins. */
function rowsIn(state: string): Readonly<Record<string, readonly unknown[]>> {
  using database = new DatabaseSync(path.join(state, 'stowage.db'))
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not in ('throttle')")
    .all() as unknown as readonly { readonly name: string }[]
  return Object.fromEntries(
    tables.map(({ name }) => [name, database.prepare(`select * from "${name}"`).all()]),
  )
}
