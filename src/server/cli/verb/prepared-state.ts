import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import { takeoverNote } from '../../../shared/domain/takeover/takeover-report.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import { storedWithAbsolutePaths } from '../../config/stored-paths.ts'
import { absolute } from '../../config/config-environment.ts'
import { keyDigestIn } from '../../records/file/takeover-key.ts'
import type { StoredServingOptions } from '../../records/settings.ts'
import {
  isOpenToOthers,
  locateState,
  refuseForeignLogs,
  refuseLinkedState,
  requireAccess,
  type StateLocation,
} from '../../takeover/state-location.ts'
import { reportLines } from '../../takeover/plan/report-lines.ts'
import type { TakeoverPlan } from '../../takeover/plan/plan-takeover.ts'
import { isDiskDoubtful, type PlannedPresence } from '../../takeover/plan/presence.ts'
import {
  keyDigestOf,
  loadOriginal,
  planFor,
  storePlan,
  noteNotBeside,
  type LoadedOriginal,
  type TakeoverDependencies,
  type TakeoverOutcome,
} from '../../takeover/take-over.ts'

/** Resolves the configuration with options that a database holds. Flags, environment and file precede them. */
export type ConfigResolver = (stored: StoredServingOptions) => LoadedConfig

/** The state of an installation, and the plan of the takeover that must come first; null when none must. */
export type FoundState = {
  readonly location: StateLocation
  readonly plan: (() => Promise<TakeoverPlan>) | null
  /**
   * Returns true for a database file that the next start would accept as the state. Beside a database of File Browser, only
   * a state that was made from it is accepted.
   */
  readonly accepts: (state: string) => boolean
}

/** Finds the state of an installation. Nothing is written. */
export function findState(resolve: ConfigResolver, nowMs: () => number): FoundState {
  const { database } = resolve({}).config
  let loaded: LoadedOriginal | null = null
  const original = (): LoadedOriginal => (loaded ??= loadOriginal(database))
  const target = () => resolve(original().server).config
  const isMadeBy = (state: string): boolean => isMadeFrom(original().state, state)
  const location = locateState(database, () => ({ servedFolder: target().root, hasMade: isMadeBy }))
  if (location.status !== 'own') requireOwnState(location, isMadeBy)
  const accepts = (state: string): boolean => location.original === null || isMadeBy(state)
  if (location.status !== 'pending') return { location, plan: null, accepts }
  const plan = async (): Promise<TakeoverPlan> => {
    const planned = await planFor(original(), target(), nowMs)
    // The plan holds all that is stored, so the memory of the file is given back before the plan is stored.
    loaded = null
    return withLocation(withAbsoluteOptions(planned, resolve({}).cwd), location)
  }
  return { location, plan, accepts }
}

/**
 * Returns true for a state that was made from a database with this key. Everybody knows the digest of a damaged key, so
 * such a state must also be private.
 */
function isMadeFrom(original: { readonly key: Uint8Array | null }, state: string): boolean {
  const isSameKey = keyDigestIn(state) === keyDigestOf(original)
  return isSameKey && (original.key !== null || !isOpenToOthers(state))
}

/**
 * Finds the state of an installation, and takes a database of File Browser over when this was not done before. Of several
 * processes that do so at the same time, one is first and the others use its result. Throws `unavailable`, before anything is
 * written, when the disk of the served folder is probably not mounted, unless this is allowed.
 */
export async function prepareState(
  resolve: ConfigResolver,
  dependencies: TakeoverDependencies,
  { allowsMissing = false }: { readonly allowsMissing?: boolean } = {},
): Promise<{ readonly location: StateLocation; readonly takeover: TakeoverOutcome | null }> {
  const { location, plan: planTakeover } = findState(resolve, dependencies.nowMs)
  if (planTakeover === null || location.original === null) return { location, takeover: null }
  const plan = await planTakeover()
  if (!allowsMissing && isDiskDoubtful(plan.presence))
    throw new AppError('unavailable', {
      reason: `${diskQuestion(plan.presence, location.original)} Nothing was written. Mount the disk, or name the served folder with -r, and start again. To take over without them, run: stowage takeover --allow-missing`,
    })
  await storePlan(plan, location, dependencies)
  const stored = { ...location, status: 'taken-over' } as const
  // Another process may have created the state first, and this need not have been another start.
  requireOwnState(stored, (state) => isMadeFrom(plan, state))
  return {
    location: stored,
    takeover: { from: location.original, to: location.database, report: plan.report },
  }
}

/**
 * Throws `unsupported` for a state that was not made from this database. Whoever could write to its folder before the
 * takeover could have put a state of their own there, but does not know the signing key. Without the database, only the
 * mode of the file shows that Stowage created it.
 */
function requireOwnState(location: StateLocation, hasMade: (state: string) => boolean): void {
  const { database, original, status } = location
  refuseLinkedState(location)
  if (status === 'pending') return
  requireAccess(database, constants.W_OK)
  requireAccess(dirname(database), constants.W_OK)
  refuseForeignLogs(database)
  if (original === null ? !isOpenToOthers(database) : hasMade(database)) return
  throw new AppError('unsupported', {
    reason:
      original === null
        ? `${database} may be read or written by others, so it may not be a file of Stowage; move it away, or restrict it with: chmod 600 ${database}`
        : `${database} was not made from the configured database; move it away, and start again`,
  })
}

/**
 * Makes the stored paths absolute. File Browser resolves them against the working directory of each start, so the working
 * directory of the takeover is the one whose folder was served and planned.
 */
function withAbsoluteOptions(plan: TakeoverPlan, cwd: string): TakeoverPlan {
  const { branding } = plan.settings
  const files = branding.files === '' ? '' : absolute(cwd, branding.files)
  return {
    ...plan,
    server: storedWithAbsolutePaths(plan.server, cwd),
    settings: { ...plan.settings, branding: { ...branding, files } },
  }
}

/** Adds to the report where the state is, when it is not beside the original file. */
function withLocation(
  plan: TakeoverPlan,
  { original, database, isInServedFolder }: StateLocation,
): TakeoverPlan {
  if (!isInServedFolder || original === null) return plan
  const note = noteNotBeside(database, original)
  const { report } = plan
  return { ...plan, report: { ...report, changed: [takeoverNote(note), ...report.changed] } }
}

/** Returns the question that is asked when most entries that a database names are missing. */
export const diskQuestion = ({ missing, total }: PlannedPresence, original: string): string =>
  `Is the disk mounted? Of the ${total} folders and links in ${original}, ${missing} are not in the served folder.`

/** Returns a configuration whose database is the located one. */
export const withDatabase = (loaded: LoadedConfig, database: string): LoadedConfig => ({
  ...loaded,
  config: { ...loaded.config, database },
})

/** Returns the lines that report a takeover; none when none took place. */
export const takeoverLines = (takeover: TakeoverOutcome | null): readonly string[] =>
  takeover === null
    ? []
    : [
        `Took over the database of File Browser, ${takeover.from}, into ${takeover.to}; the former stays as it is`,
        ...reportLines(takeover.report),
      ]
