import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../shared/domain/failure.ts'
import type { TakeoverMessage } from '../../shared/domain/takeover/takeover-notes.ts'
import type { TakeoverReport } from '../../shared/domain/takeover/takeover-report.ts'
import { digestOf } from '../auth/tokens.ts'
import { accessCode } from '../records/file/access-code.ts'
import { createPrivateFile, logSuffixes, sideFileSuffixes } from '../records/file/database-file.ts'
import { openRecords } from '../records/open-records.ts'
import type { StoredServingOptions } from '../records/settings.ts'
import { accessHint } from './original/access-hint.ts'
import { copyOriginalFile } from './original/original-file.ts'
import { readOriginal, type OriginalState } from './original/read-original.ts'
import { servingOptionsOf } from './plan/plan-settings.ts'
import { planTakeover, type TakeoverPlan } from './plan/plan-takeover.ts'
import { createServedFolder, type ServedFolder } from './plan/served-folder.ts'
import type { StateLocation } from './state-location.ts'

export type TakeoverDependencies = {
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
}

/** A database of File Browser that was read into memory. */
export type LoadedOriginal = {
  readonly state: OriginalState
  /** The serving options that it holds. */
  readonly server: StoredServingOptions
}

/** The served folder of the installation, which a plan of the takeover reads. */
export type TakeoverTarget = { readonly root: string; readonly followExternalSymlinks: boolean }

/** Number of random bytes of a new signing key. */
const keyBytes = 64

/** Reads a database of File Browser. Throws an `AppError` with a reason of one line when this is not possible. */
export function loadOriginal(file: string): LoadedOriginal {
  const state = readOriginal(copyOriginalFile(file), file)
  return { state, server: servingOptionsOf(state) }
}

/** Returns the records and the report of a takeover. Writes nothing. */
export async function planFor(
  { state }: LoadedOriginal,
  { root, followExternalSymlinks }: TakeoverTarget,
  nowMs: () => number,
): Promise<TakeoverPlan> {
  const formerRoot = state.config.members('server').text('root')
  const folder = openServedFolder(root, { followExternalSymlinks, formerRoot })
  return planTakeover(state, { folder, atMs: nowMs() })
}

/** Opens the served folder for a plan. Throws `unavailable` with the reason when it cannot be read. */
export function openServedFolder(
  root: string,
  options: Parameters<typeof createServedFolder>[1],
): ServedFolder {
  try {
    // The folder is read once, so that a folder that cannot be read is noticed before its shares count as absent.
    readdirSync(root)
    return createServedFolder(root, options)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const reason = `the served folder ${root} cannot be read (${code}), so its shares cannot be taken over; name it with -r${accessHint(code, root)}`
    throw new AppError('unavailable', { cause, reason })
  }
}

/**
 * Stores a plan in a new database file. The file gets its name once it is complete and on the disk, so a takeover that is
 * killed leaves nothing that a later start would use. When another process was faster, its file stays.
 */
export async function storePlan(
  plan: TakeoverPlan,
  location: StateLocation,
  dependencies: TakeoverDependencies,
): Promise<void> {
  const { database, original } = location
  removeUnfinished(database, dependencies.nowMs())
  refuseSideFiles(database)
  const mark = Buffer.from(dependencies.randomBytes(6)).toString('hex')
  const unfinished = `${database}${unfinishedMark}${process.pid}-${mark}`
  try {
    createPrivateFile(unfinished)
    await fill(unfinished, plan, { ...dependencies, from: original ?? '' })
    publish(unfinished, database)
  } catch (thrown) {
    throw explained(thrown, location)
  } finally {
    removeDatabase(unfinished)
  }
}

async function fill(
  file: string,
  plan: TakeoverPlan,
  { nowMs, randomBytes, from }: TakeoverDependencies & { readonly from: string },
): Promise<void> {
  const records = await openRecords({ database: file, nowMs })
  try {
    const { users, settings, shares } = records
    await users.importAll({ users: plan.users, onExistingId: 'refuse', lastId: plan.lastUserId })
    await settings.change(plan.settings)
    await settings.setSignIn(plan.signIn)
    await settings.setServer(plan.server)
    await settings.setKey(plan.key ?? randomBytes(keyBytes))
    await shares.addAll(plan.shares)
    await settings.setTakeover({
      atMs: nowMs(),
      from,
      keyDigest: keyDigestOf(plan),
      acceptsOldTokens: plan.key !== null,
      report: plan.report,
    })
  } finally {
    await records.close()
  }
}

