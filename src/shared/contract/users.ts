import { Type } from 'typebox'
import { entryOperations, permissions, type EntryOperation, type Permission } from '../domain/access.ts'
import { errorCodes, type ErrorCode } from '../domain/failure.ts'
import { endpoint } from './endpoint.ts'
import { ruleSchema, triedRuleSchema, userKindSchemas } from './field-schemas.ts'
import { membersByKind } from './fields/fields.ts'
import { homeFailures } from './errors.ts'
import {
  userFieldNames,
  userFields,
  type TokenFieldName,
  type UserFieldValues,
} from './fields/user-fields.ts'
import { optionText, passwordText, recordOf, nullish, schemaOf, type WireType } from './wire.ts'
import { limits } from '../domain/limits.ts'

/**
 * A user in a response of the API. The password is always empty, and only administrators see the scope (contract 10.1).
 * File Browser does not have `isDisabled`.
 */
export type UserResource = {
  readonly id: number
  readonly username: string
  readonly password: ''
  /** True when the user can neither log in nor do anything with an earlier session. */
  readonly isDisabled: boolean
} & UserFieldValues

const userSchema = schemaOf<UserResource>()(
  Type.Object(
    {
      id: Type.Integer(),
      username: Type.String(),
      password: Type.Literal(''),
      isDisabled: Type.Boolean({
        description: 'True when the user can neither log in nor do anything with an earlier session',
      }),
      ...membersByKind(userFields, userFieldNames, userKindSchemas),
    },
    { title: 'User' },
  ),
)

/** The user as described in a session token, only for display (contract 2.1). */
export type TokenUser = Pick<UserResource, 'id' | 'username' | TokenFieldName>

const currentPassword = nullish(passwordText)

/** The fields of a user in a request. Their values are limited where they are read (`server/users/field-readers.ts`). */
const sentFields = recordOf(Type.Unknown())

const fieldNames = nullish(Type.Array(optionText, { maxItems: limits.recordMembers }))

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
    what: optionText,
    which: fieldNames,
    data: sentFields,
    current_password: currentPassword,
    create_home: nullish(
      Type.Boolean({ description: 'True when the folder of the user is created, whatever the settings say' }),
    ),
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
    what: optionText,
    which: fieldNames,
    data: sentFields,
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

const explanationSchema = Type.Object(
  {
    isAllowed: Type.Boolean({ description: 'True when nothing of the following refuses the operation' }),
    isDisabled: Type.Boolean({ description: 'True when the account is disabled' }),
    hasScope: Type.Boolean({ description: 'False when the folder of the user does not exist' }),
    permissions: Type.Array(
      Type.Object({
        name: Type.Unsafe<Permission>(Type.Union(permissions.map((name) => Type.Literal(name)))),
        isGranted: Type.Boolean(),
      }),
      { description: 'The permissions that the operation needs' },
    ),
    decisions: Type.Array(
      Type.Object({
        path: Type.String(),
        isAllowed: Type.Boolean(),
        decidedBy: Type.Union([
          Type.Literal('no-rule'),
          Type.Literal('global-rule'),
          Type.Literal('user-rule'),
          Type.Literal('dotfiles'),
        ]),
        position: Type.Union([Type.Integer(), Type.Null()], {
          description: 'The position of the rule in its list, from 0',
        }),
        rule: Type.Union([ruleSchema, Type.Null()]),
      }),
      { description: 'What decided about each path, in the order in which the server asked' },
    ),
    command: Type.Union(
      [
        Type.Object({
          program: Type.String({ description: 'The first word of the command' }),
          isOn: Type.Boolean({ description: 'False when no user can run commands on this server' }),
          isListed: Type.Boolean({ description: 'True when the list of the user has the program' }),
          hasDenials: Type.Boolean({
            description:
              'True when a rule denies the user any path, because the user can then run no command',
          }),
        }),
        Type.Null(),
      ],
      { description: 'What decides about a command. Null for other operations' },
    ),
    failure: Type.Union(
      [Type.Unsafe<ErrorCode>(Type.Union(errorCodes.map((code) => Type.Literal(code)))), Type.Null()],
      {
        description: 'The error code of the operation apart from the permissions. Null when it would succeed',
      },
    ),
  },
  { title: 'Explanation' },
)

