import { Type } from 'typebox'
import type { Permissions, Rule } from '../domain/access.ts'
import type { Sorting } from '../domain/sorting.ts'
import { homeFailures } from './answers/home.ts'
import { permissionsSchema, ruleSchema, sortingSchema } from './answers/person.ts'
import { schemaOf } from './answers/schema-of.ts'
import { endpoint } from './endpoint.ts'
import { maybe } from './bodies/maybe.ts'

export const viewModes = ['list', 'mosaic', 'mosaic gallery'] as const
export type ViewMode = (typeof viewModes)[number]

export const viewModeSchema = schemaOf<ViewMode>()(
  Type.Union([Type.Literal('list'), Type.Literal('mosaic'), Type.Literal('mosaic gallery')]),
)

/** A user as answered: the password is always empty, the scope is for administrators only (contract 10.1). */
export type UserResource = {
  readonly id: number
  readonly username: string
  readonly password: ''
  readonly scope: string
  readonly locale: string
  readonly lockPassword: boolean
  readonly viewMode: ViewMode
  readonly singleClick: boolean
  readonly redirectAfterCopyMove: boolean
  readonly perm: Permissions
  readonly commands: readonly string[]
  readonly sorting: Sorting
  readonly rules: readonly Rule[]
  readonly hideDotfiles: boolean
  readonly dateFormat: boolean
  readonly aceEditorTheme: string
  /**
   * What the files within the scope may hold together, in bytes; null for any. Only administrators change it; a whole record without it
   * leaves it as it is.
   */
  readonly quotaBytes: number | null
}

const userSchema = schemaOf<UserResource>()(
  Type.Object(
    {
      id: Type.Integer(),
      username: Type.String(),
      password: Type.Literal(''),
      scope: Type.String(),
      locale: Type.String(),
      lockPassword: Type.Boolean(),
      viewMode: viewModeSchema,
      singleClick: Type.Boolean(),
      redirectAfterCopyMove: Type.Boolean(),
      perm: permissionsSchema,
      commands: Type.Array(Type.String()),
      sorting: sortingSchema,
      rules: Type.Array(ruleSchema),
      hideDotfiles: Type.Boolean(),
      dateFormat: Type.Boolean(),
      aceEditorTheme: Type.String(),
      quotaBytes: Type.Union([Type.Number(), Type.Null()]),
    },
    { title: 'User' },
  ),
)

/** What the token carries under `user`: for display only (contract 2.1). */
export type TokenUser = Pick<
  UserResource,
  | 'id'
  | 'username'
  | 'locale'
  | 'viewMode'
  | 'singleClick'
  | 'redirectAfterCopyMove'
  | 'perm'
  | 'commands'
  | 'lockPassword'
  | 'hideDotfiles'
  | 'dateFormat'
  | 'aceEditorTheme'
>

const currentPassword = maybe(Type.String())

export const listUsers = endpoint({
  route: 'users.list',
  summary: 'Every user, by id',
  who: 'admin',
  body: 'none',
  gives: { 'application/json': Type.Array(userSchema) },
})

export const createUser = endpoint({
  route: 'users.create',
  summary: 'Makes a user; the address of its screen is answered in Location',
  who: 'admin',
  body: 'json',
  schema: Type.Object({
    what: Type.String(),
    which: maybe(Type.Array(Type.String())),
    data: Type.Record(Type.String(), Type.Unknown()),
    current_password: currentPassword,
  }),
  succeeds: [201],
  tells: [{ name: 'Location', says: 'The address of the screen of the new user' }],
  fails: ['wrong-password', 'name-taken', 'overloaded', ...homeFailures],
})

export const getUser = endpoint({
  route: 'users.get',
  summary: 'One user: oneself, or any for administrators',
  who: 'self-or-admin',
  body: 'none',
  gives: { 'application/json': userSchema },
})

export const updateUser = endpoint({
  route: 'users.update',
  summary: 'Changes the fields of a user that `which` names',
  who: 'self-or-admin',
  body: 'json',
  schema: Type.Object({
    what: Type.String(),
    which: maybe(Type.Array(Type.String())),
    data: Type.Record(Type.String(), Type.Unknown()),
    current_password: currentPassword,
  }),
  fails: ['wrong-password', 'name-taken', 'overloaded'],
})

export const removeUser = endpoint({
  route: 'users.remove',
  summary: 'Removes a user: oneself, or any for administrators. Files are kept',
  who: 'self-or-admin',
  body: 'json',
  schema: Type.Union([Type.Undefined(), Type.Null(), Type.Object({ current_password: currentPassword })]),
  fails: ['wrong-password', 'overloaded'],
})
