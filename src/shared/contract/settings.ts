import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { settingKindSchemas, themeSchema } from './field-schemas.ts'
import { mapFields, membersByKind, type NumberRange } from './fields/fields.ts'
import { brandingFieldNames, brandingFields } from './fields/branding-fields.ts'
import {
  changeableSettingNames,
  readableSettingNames,
  settingFields,
  tusFieldNames,
  tusFields,
  type Settings,
} from './setting-fields.ts'
import { passwordText, pathText, recordOf, nullish, type WireType } from './wire.ts'
import { limits } from '../domain/limits.ts'

/**
 * The server's settings as the API returns them to administrators (contract 11). A response never contains a key, a
 * secret or information about the machine.
 */
export type SettingsResource = Pick<Settings, (typeof readableSettingNames)[number]>

const settingsSchema = Type.Object(membersByKind(settingFields, readableSettingNames, settingKindSchemas), {
  title: 'Settings',
})

const switchRequest = nullish(Type.Boolean())
const textRequest = nullish(pathText)
const lineList = Type.Array(Type.String({ maxLength: limits.commandLineCharacters }), {
  maxItems: limits.listedWords,
})
const linesRequest = Type.Union([lineList, Type.Null()])

const numberRequest = (_name: string, { range: [minimum, maximum] }: NumberRange) =>
  nullish(Type.Integer({ minimum, maximum }))

const brandingRequests = {
  switch: switchRequest,
  text: textRequest,
  path: textRequest,
  color: textRequest,
  accent: textRequest,
  theme: nullish(themeSchema),
  link: textRequest,
}

const tusRequests = {
  /** The size 0 stands for the initial value. */
  size: (_name: string, { range: [, maximum] }: NumberRange) =>
    nullish(Type.Integer({ minimum: 0, maximum })),
  number: numberRequest,
}

/** The schemas of setting values in requests, by field kind. */
const requestSchemas = {
  switch: () => switchRequest,
  words: () => nullish(lineList),
  folder: () => textRequest,
  number: numberRequest,
  userDefaults: () => nullish(recordOf(Type.Unknown())),
  // A list that is a little too long is refused where it is read, with the name of the setting.
  rules: () => nullish(Type.Array(Type.Unknown(), { maxItems: 2 * limits.rules })),
  branding: () => nullish(Type.Object(membersByKind(brandingFields, brandingFieldNames, brandingRequests))),
  hookLines: () => nullish(recordOf(linesRequest)),
  tus: () => nullish(Type.Object(mapFields(tusFields, tusFieldNames, tusRequests))),
  text: () => textRequest,
  nonEmptyText: () => textRequest,
  authMethod: () => textRequest,
}

/** The types of the setting values that a request may contain, by field kind. */
export type RequestValueTypes = {
  readonly [K in keyof typeof requestSchemas]: WireType<ReturnType<(typeof requestSchemas)[K]>>
}

export const getSettings = endpoint({
  route: 'settings.get',
  summary: 'Returns the settings of the server',
  audience: 'admin',
  body: 'none',
  responseHeaders: [{ name: 'ETag', description: 'The version of the settings, for `If-Match`' }],
  responses: { 'application/json': settingsSchema },
})

/**
 * The options that administrators see in the browser. Options that describe the machine (folders, addresses, ports,
 * certificates) and secrets must not be added (decision 74). The client has a message `settings.option.<name>` for each.
 */
export const shownOptionNames = [
  'tokenExpirationTime',
  'disableTokenInUrl',
  'permanentShareTokens',
  'disableExec',
  'unsafeExec',
  'disableThumbnails',
  'disablePreviewResize',
  'disableTypeDetectionByHeader',
  'imageProcessors',
  'maxImagePixels',
  'searchStream',
  'followExternalSymlinks',
  'maxUploadSize',
  'diskTimeout',
] as const

type ShownOptionName = (typeof shownOptionNames)[number]

const optionSchema = Type.Object(
  {
    name: Type.Unsafe<ShownOptionName>(Type.Union(shownOptionNames.map((name) => Type.Literal(name)))),
    value: Type.String({ description: 'The value as `stowage config` shows it' }),
    source: Type.Union(
      [
        Type.Literal('flag'),
        Type.Literal('environment'),
        Type.Literal('file'),
        Type.Literal('database'),
        Type.Literal('default'),
      ],
      { description: 'Where the value comes from' },
    ),
  },
  { title: 'ServerOption' },
)

