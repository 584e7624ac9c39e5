import { root } from '../../../shared/domain/path.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import type { ShareRecord } from '../../records/share-store.ts'
import type { PlannedUser } from './plan-users.ts'
import type { ServedFolder } from './served-folder.ts'

/** The number of folders of users and of shared entries in a database, and of those that are in the served folder. */
export type PlannedPresence = {
  /** The number of those that were looked up. The folder of a user who sees the whole served folder always exists. */
  readonly total: number
  /** The number of those that are not there. */
  readonly missing: number
}

/** The records of a plan that name entries of the served folder. */
type NamingRecords = {
  readonly users: readonly Pick<PlannedUser, 'scope'>[]
  readonly shares: readonly Pick<ShareRecord, 'kind'>[]
}

/** Counts the folders of users and the shared entries that are not in the served folder. */
export function presenceOf(
  { users, shares }: NamingRecords,
  { hasFolder }: Pick<ServedFolder, 'hasFolder'>,
): PlannedPresence {
  const scopes = users.map(({ scope }) => confinedScope(scope)).filter((at) => at !== null && at !== root)
  const missingScopes = scopes.filter((at) => at !== null && !hasFolder(at)).length
  const awaited = shares.filter(({ kind }) => kind === 'awaited').length
  return { total: scopes.length + shares.length, missing: missingScopes + awaited }
}

/**
 * Returns true when a disk is probably not mounted: most entries are missing. People also leave links to files that they
 * delete, so one missing entry says nothing.
 */
export const isDiskDoubtful = ({ total, missing }: PlannedPresence): boolean =>
  missing > 1 && missing * 2 > total
