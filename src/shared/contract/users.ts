import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { membersByKind } from './fields.ts'
import { homeFailures } from './home-failures.ts'
import {
  userFieldNames,
  userFields,
  userKindSchemas,
  type TokenFieldName,
  type UserFieldValues,
} from './user-fields.ts'
import { nullish, schemaOf } from './wire.ts'

/**
 * A user in a response of the API. The password is always empty, and only administrators see the scope (contract 10.1).
 */
export type UserResource = {
  readonly id: number
  readonly username: string
  readonly password: ''
} & UserFieldValues

const userSchema = schemaOf<UserResource>()(
  Type.Object(
    {
      id: Type.Integer(),
      username: Type.String(),
      password: Type.Literal(''),
      ...membersByKind(userFields, userFieldNames, userKindSchemas),
    },
    { title: 'User' },
  ),
)

/** The user as described in a session token, only for display (contract 2.1). */
export type TokenUser = Pick<UserResource, 'id' | 'username' | TokenFieldName>

const currentPassword = nullish(Type.String())

export const listUsers = endpoint({
  route: 'users.list',
  summary: 'Lists all users, ordered by id',
  audience: 'admin',
  body: 'none',
  responses: { 'application/json': Type.Array(userSchema) },
})

export const createUser = endpoint({
  route: 'users.create',
  summary: 'Creates a user. The header Location contains the URL of the screen of the user',
  audience: 'admin',
  body: 'json',
  schema: Type.Object({
    what: Type.String(),
    which: nullish(Type.Array(Type.String())),
    data: Type.Record(Type.String(), Type.Unknown()),
    current_password: currentPassword,
  }),
  successStatuses: [201],
  responseHeaders: [{ name: 'Location', description: 'The URL of the screen of the new user' }],
  failures: ['wrong-password', 'name-taken', 'overloaded', ...homeFailures],
})

export const getUser = endpoint({
  route: 'users.get',
  summary: 'Returns a user: the caller, or any user for administrators',
  audience: 'self-or-admin',
  body: 'none',
  responses: { 'application/json': userSchema },
})

export const updateUser = endpoint({
  route: 'users.update',
  summary: 'Changes the fields of a user that `which` names',
  audience: 'self-or-admin',
  body: 'json',
  schema: Type.Object({
    what: Type.String(),
    which: nullish(Type.Array(Type.String())),
    data: Type.Record(Type.String(), Type.Unknown()),
    current_password: currentPassword,
  }),
  failures: ['wrong-password', 'name-taken', 'overloaded'],
})

export const removeUser = endpoint({
  route: 'users.remove',
  summary: 'Removes a user: the caller, or any user for administrators. Files are kept',
  audience: 'self-or-admin',
  body: 'json',
  schema: Type.Union([Type.Undefined(), Type.Null(), Type.Object({ current_password: currentPassword })]),
  failures: ['wrong-password', 'overloaded'],
})
