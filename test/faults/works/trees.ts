import path from 'node:path'
import { requestChange, bytesOf, diskFolderOf, pathOf, send, type Workload } from '../work.ts'
import {
  countFinished,
  fileStateOf,
  fileBytes,
  folderStateOf,
  makeFile,
  makeFolder,
  type EntryState,
} from './entry-state.ts'

type MovedEntryKind = {
  readonly name: string
  readonly folderName: string
  readonly stateOf: (target: string) => Promise<EntryState>
  readonly create: (target: string) => Promise<void>
  readonly query?: string
}

/** Returns a workload that moves an entry back and forth between two names. */
function moving(
  { name, folderName, stateOf, create }: MovedEntryKind,
  [one, other]: readonly [string, string],
): Workload {
  const workload: Workload = {
    name,
    folderName,
    prepare: (disk) => create(path.join(disk, one)),
    request(client, n) {
      const [from, to] = n % 2 === 0 ? [one, other] : [other, one]
      const folderPath = pathOf(client, workload)
      const destination = encodeURIComponent(`${folderPath}/${to}`)
      return requestChange(client, 'PATCH', {
        address: `/api/resources${folderPath}/${from}?action=rename&destination=${destination}`,
      })
    },
    async countChanges(client, done) {
      const disk = diskFolderOf(client, workload)
      const [even, odd] = [await stateOf(path.join(disk, one)), await stateOf(path.join(disk, other))]
      if (even === 'whole' && odd === 'absent') return done + (done % 2)
      if (odd === 'whole' && even === 'absent') return done + ((done + 1) % 2)
      return `there is ${even} and ${odd}`
    },
  }
  return workload
}

const movedBytes = bytesOf('moving', fileBytes)
const aFile = {
  stateOf: (file: string) => fileStateOf(file, movedBytes),
  create: (file: string) => makeFile(file, movedBytes),
}
const aFolder = { stateOf: folderStateOf, create: makeFolder }

export const moves: readonly Workload[] = [
  moving({ ...aFile, name: 'renaming of a file', folderName: 'moved-file' }, ['one.bin', 'other.bin']),
  moving({ ...aFolder, name: 'renaming of a folder', folderName: 'moved-folder' }, ['one', 'other']),
  moving({ ...aFile, name: 'move of a file', folderName: 'moved-file-across' }, [
    'here/it.bin',
    'there/it.bin',
  ]),
  moving({ ...aFolder, name: 'move of a folder', folderName: 'moved-folder-across' }, [
    'here/it',
    'there/it',
  ]),
]

function copying({ name, folderName, stateOf, create }: MovedEntryKind): Workload {
  const workload: Workload = {
    name,
    folderName,
    prepare: (disk) => create(path.join(disk, 'source')),
    request(client, n) {
      const folderPath = pathOf(client, workload)
      const destination = encodeURIComponent(`${folderPath}/copy-${n}`)
      return requestChange(client, 'PATCH', {
        address: `/api/resources${folderPath}/source?action=copy&destination=${destination}`,
      })
    },
    async countChanges(client, done) {
      const disk = diskFolderOf(client, workload)
      if ((await stateOf(path.join(disk, 'source'))) !== 'whole') return 'the source is no longer whole'
      return countFinished((n) => stateOf(path.join(disk, `copy-${n}`)), { end: 'whole', done })
    },
  }
  return workload
}

export const copies: readonly Workload[] = [
  copying({ ...aFile, name: 'copy of a file', folderName: 'copied-file' }),
  copying({ ...aFolder, name: 'copy of a folder', folderName: 'copied-folder' }),
]

const doomed = 30

function removing({ name, folderName, stateOf, create }: MovedEntryKind): Workload {
  const workload: Workload = {
    name,
    folderName,
    async prepare(disk) {
      for (let n = 0; n < doomed; n += 1) await create(path.join(disk, `doomed-${n}`))
    },
    async request(client, n) {
      if (n >= doomed) return false
      return requestChange(client, 'DELETE', {
        address: `/api/resources${pathOf(client, workload)}/doomed-${n}?permanent=true`,
      })
    },
    countChanges: (client, done) =>
      countFinished(
        async (n) =>
          n < doomed ? stateOf(path.join(diskFolderOf(client, workload), `doomed-${n}`)) : 'whole',
        {
          end: 'absent',
          done,
        },
      ),
  }
  return workload
}

export const removals: readonly Workload[] = [
  removing({ ...aFile, name: 'removal of a file', folderName: 'removed-file' }),
  removing({ ...aFolder, name: 'removal of a folder', folderName: 'removed-folder' }),
]

/** Downloads an archive, which must not change any file. */
export const archive: Workload = {
  name: 'archive',
  folderName: 'archived',
  async prepare(disk) {
    for (let n = 0; n < 20; n += 1) await makeFolder(path.join(disk, `${n}`))
  },
  async request(client, n) {
    const algo = n % 2 === 0 ? 'zip' : 'targz'
    const response = await send(client, 'GET', { address: `/api/raw${pathOf(client, archive)}?algo=${algo}` })
    if (response !== null && response.status !== 200) throw new Error(`an archive: ${response.status}`)
    return response !== null
  },
  async countChanges(client, done) {
    for (let n = 0; n < 20; n += 1)
      if ((await folderStateOf(path.join(diskFolderOf(client, archive), `${n}`))) !== 'whole')
        return `an archive has changed ${n}`
    return done
  },
}
