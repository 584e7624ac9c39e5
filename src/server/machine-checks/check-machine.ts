import type { MachineFindingCode } from '../../shared/domain/doctor/machine-findings.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { DiskFacts, PathFacts } from './path-facts.ts'

/** A finding, and the file, the number or the reason that it is about. */
export type FoundOnMachine = { readonly code: MachineFindingCode; readonly subject: string }

const mebibyte = 1024 * 1024

/** Checks all facts about the machine. */
export const checkMachine = (facts: MachineFacts): readonly FoundOnMachine[] =>
  [
    checkRoot,
    checkStateOwner,
    checkServedFiles,
    checkDatabase,
    checkFileSystems,
    checkSpace,
    checkClock,
    checkLimits,
    checkPrograms,
  ].flatMap((check) => check(facts))

/** Checks that the served folder can be used. */
export function checkRoot({ root }: Pick<MachineFacts, 'root'>): readonly FoundOnMachine[] {
  const found = (code: MachineFindingCode) => [{ code, subject: root.path }]
  if (root.kind !== 'folder') return found('root-missing')
  if (!root.canRead || !root.canEnter) return found('root-unreadable')
  return root.canWrite ? [] : found('root-not-writable')
}

/** Checks that the files of the state belong to the server, and that nobody else reads the database. */
export function checkStateOwner({
  uid,
  stateFiles,
  stateFolder,
}: Pick<MachineFacts, 'uid' | 'stateFiles' | 'stateFolder'>): readonly FoundOnMachine[] {
  const [database] = stateFiles
  const isOfOther = (facts: PathFacts): boolean =>
    !facts.canWrite || facts.kind === 'unreachable' || (uid !== null && uid !== 0 && facts.uid !== uid)
  // A command that root ran leaves files that the server cannot write, which root does not notice.
  const isStray = (facts: PathFacts): boolean => database !== undefined && facts.uid !== database.uid
  const owners = stateFiles
    .filter((facts) => isOfOther(facts) || isStray(facts))
    .map(({ path }) => ({ code: 'state-owner', subject: path }) as const)
  const isFolderClosed = stateFolder?.kind === 'folder' && !(stateFolder.canWrite && stateFolder.canEnter)
  return [
    ...owners,
    ...(isFolderClosed ? [{ code: 'state-owner', subject: stateFolder.path } as const] : []),
    ...stateFiles
      .filter(({ mode }) => (mode & 0o077) !== 0)
      .map(({ path }) => ({ code: 'state-open', subject: path }) as const),
  ]
}

/** Reports one of the server's own files that users could read in the served folder. */
export const checkServedFiles = ({
  servedFiles,
}: Pick<MachineFacts, 'servedFiles'>): readonly FoundOnMachine[] =>
  servedFiles.slice(0, 1).map(({ file, servedAs }) => ({
    code: 'state-served',
    subject: `${servedAs} is ${file}`,
  }))

/** Reports what is wrong with the database. */
export function checkDatabase({
  database,
  databaseName,
}: Pick<MachineFacts, 'database' | 'databaseName'>): readonly FoundOnMachine[] {
  if (database.kind === 'usable') return []
  if (database.kind === 'unreadable')
    return [{ code: 'database-unreadable', subject: `${databaseName}: ${database.reason}` }]
  return [{ code: `database-${database.kind}`, subject: databaseName }]
}

/** The numbers of file systems (statfs(2)) that other machines have, or that a program provides. */
const networkTypes = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x65735546, 0x0bd00bd0,
])
/** tmpfs, ramfs, and the layers of a container. */
const passingTypes = new Set([0x01021994, 0x858458f6, 0x794c7630])
/** FAT, exFAT. */
const plainTypes = new Set([0x4d44, 0x2011bab0])

/** Returns true for a path on a disk of one of these kinds. */
const isOn = (facts: PathFacts | null, types: ReadonlySet<number>): facts is PathFacts => {
  const disk = facts?.disk ?? null
  // The kernel of some systems reports large numbers as negative ones.
  return disk !== null && types.has(disk.type >>> 0)
}

/** Checks the kinds of the file systems of the state and of the served folder. */
export function checkFileSystems({
  root,
  stateFolder,
}: Pick<MachineFacts, 'root' | 'stateFolder'>): readonly FoundOnMachine[] {
  return [
    ...(isOn(stateFolder, networkTypes)
      ? [{ code: 'state-network-disk', subject: stateFolder.path } as const]
      : []),
    ...(isOn(stateFolder, passingTypes)
      ? [{ code: 'state-not-kept', subject: stateFolder.path } as const]
      : []),
    ...(isOn(root, plainTypes) ? [{ code: 'root-plain-disk', subject: root.path } as const] : []),
  ]
}

/** The space from which a disk counts as almost full. A single upload is often larger. */
const leastFreeBytes = 512 * mebibyte

/** Checks the free space and the free inodes of the disks. */
export function checkSpace({
  root,
  stateFolder,
}: Pick<MachineFacts, 'root' | 'stateFolder'>): readonly FoundOnMachine[] {
  return [root, stateFolder].flatMap((facts) =>
    facts === null || facts.disk === null ? [] : spaceFindings(facts.path, facts.disk),
  )
}

function spaceFindings(
  path: string,
  { freeBytes, freeInodes, totalInodes }: DiskFacts,
): readonly FoundOnMachine[] {
  const free = Math.floor(freeBytes / mebibyte)
  return [
    ...(freeBytes < leastFreeBytes
      ? [{ code: 'disk-full', subject: `${path} (${free} MiB free)` } as const]
      : []),
    ...(totalInodes > 0 && freeInodes < totalInodes / 100
      ? [{ code: 'inodes-full', subject: `${path} (${freeInodes} inodes free)` } as const]
      : []),
  ]
}

/** The difference in milliseconds that two machines with right clocks may have: 5 minutes, as for Kerberos. */
const clockToleranceMs = 5 * 60 * 1000

/** Checks that no file was changed after the present time. */
export function checkClock({
  nowMs,
  root,
  stateFiles,
}: Pick<MachineFacts, 'nowMs' | 'root' | 'stateFiles'>): readonly FoundOnMachine[] {
  return [...stateFiles, root]
    .filter(({ modifiedMs }) => modifiedMs > nowMs + clockToleranceMs)
    .slice(0, 1)
    .map(({ path, modifiedMs }) => ({
      code: 'clock-behind',
      subject: `${path} was changed at ${new Date(modifiedMs).toISOString()}`,
    }))
}

/** From this memory on, a server works without slow parts (docs/decisions, 149). */
const leastMemoryBytes = 128 * mebibyte
/** 1000 connections, each of which may have a file and a pipe open, and those of the server itself. */
const leastOpenFiles = 4096

/** Checks the limits of memory and of open files. */
export const checkLimits = ({
  memoryBytes,
  openFiles,
}: Pick<MachineFacts, 'memoryBytes' | 'openFiles'>): readonly FoundOnMachine[] => [
  ...(memoryBytes < leastMemoryBytes
    ? [{ code: 'memory-low', subject: `${Math.floor(memoryBytes / mebibyte)} MiB` } as const]
    : []),
  ...(openFiles < leastOpenFiles ? [{ code: 'open-files-low', subject: `${openFiles} files` } as const] : []),
]

/** Reports programs that are not installed. */
export const checkPrograms = ({
  missingPrograms,
}: Pick<MachineFacts, 'missingPrograms'>): readonly FoundOnMachine[] =>
  missingPrograms.length === 0 ? [] : [{ code: 'helpers-missing', subject: missingPrograms.join(', ') }]
