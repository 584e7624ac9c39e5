import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ask, bytesOf, type Client, type Work } from './work.ts'

const megabyte = 1024 * 1024
const filesInFolder = 6
const fileBytes = 20_000

/** Puts everything on the disk that the works of a round begin with. */
export async function prepare(disk: string): Promise<void> {
  for (const folder of ['moving', 'source', ...doomed]) {
    await mkdir(path.join(disk, folder), { recursive: true })
    for (let n = 0; n < filesInFolder; n += 1)
      await writeFile(path.join(disk, folder, `${n}.bin`), bytesOf(`${n}`, fileBytes))
  }
  await writeFile(path.join(disk, 'kept.bin'), bytesOf('kept-0', 2 * megabyte))
  await writeFile(path.join(disk, 'moving.bin'), bytesOf('moving', fileBytes))
}

const doomed = Array.from({ length: 20 }, (_none, n) => `doomed-${n}`)

const diskOf = ({ server, folder }: Client): string => path.join(server.folder, folder)

/** What stands at a place: whole, absent, or torn. */
async function fileAt(place: string, wanted: Buffer): Promise<'whole' | 'absent' | 'torn'> {
  const found = await readFile(place).catch(() => null)
  if (found === null) return 'absent'
  return found.equals(wanted) ? 'whole' : 'torn'
}

async function folderAt(place: string): Promise<'whole' | 'absent' | 'torn'> {
  const names = await readdir(place).catch(() => null)
  if (names === null) return 'absent'
  if (names.length !== filesInFolder) return 'torn'
  for (let n = 0; n < filesInFolder; n += 1)
    if ((await fileAt(path.join(place, `${n}.bin`), bytesOf(`${n}`, fileBytes))) !== 'whole') return 'torn'
  return 'whole'
}

/** How many things, made or gone one after the other, have come to their end; none may be half way. */
async function countUntil(
  stateOf: (n: number) => Promise<'whole' | 'absent' | 'torn'>,
  { end, done }: { readonly end: 'whole' | 'absent'; readonly done: number },
): Promise<number | string> {
  for (let n = 0; n <= done + 1; n += 1) {
    const state = await stateOf(n)
    if (state === 'torn') return `${n} of ${done} is torn`
    if (state !== end) return n
  }
  return done + 2
}

const upload: Work = {
  name: 'upload',
  ask: (client, n) =>
    ask(client, 'POST', {
      address: `/api/resources/${client.folder}/new/${n}.bin`,
      body: bytesOf(`new-${n}`, megabyte),
    }),
  look: (client, done) =>
    countUntil((n) => fileAt(path.join(diskOf(client), 'new', `${n}.bin`), bytesOf(`new-${n}`, megabyte)), {
      end: 'whole',
      done,
    }),
}

const overwrite: Work = {
  name: 'overwrite',
  ask: (client, n) =>
    ask(client, 'POST', {
      address: `/api/resources/${client.folder}/kept.bin?override=true`,
      body: bytesOf(`kept-${n + 1}`, 2 * megabyte),
    }),
  async look(client, done) {
    for (const n of [done, done + 1]) {
      const state = await fileAt(path.join(diskOf(client), 'kept.bin'), bytesOf(`kept-${n}`, 2 * megabyte))
      if (state === 'whole') return n
      if (state === 'absent') return 'the file is gone'
    }
    return `the file is neither what it was nor what it became after ${done}`
  },
}

/** To and fro between two names. */
const move = (name: string, stateOf: (place: string) => Promise<'whole' | 'absent' | 'torn'>): Work => ({
  name: `move of ${name}`,
  ask(client, n) {
    const [from, to] = n % 2 === 0 ? [name, `moved-${name}`] : [`moved-${name}`, name]
    const destination = encodeURIComponent(`/${client.folder}/${to}`)
    return ask(client, 'PATCH', {
      address: `/api/resources/${client.folder}/${from}?action=rename&destination=${destination}`,
    })
  },
  async look(client, done) {
    const [even, odd] = [
      await stateOf(path.join(diskOf(client), name)),
      await stateOf(path.join(diskOf(client), `moved-${name}`)),
    ]
    if (even === 'whole' && odd === 'absent') return done + (done % 2)
    if (odd === 'whole' && even === 'absent') return done + ((done + 1) % 2)
    return `there is ${even} and ${odd}`
  },
})

