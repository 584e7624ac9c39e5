import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import {
  expectationsOf,
  originalInstallation,
  originalVersions,
  type OriginalVersion,
} from '../../../test/kit/original-database.ts'
import { sharedPasswordThreads, sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import type { ShareResource } from '../../shared/contract/shares.ts'
import { build } from '../build.ts'
import { realEnvironment } from '../config/config-environment.ts'
import { runCli } from './run-cli.ts'
import { servingConfig } from './serving-config.ts'

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

async function startOn({ root, database }: Installation) {
  const argv = ['-d', database, '-r', root, '-b', '']
  const setup = await servingConfig(argv, realEnvironment({}, root), { nowMs: Date.now, randomBytes })
  const app = await build(setup.config, {
    nowMs: Date.now,
    randomBytes,
    log: () => {},
    clientFolder: null,
    version: 'test',
    passwordThreads: sharedPasswordThreads(),
    storageThreads: sharedStorageThreads(),
    originalDatabase: setup.original,
  })
  const { url } = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close({ graceMs: 0 }))
  const guest = async (hash: string) => {
    const response = await fetch(`${url}/api/public/share/${hash}`)
    return [response.status, await response.text()] as const
  }
  const signIn = async (username: string, password: string) => {
    const login = await fetch(`${url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ username, password }),
    })
    const headers = { 'x-auth': await login.text() }
    return {
      get: async <T>(at: string) => (await (await fetch(`${url}${at}`, { headers })).json()) as T,
      send: (method: string, at: string, body: string) => fetch(`${url}${at}`, { method, headers, body }),
    }
  }
  return { guest, signIn }
}

async function cli(...argv: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runCli(argv, {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    env: {},
    cwd: temporaryFolder(),
    nowMs: Date.now,
    randomBytes,
    version: '1.2.3',
    passwordThreads: sharedPasswordThreads(),
  })
  return { code, out: out.join(''), err: err.join('') }
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
    const created = await admin.send('POST', `/api/resources/${link.by}/`, '')
    expect([created.ok, (await waiting()).some((share) => share.hash === hash)]).toEqual([true, true])
    mount()
    expect((await guest(hash))[0]).toBe(200)
    expect((await guest(protectedLink.answerToOwner.hash))[0]).toBe(401)
    expect((await waiting()).map((share) => share.hash)).not.toContain(hash)
  },
)