/** The rules and permissions that decide what a user may do with an entry. */
export type AccessExplanation = WireType<typeof explanationSchema>

const questionSchema = Type.Object({
  operation: Type.Unsafe<EntryOperation>(Type.Union(entryOperations.map((name) => Type.Literal(name)))),
  path: Type.String({
    description: 'The path inside the folder of the user, not percent-encoded',
    maxLength: limits.pathBytes,
  }),
  to: nullish(
    Type.String({ description: 'The destination of a move or a copy', maxLength: limits.pathBytes }),
  ),
  command: nullish(
    Type.String({
      description: 'The command of `execute`, which would run in the folder',
      maxLength: limits.socketMessageBytes,
    }),
  ),
})

/** The action that a user wants to perform, and its entry. */
export type AccessQuestion = WireType<typeof questionSchema>

export const explainAccess = endpoint({
  route: 'users.explain',
  summary:
    'Tells whether a user may do something with an entry, and which rule or permission decides. Nothing is changed',
  audience: 'admin',
  body: 'json',
  schema: questionSchema,
  responses: { 'application/json': explanationSchema },
  failures: ['not-found'],
})

const verdict = {
  isAllowed: Type.Boolean(),
  rule: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'The position of the rule that decides, from 0. Null when no rule matches, which allows the path',
  }),
}

const checkSchema = Type.Object(
  {
    faults: Type.Array(
      Type.Object({
        rule: Type.Integer({ description: 'The position of the rule, from 0' }),
        kind: Type.Union([Type.Literal('invalid'), Type.Literal('too-large'), Type.Literal('too-long')]),
      }),
      { description: 'The rules that cannot be stored. They decide nothing here' },
    ),
    ...verdict,
    isFound: Type.Boolean({ description: 'True when an entry exists at the path' }),
    isFolder: Type.Boolean({ description: 'True for a folder and for a link to a folder' }),
    entries: Type.Array(Type.Object({ name: Type.String(), isFolder: Type.Boolean(), ...verdict }), {
      description: 'The first 100 entries in the folder at the path, or in its parent folder',
    }),
    unmatched: Type.Array(
      Type.Object({
        rule: Type.Integer({ description: 'The position of the rule, from 0' }),
        folder: Type.Union([Type.String(), Type.Null()], {
          description: 'The folder in which nothing has the path. Null for the folders of several users',
        }),
        suggestion: Type.Union([Type.String(), Type.Null()], {
          description: 'A similar path that exists, or null',
        }),
      }),
      { description: 'The rules with a path that nothing has now' },
    ),
    people: Type.Array(
      Type.Object({
        id: Type.Integer(),
        username: Type.String(),
        isAllowed: Type.Boolean(),
        isOwnRule: Type.Boolean({ description: 'True when a rule of the user decides' }),
        rule: Type.Union([Type.Integer(), Type.Null()], {
          description: 'The position of the deciding rule in its list, from 0. Null when no rule matches',
        }),
        isFound: Type.Boolean({
          description: 'True when an entry exists at the path in the folder of the user',
        }),
      }),
      {
        description:
          'With `everybody`, what the list and the rules of each user who may log in decide about the path',
      },
    ),
    otherPeople: Type.Integer({ description: 'The number of users who are left out of `people`' }),
  },
  { title: 'RuleCheck' },
)

/** The faults of a list of rules, and what the list decides about a path and about the entries around it. */
export type RuleCheck = WireType<typeof checkSchema>

export const checkRules = endpoint({
  route: 'rules.check',
  summary: 'Tries a list of rules, which need not be stored, on a path and on the entries of its folder',
  audience: 'admin',
  body: 'json',
  schema: Type.Object({
    rules: Type.Array(triedRuleSchema, { maxItems: 2 * limits.rules }),
    path: Type.String({
      description: 'The path inside the folder of a user, not percent-encoded',
      maxLength: limits.pathBytes,
    }),
    scope: nullish(
      Type.String({
        description: 'The folder of the user. Without it, the folder of the caller',
        maxLength: limits.pathBytes,
      }),
    ),
    everybody: nullish(
      Type.Boolean({
        description: 'True for rules for all users, which are tried in the folder of each user',
      }),
    ),
  }),
  responses: { 'application/json': checkSchema },
})
