import type { UserDefaults } from '../records/port.ts'
import { fieldReaders, membersOf } from './field-readers.ts'

/**
 * What new users get, out of a request (contract 11): read like the fields of a user, with the zero value for what is absent. No
 * language is English, no view is cards, and the order stays unsaid when it is. The quota, of which the original's clients do not
 * know, stays as it was before.
 */
export function readDefaults(sent: unknown, before: UserDefaults, isExecOn: boolean): UserDefaults {
  const members = membersOf(sent)
  const { quotaBytes = before.quotaBytes } = members
  const read = fieldReaders(isExecOn)
  const { sorting } = read.sorting(members['sorting'])
  const isUnsaid = (membersOf(members['sorting'])['by'] ?? '') === ''
  const viewMode = members['viewMode'] ?? ''
  return {
    ...read.scope(members['scope']),
    locale: read.locale(members['locale']).locale || 'en',
    ...read.viewMode(viewMode === '' ? 'mosaic' : viewMode),
    ...read.singleClick(members['singleClick']),
    ...read.redirectAfterCopyMove(members['redirectAfterCopyMove']),
    sorting: isUnsaid ? { ...sorting, by: '' } : sorting,
    ...read.perm(members['perm']),
    ...read.commands(members['commands']),
    ...read.hideDotfiles(members['hideDotfiles']),
    ...read.dateFormat(members['dateFormat']),
    ...read.aceEditorTheme(members['aceEditorTheme']),
    ...read.quotaBytes(quotaBytes),
  }
}
