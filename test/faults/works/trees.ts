import path from 'node:path'
import { ask, bytesOf, diskOf, pathOf, send, type Workload } from '../work.ts'
import { countUntil, fileAt, fileBytes, folderAt, makeFile, makeFolder, type EntryState } from './found.ts'

type MovedEntryKind = {
  readonly name: string
  readonly place: string
  readonly at: (place: string) => Promise<EntryState>
  readonly make: (place: string) => Promise<void>
  readonly query?: string
}

/** Returns a workload that moves an entry back and forth between two names. */
function moving(
  { name, place, at, make }: MovedEntryKind,
  [one, other]: readonly [string, string],
): Workload {
  const work: Workload = {
    name,
    place,
    prepare: (disk) => make(path.join(disk, one)),
    ask(client, n) {
      const [from, to] = n % 2 === 0 ? [one, other] : [other, one]
      const here = pathOf(client, work)
      const destination = encodeURIComponent(`${here}/${to}`)
      return ask(client, 'PATCH', {
        address: `/api/resources${here}/${from}?action=rename&destination=${destination}`,
      })
    },
    async look(client, done) {
      const disk = diskOf(client, work)
      const [even, odd] = [await at(path.join(disk, one)), await at(path.join(disk, other))]
      if (even === 'whole' && odd === 'absent') return done + (done % 2)
      if (odd === 'whole' && even === 'absent') return done + ((done + 1) % 2)
      return `there is ${even} and ${odd}`
    },
  }
  return work
}

const movedBytes = bytesOf('moving', fileBytes)
const aFile = { at: (at: string) => fileAt(at, movedBytes), make: (at: string) => makeFile(at, movedBytes) }
const aFolder = { at: folderAt, make: makeFolder }

export const moves: readonly Workload[] = [
  moving({ ...aFile, name: 'renaming of a file', place: 'moved-file' }, ['one.bin', 'other.bin']),
  moving({ ...aFolder, name: 'renaming of a folder', place: 'moved-folder' }, ['one', 'other']),
  moving({ ...aFile, name: 'move of a file', place: 'moved-file-across' }, ['here/it.bin', 'there/it.bin']),
  moving({ ...aFolder, name: 'move of a folder', place: 'moved-folder-across' }, ['here/it', 'there/it']),
]

function copying({ name, place, at, make }: MovedEntryKind): Workload {
  const work: Workload = {
    name,
    place,
    prepare: (disk) => make(path.join(disk, 'source')),
    ask(client, n) {
      const here = pathOf(client, work)
      const destination = encodeURIComponent(`${here}/copy-${n}`)
      return ask(client, 'PATCH', {
        address: `/api/resources${here}/source?action=copy&destination=${destination}`,
      })
    },
    async look(client, done) {
      const disk = diskOf(client, work)
      if ((await at(path.join(disk, 'source'))) !== 'whole') return 'the source is no longer whole'
      return countUntil((n) => at(path.join(disk, `copy-${n}`)), { end: 'whole', done })
    },
  }
  return work
}

export const copies: readonly Workload[] = [
  copying({ ...aFile, name: 'copy of a file', place: 'copied-file' }),
  copying({ ...aFolder, name: 'copy of a folder', place: 'copied-folder' }),
]

const doomed = 30

function removing({ name, place, at, make }: MovedEntryKind): Workload {
  const work: Workload = {
    name,
    place,
    async prepare(disk) {
      for (let n = 0; n < doomed; n += 1) await make(path.join(disk, `doomed-${n}`))
    },
    async ask(client, n) {
      if (n >= doomed) return false
      return ask(client, 'DELETE', {
        address: `/api/resources${pathOf(client, work)}/doomed-${n}?permanent=true`,
      })
    },
    look: (client, done) =>
      countUntil(async (n) => (n < doomed ? at(path.join(diskOf(client, work), `doomed-${n}`)) : 'whole'), {
        end: 'absent',
        done,
      }),
  }
  return work
}

export const removals: readonly Workload[] = [
  removing({ ...aFile, name: 'removal of a file', place: 'removed-file' }),
  removing({ ...aFolder, name: 'removal of a folder', place: 'removed-folder' }),
]

/** Downloads an archive, which must not change any file. */
export const archive: Workload = {
  name: 'archive',
  place: 'archived',
  async prepare(disk) {
    for (let n = 0; n < 20; n += 1) await makeFolder(path.join(disk, `${n}`))
  },
  async ask(client, n) {
    const algo = n % 2 === 0 ? 'zip' : 'targz'
    const response = await send(client, 'GET', { address: `/api/raw${pathOf(client, archive)}?algo=${algo}` })
    if (response !== null && response.status !== 200) throw new Error(`an archive: ${response.status}`)
    return response !== null
  },
  async look(client, done) {
    for (let n = 0; n < 20; n += 1)
      if ((await folderAt(path.join(diskOf(client, archive), `${n}`))) !== 'whole')
        return `an archive has changed ${n}`
    return done
  },
}
