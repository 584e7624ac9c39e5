import { pickMembers } from '../../shared/contract/fields/fields.ts'
import {
  defaultFieldNames,
  initialUserValues,
  userField,
  userFields,
  type UserDefaults,
} from '../../shared/contract/fields/user-fields.ts'
import { readFields, readMembers } from './field-readers.ts'

/**
 * Reads the defaults for new users from a request (contract 11), in the same way as the fields of a user, with three
 * exceptions. An empty language or view mode is replaced by the initial value. An empty sort key stays empty. A field
 * that the clients of File Browser do not know keeps its value when the request does not contain it.
 */
export async function readDefaults(
  sent: unknown,
  before: UserDefaults,
  isExecOn: boolean,
): Promise<UserDefaults> {
  const members = readMembers(sent)
  const completed = defaultFieldNames.map((name) => {
    const { kind } = userFields[name]
    const isKept = userField(name).isUnknownToOriginal === true && members[name] === undefined
    if (isKept) return [name, before[name]] as const
    const isCompleted = kind === 'language' || kind === 'viewMode'
    return [
      name,
      isCompleted && (members[name] ?? '') === '' ? initialUserValues[name] : members[name],
    ] as const
  })
  const fields = await readFields(Object.fromEntries(completed), { names: defaultFieldNames, isExecOn })
  const hasSortKey = (readMembers(members['sorting'])['by'] ?? '') !== ''
  const { sorting = before.sorting } = fields
  const all = { ...before, ...fields, sorting: hasSortKey ? sorting : { ...sorting, by: '' as const } }
  return pickMembers(all, defaultFieldNames)
}
