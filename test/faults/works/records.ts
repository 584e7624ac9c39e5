import { randomInt } from 'node:crypto'
import { request } from 'node:http'
import path from 'node:path'
import { requestChange, pathOf, readJson, type WorkloadClient, type Workload } from '../work.ts'
import { makeFile } from './entry-state.ts'

const nothingOnDisk = { prepare: async () => {} }

/**
 * Compares a record with its expected states after `done` changes and after one more change. Before the first change of
 * a round, the record has the state of the previous round.
 */
function changeCountOf(done: number, shown: unknown, after: (count: number) => unknown): number | string {
  const text = JSON.stringify(shown)
  const count = [done, done + 1].find((many) => JSON.stringify(after(many)) === text)
  return count ?? (done === 0 ? 0 : `after ${done} it is ${text}`)
}

type StoredUserFields = {
  readonly aceEditorTheme: string
  readonly locale: string
  readonly singleClick: boolean
}

/** Returns the expected values of three user fields after `count` changes. Each change sets all three fields. */
const fieldsAfter = (folder: string, count: number): StoredUserFields => ({
  aceEditorTheme: `${folder}-${count}`,
  locale: count % 2 === 0 ? 'en' : 'de',
  singleClick: count % 2 === 0,
})

export const userChange: Workload = {
  ...nothingOnDisk,
  name: 'change of a user',
  folderName: 'person',
  request({ userId, folder, ...client }, n) {
    const fields = fieldsAfter(folder, n + 1)
    const body = JSON.stringify({ what: 'user', which: Object.keys(fields), data: { id: userId, ...fields } })
    return requestChange({ userId, folder, ...client }, 'PUT', { address: `/api/users/${userId}`, body })
  },
  async countChanges(client, done) {
    const { aceEditorTheme, locale, singleClick } = await readJson<StoredUserFields>(
      client,
      `/api/users/${client.userId}`,
    )
    return changeCountOf(done, { aceEditorTheme, locale, singleClick }, (n) => fieldsAfter(client.folder, n))
  },
}

type StoredSettings = {
  readonly signup: boolean
  readonly branding: { readonly name: string; readonly color: string }
}

/**
 * Returns the expected values of two settings after `count` changes. One of the settings is an object, which each
 * change replaces completely.
 */
const settingsAfter = (folder: string, count: number): StoredSettings => ({
  signup: count % 2 === 1,
  branding: { name: `${folder}-${count}`, color: `#${count}` },
})

export const settings: Workload = {
  ...nothingOnDisk,
  name: 'change of the settings',
  folderName: 'settings',
  request: (client, n) =>
    requestChange(client, 'PUT', {
      address: '/api/settings',
      body: JSON.stringify(settingsAfter(client.folder, n + 1)),
    }),
  async countChanges(client, done) {
    const { signup, branding } = await readJson<StoredSettings>(client, '/api/settings')
    const shown = { signup, branding: { name: branding.name, color: branding.color } }
    return changeCountOf(done, shown, (n) => settingsAfter(client.folder, n))
  },
}

export const share: Workload = {
  name: 'share',
  folderName: 'shared',
  prepare: (disk) => makeFile(path.join(disk, 'it.bin'), Buffer.from('shared')),
  request: (client) =>
    requestChange(client, 'POST', { address: `/api/share${pathOf(client, share)}/it.bin`, body: '{}' }),
  async countChanges(client) {
    const shares = await readJson<readonly { readonly hash: string }[]>(
      client,
      `/api/share${pathOf(client, share)}/it.bin`,
    )
    for (const { hash } of shares.slice(-1)) await readJson(client, `/api/public/share/${hash}`)
    return shares.length
  },
}

export const otherUser = { name: 'otto', password: 'otto has a long password' }

const passwordAfter = (folder: string, count: number): string => `${folder} has password number ${count}`

async function canLogIn({ server }: WorkloadClient, password: string): Promise<boolean> {
  const body = JSON.stringify({ username: otherUser.name, password })
  const status = await new Promise<number>((resolve, reject) => {
    const address = `${server.url}/api/login`
    const headers = { 'content-length': Buffer.byteLength(body) }
    const outgoing = request(
      address,
      { method: 'POST', headers, localAddress: randomAddress() },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      },
    )
    outgoing.once('error', reject).end(body)
  })
  if (status !== 200 && status !== 403) throw new Error(`a login: ${status}`)
  return status === 200
}

/**
 * Returns a random loopback address. The server limits failed logins per address, and some logins of this workload
 * fail.
 */
const randomAddress = (): string => `127.0.${randomInt(1, 255)}.${randomInt(1, 255)}`

/** Changes a password. After a kill, either the old or the new password must work. */
export const password: Workload = {
  ...nothingOnDisk,
  name: 'change of a password',
  folderName: 'password',
  request(client, n) {
    const { folder, otherId } = client
    const data = { id: otherId, password: passwordAfter(folder, n + 1) }
    const body = JSON.stringify({ what: 'user', which: ['password'], data })
    return requestChange(client, 'PUT', { address: `/api/users/${otherId}`, body })
  },
  async countChanges(client, done) {
    const { folder } = client
    if (await canLogIn(client, passwordAfter(folder, done + 1))) return done + 1
    if (done === 0 || (await canLogIn(client, passwordAfter(folder, done)))) return done
    return `after ${done} neither the last password nor the next one counts`
  },
}