/** Returns the digest by which a database shows from which database of File Browser it was made. */
export const keyDigestOf = ({ key }: { readonly key: Uint8Array | null }): string =>
  key === null ? '' : digestOf(Buffer.from(key).toString('base64'))

const unfinishedMark = '.unfinished-'

/**
 * Removes the files of takeovers whose process does not run any more. In a container, each start of the server has the
 * same process id, so files of this id are old when they were written before the process started.
 */
function removeUnfinished(database: string, nowMs: number): void {
  const prefix = `${basename(database)}${unfinishedMark}`
  const startedAtMs = nowMs - process.uptime() * 1000
  for (const name of namesIn(dirname(database))) {
    const file = join(dirname(database), name)
    const pid = name.startsWith(prefix) ? Number(/^\d+/.exec(name.slice(prefix.length))?.[0]) : 0
    const isOld = pid === process.pid ? modifiedMsOf(file) < startedAtMs : !isProcess(pid)
    if (pid > 0 && isOld && isFile(file)) rmSync(file, { force: true })
  }
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true

const modifiedMsOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Gives a complete file its name, unless the name is taken. */
function publish(unfinished: string, database: string): void {
  flushToDisk(unfinished)
  refuseSideFiles(database)
  try {
    linkSync(unfinished, database)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // Some file systems have no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code ?? '')) throw thrown
    renameSync(unfinished, database)
  }
  flushToDisk(dirname(database))
}

/**
 * Throws `unsupported` when there is the log of a database that does not exist. SQLite would write its content into the
 * new database. Another process makes the database before its log, so the database is looked for last.
 */
function refuseSideFiles(database: string): void {
  const foreign = logSuffixes
    .map((suffix) => database + suffix)
    .find((file) => (lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0)
  if (foreign !== undefined && !existsSync(database))
    throw new AppError('unsupported', {
      reason: `${foreign} does not belong to a database; move it away, and start again`,
    })
}

function flushToDisk(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function removeDatabase(file: string): void {
  for (const suffix of ['', ...sideFileSuffixes]) rmSync(file + suffix, { force: true })
}

/**
 * Adds advice for the operator to an error about a folder that cannot be written. When the state is to be written to the
 * served folder, the folder of the original database could not be used either.
 */
function explained(thrown: unknown, { database, original, isInServedFolder }: StateLocation): unknown {
  const { code, syscall } = thrown as NodeJS.ErrnoException
  if (!(thrown instanceof Error) || syscall === undefined) return thrown
  const folder = existingFolder(dirname(database))
  const fault = accessCode(folder, constants.W_OK | constants.X_OK) ?? code
  const inDatabaseFolder = original === null || !isInServedFolder ? '' : reasonNotBeside(original)
  return new AppError('unavailable', {
    cause: thrown,
    reason: `the state cannot be written to ${database} (${fault})${accessHint(fault, folder)}${inDatabaseFolder}`,
  })
}

/** Returns the note that says why the state in a file is not beside the original database. */
export function noteNotBeside(state: string, original: string): TakeoverMessage {
  const fault = accessCode(dirname(original), constants.W_OK | constants.X_OK)
  const values = { state, database: original, reason: reasonNotBeside(original, fault) }
  return fault === null
    ? { code: 'state-elsewhere', values }
    : { code: 'state-unwritable', values: { ...values, fault } }
}

/** Returns why the state is not beside the original database, as the end of a sentence. `code` is null when it could be written. */
function reasonNotBeside(
  original: string,
  code = accessCode(dirname(original), constants.W_OK | constants.X_OK),
): string {
  if (code === null) return `; a file beside ${original} would not last, since only that file is mounted`
  return `; a file beside ${original} cannot be written (${code})${accessHint(code, dirname(original))}`
}

/** Returns the nearest folder above a path that exists. */
const existingFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder))

/** The result of a takeover that this process has carried out. */
export type TakeoverOutcome = { readonly from: string; readonly to: string; readonly report: TakeoverReport }
