import { Type } from 'typebox'
import type { Permissions, Rule } from '../domain/access.ts'
import type { Sorting } from '../domain/sorting.ts'
import { endpoint } from './endpoint.ts'

export const viewModes = ['list', 'mosaic', 'mosaic gallery'] as const
export type ViewMode = (typeof viewModes)[number]

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

const currentPassword = Type.Optional(Type.String())

export const listUsers = endpoint({
  route: 'users.list',
  summary: 'Every user, by id',
  who: 'admin',
  body: 'none',
  gives: ['application/json'],
})

export const createUser = endpoint({
  route: 'users.create',
  summary: 'Makes a user; the address of its screen is answered in Location',
  who: 'admin',
  body: 'json',
  schema: Type.Object({
    what: Type.String(),
    which: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    data: Type.Record(Type.String(), Type.Unknown()),
    current_password: currentPassword,
  }),
})

export const getUser = endpoint({
  route: 'users.get',
  summary: 'One user: oneself, or any for administrators',
  who: 'self-or-admin',
  body: 'none',
  gives: ['application/json'],
})

export const updateUser = endpoint({
  route: 'users.update',
  summary: 'Changes the fields of a user that `which` names',
  who: 'self-or-admin',
  body: 'json',
  schema: Type.Object({
    what: Type.String(),
    which: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
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
})
