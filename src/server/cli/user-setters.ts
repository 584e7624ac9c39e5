import { permissions } from '../../shared/domain/access.ts'
import { viewModes, type ViewMode } from '../../shared/contract/users.ts'
import type { SortKey } from '../../shared/domain/sorting.ts'
import { list, oneOf, sizeOrNone, text, toggle, type Kind } from '../config/kinds.ts'
import type { UserDefaults } from '../records/port.ts'
import { isLocale } from '../records/user-fields.ts'
import { setter, type Setter } from './setter.ts'

/** What flags can say of a user, or of those to come. */
export type UserDraft = UserDefaults & { readonly lockPassword: boolean }

/** What users can be stored with. */
const language: Kind<string> = {
  ...text,
  expects: 'a language tag such as de or pt-br',
  parse: (text) => (isLocale(text) ? text : undefined),
}

const sortKeys = ['', 'name', 'size', 'modified'] as const

/** The user flags of `users add`, `users update`, `config init` and `config set` (contract 14.2). */
export const userSetters: readonly Setter<UserDraft>[] = [
  ...permissions.map((name) =>
    setter<UserDraft, boolean>(
      {
        name: `perm.${name}`,
        kind: toggle,
        default: name !== 'admin',
        meaning: `The permission \`${name}\`.`,
      },
      (draft, value) => ({ ...draft, perm: { ...draft.perm, [name]: value } }),
    ),
  ),
  setter<UserDraft, SortKey | ''>(
    {
      name: 'sorting.by',
      kind: oneOf(...sortKeys),
      default: 'name',
      meaning: 'What listings are sorted by.',
    },
    (draft, by) => ({ ...draft, sorting: { ...draft.sorting, by } }),
  ),
  setter(
    { name: 'sorting.asc', kind: toggle, default: false, meaning: 'The direction of sorting.' },
    (draft, asc) => ({
      ...draft,
      sorting: { ...draft.sorting, asc },
    }),
  ),
  setter(
    { name: 'scope', kind: text, default: '.', meaning: 'The user’s folder below the root.' },
    (draft, scope) => ({
      ...draft,
      scope: scope.trim(),
    }),
  ),
  setter(
    { name: 'locale', kind: language, default: 'en', meaning: 'Language; empty for the browser’s.' },
    (draft, locale) => ({
      ...draft,
      locale,
    }),
  ),
  setter<UserDraft, ViewMode>(
    { name: 'viewMode', kind: oneOf(...viewModes), default: 'list', meaning: 'How listings look.' },
    (draft, viewMode) => ({ ...draft, viewMode }),
  ),
  setter(
    { name: 'commands', kind: list, default: [], meaning: 'Commands that may be run, by comma.' },
    (draft, commands) => ({ ...draft, commands }),
  ),
  ...(
    [
      ['lockPassword', 'The user cannot change the password.'],
      ['singleClick', 'One click opens.'],
      ['redirectAfterCopyMove', 'Copying and moving end in the goal folder.'],
      ['hideDotfiles', 'Names that begin with a dot are hidden.'],
      ['dateFormat', 'Dates are shown in full.'],
    ] as const
  ).map(([name, meaning]) =>
    setter<UserDraft, boolean>({ name, kind: toggle, default: false, meaning }, (draft, value) => ({
      ...draft,
      [name]: value,
    })),
  ),
  setter(
    { name: 'aceEditorTheme', kind: text, default: '', meaning: 'Theme of the editor.' },
    (draft, aceEditorTheme) => ({ ...draft, aceEditorTheme }),
  ),
  setter<UserDraft, number | null>(
    {
      name: 'quota',
      kind: sizeOrNone,
      default: null,
      meaning: 'What the files in the user’s folder may hold together; `none` for any.',
    },
    (draft, quotaBytes) => ({ ...draft, quotaBytes }),
  ),
]
