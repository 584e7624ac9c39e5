import { mapFields, withFirst } from '../../../shared/contract/fields/fields.ts'
import {
  userField,
  userFieldNames,
  userFields,
  viewModes,
  type UserFieldName,
  type UserFieldValues,
} from '../../../shared/contract/fields/user-fields.ts'
import { permissions, type Permissions } from '../../../shared/domain/access.ts'
import type { SortKey } from '../../../shared/domain/sorting.ts'
import { list, oneOf, sizeOrNone, text, toggle, type OptionKind } from '../../config/option-kinds.ts'
import { isLocale } from '../../records/user-checks.ts'
import { flagSetter, type FlagSetter } from '../verb/flag-setter.ts'

/** The fields of a user, or of the defaults for new users, that flags can set. */
export type UserDraft = Omit<UserFieldValues, 'rules'>

const languageTag: OptionKind<string> = {
  ...text,
  expects: 'a language tag such as de or pt-br',
  parse: (text) => (isLocale(text) ? text : undefined),
}

const sortKeys = ['', 'name', 'size', 'modified'] as const

type UserFieldWithFlag<T> = {
  readonly initial: T
  readonly flag: { readonly meaning: string; readonly name?: string; readonly default?: T } | null
}

/** Creates the flag of a field. The list is empty for a field without a flag. */
const oneFlag =
  <T>(kind: OptionKind<T>, normalize = (value: T): T => value) =>
  (name: string, { initial, flag }: UserFieldWithFlag<T>): readonly FlagSetter<UserDraft>[] => {
    if (flag === null) return []
    const { meaning, name: flagName = name, default: shownDefault = initial } = flag
    return [
      flagSetter({ name: flagName, kind, default: shownDefault, meaning }, (draft, value) => ({
        ...draft,
        [name]: normalize(value),
      })),
    ]
  }

const permissionFlags = (
  _name: string,
  { initial, flag }: { readonly initial: Permissions; readonly flag: { readonly meaning: string } },
): readonly FlagSetter<UserDraft>[] =>
  permissions.map((name) =>
    flagSetter(
      {
        name: `perm.${name}`,
        kind: toggle,
        default: initial[name],
        meaning: `${flag.meaning} \`${name}\`.`,
      },
      (draft, value) => ({ ...draft, perm: { ...draft.perm, [name]: value } }),
    ),
  )

const sortingFlags = (
  _name: string,
  { flag: { meaning } }: { readonly flag: { readonly meaning: string } },
): readonly FlagSetter<UserDraft>[] => [
  flagSetter<UserDraft, SortKey | ''>(
    { name: 'sorting.by', kind: oneOf(...sortKeys), default: 'name', meaning },
    (draft, by) => ({
      ...draft,
      sorting: { ...draft.sorting, by },
    }),
  ),
  flagSetter(
    { name: 'sorting.asc', kind: toggle, default: false, meaning: 'Direction of sorting.' },
    (draft, asc) => ({ ...draft, sorting: { ...draft.sorting, asc } }),
  ),
]

/** The fields with flags, in the order in which the help shows the flags (contract 14.2). */
const fieldsWithFlags: readonly UserFieldName[] = withFirst(
  userFieldNames.filter((name) => userField(name).flag !== null),
  ['perm', 'sorting', 'scope', 'locale', 'viewMode', 'commands'],
)

const flagsByField = mapFields(userFields, userFieldNames, {
  switch: oneFlag(toggle),
  text: oneFlag(text),
  words: oneFlag(list),
  rules: () => [],
  scope: oneFlag(text, (scope) => scope.trim()),
  language: oneFlag(languageTag),
  viewMode: oneFlag(oneOf(...viewModes)),
  permissions: permissionFlags,
  sorting: sortingFlags,
  quota: oneFlag(sizeOrNone),
})

/** The user flags of `users add`, `users update`, `config init` and `config set` (contract 14.2). */
export const userFlags: readonly FlagSetter<UserDraft>[] = fieldsWithFlags.flatMap(
  (name) => flagsByField[name],
)