const copy: Work = {
  name: 'copy of a folder',
  ask(client, n) {
    const destination = encodeURIComponent(`/${client.folder}/copy-${n}`)
    return ask(client, 'PATCH', {
      address: `/api/resources/${client.folder}/source?action=copy&destination=${destination}`,
    })
  },
  async look(client, done) {
    if ((await folderAt(path.join(diskOf(client), 'source'))) !== 'whole')
      return 'the source is no longer whole'
    return countUntil((n) => folderAt(path.join(diskOf(client), `copy-${n}`)), { end: 'whole', done })
  },
}

const remove: Work = {
  name: 'removal of a folder',
  async ask(client, n) {
    const name = doomed[n]
    if (name === undefined) return false
    return ask(client, 'DELETE', { address: `/api/resources/${client.folder}/${name}?permanent=true` })
  },
  look: (client, done) =>
    countUntil((n) => folderAt(path.join(diskOf(client), doomed[n] ?? 'moving')), { end: 'absent', done }),
}

type Person = { readonly aceEditorTheme: string; readonly locale: string; readonly singleClick: boolean }

/** Three fields at once, that only fit together as one change has left them. */
const fieldsAfter = (count: number): Person => ({
  aceEditorTheme: `theme-${count}`,
  locale: count % 2 === 0 ? 'en' : 'de',
  singleClick: count % 2 === 0,
})

const person: Work = {
  name: 'change of a user',
  ask(client, n) {
    const data = { id: client.userId, ...fieldsAfter(n + 1) }
    const body = JSON.stringify({ what: 'user', which: Object.keys(fieldsAfter(0)), data })
    return ask(client, 'PUT', { address: `/api/users/${client.userId}`, body })
  },
  async look({ server, token, userId }, done) {
    const reply = await fetch(`${server.url}/api/users/${userId}`, { headers: { 'x-auth': token } })
    const found = (await reply.json()) as Person
    const { aceEditorTheme, locale, singleClick } = found
    const shown = JSON.stringify({ aceEditorTheme, locale, singleClick })
    const after = [done, done + 1].find((count) => JSON.stringify(fieldsAfter(count)) === shown)
    return after ?? (done === 0 ? 0 : `after ${done} it is ${shown}`)
  },
}

type Shown = {
  readonly signup: boolean
  readonly branding: { readonly name: string; readonly color: string }
}

/** Two keys of the settings, of which one is replaced as a whole. */
const settingsAfter = (count: number): Shown => ({
  signup: count % 2 === 1,
  branding: { name: `name-${count}`, color: `#${count}` },
})

const settings: Work = {
  name: 'change of the settings',
  ask: (client, n) =>
    ask(client, 'PUT', { address: '/api/settings', body: JSON.stringify(settingsAfter(n + 1)) }),
  async look({ server, token }, done) {
    const reply = await fetch(`${server.url}/api/settings`, { headers: { 'x-auth': token } })
    const { signup, branding } = (await reply.json()) as Shown
    const shown = JSON.stringify({ signup, branding: { name: branding.name, color: branding.color } })
    const after = [done, done + 1].find((count) => JSON.stringify(settingsAfter(count)) === shown)
    return after ?? (done === 0 ? 0 : `after ${done} they are ${shown}`)
  },
}

export const works: readonly Work[] = [
  upload,
  overwrite,
  move('moving.bin', (place) => fileAt(place, bytesOf('moving', fileBytes))),
  move('moving', folderAt),
  copy,
  remove,
  person,
  settings,
]
