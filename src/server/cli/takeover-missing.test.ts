import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { cli } from '../../../test/kit/cli-context.ts'
import { startConfiguredServer } from '../../../test/kit/configured-server.ts'
import {
  expectationsOf,
  originalInstallation,
  originalVersions,
  type OriginalVersion,
} from '../../../test/kit/original-database.ts'
import type { ShareResource } from '../../shared/contract/shares.ts'

/** Creates an installation whose files are on a disk that is not mounted. `mount` puts them into the served folder. */
function unmounted(version: OriginalVersion) {
  const installation = originalInstallation(version)
  const away = `${installation.root}-away`
  renameSync(installation.root, away)
  mkdirSync(installation.root)
  const mount = (): void => cpSync(away, installation.root, { recursive: true })
  onTestFinished(() => rmSync(away, { recursive: true }))
  return { ...installation, mount }
}

type Installation = Pick<ReturnType<typeof unmounted>, 'root' | 'database'>

async function startOn(installation: Installation) {
  const { url, get, logIn } = await startConfiguredServer(installation)
  const guest = async (hash: string) => {
    const response = await get(`/api/public/share/${hash}`)
    return [response.status, await response.text()] as const
  }
  const signIn = async (username: string, password: string) => {
    const headers = { 'x-auth': await (await logIn(username, password)).text() }
    return {
      get: async <T>(at: string) => (await (await get(at, headers)).json()) as T,
      post: (at: string) => fetch(`${url}${at}`, { method: 'POST', headers }),
    }
  }
  return { guest, signIn }
}

const adminPassword = 'correct-horse-battery-1'

/** Returns a link that guests could open in File Browser without a password. */
const openLinkOf = (version: OriginalVersion) =>
  expectationsOf(version).shares.find(({ what, guest }) => guest.status === 200 && what.startsWith('folder'))!

test.each(originalVersions)(
  'when most entries of %s are missing, nothing is written before somebody has said so',
  async (version) => {
    const { root, database, state } = unmounted(version)
    for (const verb of [['takeover'], ['users', 'ls']]) {
      const refused = await cli(...verb, '-d', database, '-r', root)
      expect([refused.code, refused.err.trimEnd().split('\n').length]).toEqual([1, 1])
      expect(refused.err).toContain('Is the disk mounted?')
      expect(refused.err).toContain('stowage takeover --allow-missing')
    }
    await expect(startOn({ root, database })).rejects.toMatchObject({ code: 'unavailable' })
    expect(readdirSync(state)).toEqual(['filebrowser.db'])
    const dry = await cli('takeover', '--dry-run', '-d', database, '-r', root)
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining('Is the disk mounted?')])
    expect(readdirSync(state)).toEqual(['filebrowser.db'])
    expect((await cli('takeover', '--allow-missing', '-d', database, '-r', root)).code).toBe(0)
    expect((await cli('users', 'ls', '-d', database, '-r', root)).out).toContain('alice')
  },
)

test.each(originalVersions)(
  'links of %s wait for their files, and work once these are back',
  async (version) => {
    const { root, database, mount } = unmounted(version)
    await cli('takeover', '--allow-missing', '-d', database, '-r', root)
    const { guest, signIn } = await startOn({ root, database })
    const link = openLinkOf(version)
    const { hash } = link.answerToOwner
    // A guest cannot tell the link from one that never existed.
    const unknown = await guest('AAAAAAAA')
    expect([await guest(hash), unknown[0]]).toEqual([unknown, 404])
    const protectedLink = expectationsOf(version).shares.find(({ guest: { status } }) => status === 401)!
    expect(await guest(protectedLink.answerToOwner.hash)).toEqual(unknown)
    const admin = await signIn('admin', adminPassword)
    const waiting = async () =>
      (await admin.get<readonly ShareResource[]>('/api/shares')).filter(({ isAwaited }) => isAwaited)
    expect((await waiting()).map((share) => share.hash)).toContain(hash)
    // A new folder above the missing entries is what somebody makes to put the files back.
    const created = await admin.post(`/api/resources/${link.by}/`)
    expect([created.ok, (await waiting()).some((share) => share.hash === hash)]).toEqual([true, true])
    mount()
    expect((await guest(hash))[0]).toBe(200)
    expect((await guest(protectedLink.answerToOwner.hash))[0]).toBe(401)
    expect((await waiting()).map((share) => share.hash)).not.toContain(hash)
  },
)
