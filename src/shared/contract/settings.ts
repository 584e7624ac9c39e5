import { Type } from 'typebox'
import type { Permissions, Rule } from '../domain/access.ts'
import type { Sorting } from '../domain/sorting.ts'
import { permissionsSchema, ruleSchema, sortingSchema } from './answers/person.ts'
import { schemaOf } from './answers/schema-of.ts'
import { endpoint } from './endpoint.ts'
import { maybe } from './bodies/maybe.ts'
import { viewModeSchema, type ViewMode } from './users.ts'

export const themes = ['', 'light', 'dark'] as const

/** What administrators decide, as answered (contract 11): never a key, a secret, or anything of the machine. */
export type SettingsResource = {
  readonly signup: boolean
  readonly hideLoginButton: boolean
  readonly createUserDir: boolean
  readonly minimumPasswordLength: number
  readonly userHomeBasePath: string
  readonly defaults: {
    readonly scope: string
    readonly locale: string
    readonly viewMode: ViewMode
    readonly singleClick: boolean
    readonly redirectAfterCopyMove: boolean
    readonly sorting: Sorting
    readonly perm: Permissions
    readonly commands: readonly string[]
    readonly hideDotfiles: boolean
    readonly dateFormat: boolean
    readonly aceEditorTheme: string
    /** Stays as it is where `defaults` are sent without it. */
    readonly quotaBytes: number | null
  }
  readonly rules: readonly Rule[]
  /** Only read: it is changed on the command line. */
  readonly authMethod: string
  readonly branding: {
    readonly name: string
    readonly disableExternal: boolean
    readonly disableUsedPercentage: boolean
    readonly files: string
    readonly theme: (typeof themes)[number]
    readonly color: string
    readonly reportIssueURL: string
  }
  readonly shell: readonly string[]
  readonly commands: Readonly<Record<string, readonly string[]>>
  readonly tus: { readonly chunkSize: number; readonly retryCount: number }
  readonly trash: boolean
}

const settingsSchema = schemaOf<SettingsResource>()(
  Type.Object(
    {
      signup: Type.Boolean(),
      hideLoginButton: Type.Boolean(),
      createUserDir: Type.Boolean(),
      minimumPasswordLength: Type.Integer(),
      userHomeBasePath: Type.String(),
      defaults: Type.Object({
        scope: Type.String(),
        locale: Type.String(),
        viewMode: viewModeSchema,
        singleClick: Type.Boolean(),
        redirectAfterCopyMove: Type.Boolean(),
        sorting: sortingSchema,
        perm: permissionsSchema,
        commands: Type.Array(Type.String()),
        hideDotfiles: Type.Boolean(),
        dateFormat: Type.Boolean(),
        aceEditorTheme: Type.String(),
        quotaBytes: Type.Union([Type.Number(), Type.Null()]),
      }),
      rules: Type.Array(ruleSchema),
      authMethod: Type.String(),
      branding: Type.Object({
        name: Type.String(),
        disableExternal: Type.Boolean(),
        disableUsedPercentage: Type.Boolean(),
        files: Type.String(),
        theme: Type.Union([Type.Literal(''), Type.Literal('light'), Type.Literal('dark')]),
        color: Type.String(),
        reportIssueURL: Type.String(),
      }),
      shell: Type.Array(Type.String()),
      commands: Type.Record(Type.String(), Type.Array(Type.String())),
      tus: Type.Object({ chunkSize: Type.Integer(), retryCount: Type.Integer() }),
      trash: Type.Boolean(),
    },
    { title: 'Settings' },
  ),
)

const flag = maybe(Type.Boolean())
const text = maybe(Type.String({ maxLength: 4096 }))
const lines = Type.Union([Type.Array(Type.String()), Type.Null()])
const mostBytes = 1024 * 1024 * 1024

export const getSettings = endpoint({
  route: 'settings.get',
  summary: 'What administrators decide for everybody',
  who: 'admin',
  body: 'none',
  gives: { 'application/json': settingsSchema },
})

/** Keys that are left out stay as they are; one that is there is replaced as a whole. */
export const updateSettings = endpoint({
  route: 'settings.update',
  summary: 'Changes the settings that are sent, each as a whole',
  who: 'admin',
  body: 'json',
  schema: Type.Object({
    signup: flag,
    hideLoginButton: flag,
    createUserDir: flag,
    minimumPasswordLength: maybe(Type.Integer({ minimum: 0, maximum: 1024 })),
    userHomeBasePath: text,
    defaults: maybe(Type.Record(Type.String(), Type.Unknown())),
    rules: maybe(Type.Array(Type.Unknown())),
    branding: maybe(
      Type.Object({
        name: text,
        disableExternal: flag,
        disableUsedPercentage: flag,
        files: text,
        theme: maybe(Type.Union(themes.map((theme) => Type.Literal(theme)))),
        color: text,
        reportIssueURL: text,
      }),
    ),
    shell: maybe(Type.Array(Type.String())),
    commands: maybe(Type.Record(Type.String(), lines)),
    tus: maybe(
      Type.Object({
        chunkSize: maybe(Type.Integer({ minimum: 0, maximum: mostBytes })),
        retryCount: maybe(Type.Integer({ minimum: 0, maximum: 100 })),
      }),
    ),
    trash: flag,
    current_password: maybe(Type.String()),
  }),
  fails: ['wrong-password', 'overloaded'],
})