/** An option with which the server was started. Requests cannot change it (decision 74). */
export type ServerOption = WireType<typeof optionSchema>

export const listOptions = endpoint({
  route: 'settings.options',
  summary: 'Lists options with which the server was started, with the source of each value',
  audience: 'admin',
  body: 'none',
  responses: { 'application/json': Type.Array(optionSchema) },
})

/**
 * Settings that a request does not contain stay unchanged. A setting that a request contains is replaced as a whole.
 */
export const updateSettings = endpoint({
  route: 'settings.update',
  summary: 'Changes the settings that are sent, each as a whole',
  audience: 'admin',
  body: 'json',
  schema: Type.Object({
    ...mapFields(settingFields, changeableSettingNames, requestSchemas),
    current_password: nullish(passwordText),
  }),
  requestHeaders: [
    {
      name: 'If-Match',
      description:
        'The version on which the change is based, or `*`; 412 when the settings have another version',
    },
  ],
  failures: ['wrong-password', 'changed-meanwhile', 'overloaded'],
})

/** The faults of a line that are known before it runs. */
export const hookLineFaults = ['no-program', 'open-escape', 'open-quote'] as const
export type HookLineFault = (typeof hookLineFaults)[number]

const hookEvent = Type.String({
  description: 'The event, such as `before_upload`',
  maxLength: limits.optionCharacters,
})

const listedLineSchema = Type.Object(
  {
    event: hookEvent,
    line: Type.String(),
    program: Type.String({
      description: 'The program that the line starts. Empty when the line cannot be read',
    }),
    fault: Type.Union([
      Type.Unsafe<HookLineFault>(Type.Union(hookLineFaults.map((fault) => Type.Literal(fault)))),
      Type.Null(),
    ]),
  },
  { title: 'HookLine' },
)

/** A stored line of a hook, and whether it can be started. */
export type HookLine = WireType<typeof listedLineSchema>

export const listHooks = endpoint({
  route: 'hooks.list',
  summary: 'Lists the lines that run before and after changes, and names those whose program does not exist',
  audience: 'admin',
  body: 'none',
  responses: { 'application/json': Type.Array(listedLineSchema) },
})

/** The ways in which the run of a line ends. `broken` is a line that cannot be split into words. */
export const hookEnds = ['exited', 'signalled', 'time-limit', 'not-started', 'broken'] as const
export type HookEnd = (typeof hookEnds)[number]

const trialSchema = Type.Object(
  {
    end: Type.Unsafe<HookEnd>(Type.Union(hookEnds.map((end) => Type.Literal(end)))),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The exit code of a program that has `exited`',
    }),
    output: Type.String({
      description: 'What the program printed on its standard output and its standard error',
    }),
    reason: Type.String({ description: 'The reason that users would see. Empty without one' }),
    durationMs: Type.Integer(),
  },
  { title: 'HookTrial' },
)

/** The result of the trial of a line. */
export type HookTrial = WireType<typeof trialSchema>

export const tryHook = endpoint({
  route: 'hooks.try',
  summary: 'Runs a line of a hook with the values of a sample file, which is deleted afterwards',
  audience: 'admin',
  body: 'json',
  schema: Type.Object({
    event: hookEvent,
    line: Type.String({ maxLength: limits.commandLineCharacters }),
    current_password: nullish(passwordText),
  }),
  failures: ['wrong-password', 'unsupported', 'overloaded'],
  responses: { 'application/json': trialSchema },
})

export const getLogo = endpoint({
  route: 'settings.has-logo',
  summary:
    'Tells whether a logo is stored. The picture itself is `/static/img/logo.svg`, which everybody may load',
  audience: 'admin',
  body: 'none',
  responses: { 'application/json': Type.Object({ isStored: Type.Boolean() }) },
})

export const setLogo = endpoint({
  route: 'settings.set-logo',
  summary: 'Stores the body, a PNG, WebP or SVG picture of at most 256 KiB, as the logo of the installation',
  audience: 'admin',
  body: 'bytes',
  failures: ['too-large', 'wrong-media-type'],
})

export const removeLogo = endpoint({
  route: 'settings.remove-logo',
  summary: 'Removes the stored logo, so that the one of the branding folder is shown',
  audience: 'admin',
  body: 'none',
})
