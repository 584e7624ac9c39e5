import type { AccessRule } from '../../../shared/domain/access.ts'
import type { Settings } from '../../../shared/contract/setting-fields.ts'
import { textOfMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import type { RecordReader } from '../../exchange/record-reader.ts'
import type { UserFields } from '../../records/user-store.ts'
import { planRules } from './plan-rules.ts'
import { isHostScope, planScope } from './plan-scope.ts'
import type { ServedFolder } from './served-folder.ts'

/** Imported values, and sentences for the administrator about the values that were changed. */
export type PlannedImport<T> = { readonly planned: T; readonly notes: readonly string[] }

/** The traits of early versions of File Browser, whose records `isEarlyRecord` recognises. */
const earlyTraits = { confinesScopes: false, comparesWholeNames: false } as const

/**
 * Returns true for the record of a user, or of the defaults of users, that an early version of File Browser exported.
 * Later versions and Stowage write the field `redirectAfterCopyMove`, which early versions did not have.
 */
export const isEarlyRecord = (record: RecordReader): boolean => !record.has('redirectAfterCopyMove')

/** Returns true when the meaning of a user's scope depends on the served folder. */
export const needsServedFolder = (record: RecordReader): boolean =>
  isEarlyRecord(record) && isHostScope(record.text('scope'))

/**
 * Plans a user from an export as a takeover does, so that nobody gains access. The rules for everybody may be imported
 * later, so a user whose scope contained the served folder is disabled as well. `folder` is null when no scope
 * depends on it.
 */
export async function planImportedUser<T extends UserFields>(
  user: T,
  record: RecordReader,
  folder: ServedFolder | null,
): Promise<PlannedImport<T>> {
  if (!isEarlyRecord(record)) return { planned: user, notes: [] }
  const { rules, notes } = await planImportedRules(record, ` of ${user.username}`)
  const scope = folder === null ? null : planScope(user.scope, folder, earlyTraits)
  const isDoubtful = (scope?.isDoubtful === true || scope?.containedRoot === true) && !user.perm.admin
  return {
    planned: {
      ...user,
      rules,
      scope: scope?.scope ?? user.scope,
      isDisabled: user.isDisabled || isDoubtful,
    },
    notes: [
      ...(scope === null || scope.note === null
        ? []
        : [`User ${user.username}: ${textOfMessage(scope.note)}`]),
      ...(isDoubtful ? [`User ${user.username}: ${disabledNote(scope?.isDoubtful ?? false)}`] : []),
      ...notes,
    ],
  }
}

/** Returns why an imported account is disabled, and how it is enabled. */
function disabledNote(isOtherFolder: boolean): string {
  const reason = isOtherFolder
    ? 'because its scope may be another folder than before'
    : 'because rules, also those of settings that you import later, match other files in its scope than before'
  return `The account is disabled, ${reason}. Look at the folder and the rules, and then run stowage users update NAME --disabled=false to enable it.`
}

/** Plans the settings from an export: the rules for everybody, and the scope of new users. */
export async function planImportedSettings(
  settings: Settings,
  record: RecordReader,
): Promise<PlannedImport<Settings>> {
  const defaults = record.members('defaults')
  if (!isEarlyRecord(defaults)) return { planned: settings, notes: [] }
  const { rules, notes } = await planImportedRules(record, ' for everybody')
  const isOpen = settings.signup && isHostScope(settings.defaults.scope)
  const note = `Signup is off, because the scope of new users, ${settings.defaults.scope}, was a folder of the machine.`
  return {
    planned: { ...settings, rules, signup: settings.signup && !isOpen },
    notes: isOpen ? [note, ...notes] : notes,
  }
}

async function planImportedRules(
  record: RecordReader,
  owner: string,
): Promise<{ readonly rules: readonly AccessRule[]; readonly notes: readonly string[] }> {
  const folder = { namesIn: () => [] }
  const { rules, changed, left } = await planRules(record, {
    traits: earlyTraits,
    folder,
    scopes: [],
  })
  return { rules, notes: [...changed, ...left].map((note) => textOfMessage(note, owner)) }
}
