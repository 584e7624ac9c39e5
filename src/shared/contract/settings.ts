import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { mapFields, membersByKind } from './fields.ts'
import {
  brandingFieldNames,
  brandingFields,
  changeableSettingNames,
  readableSettingNames,
  settingFields,
  settingKindSchemas,
  themes,
  type Settings,
} from './setting-fields.ts'
import { nullish, type WireType } from './wire.ts'

/**
 * The server's settings as the API returns them to administrators (contract 11). A response never contains a key, a
 * secret or anything about the machine.
 */
export type SettingsResource = Pick<Settings, (typeof readableSettingNames)[number]>

const settingsSchema = Type.Object(membersByKind(settingFields, readableSettingNames, settingKindSchemas), {
  title: 'Settings',
})

const switchRequest = nullish(Type.Boolean())
const textRequest = nullish(Type.String({ maxLength: 4096 }))
const linesRequest = Type.Union([Type.Array(Type.String()), Type.Null()])
/** The maximum of the setting for the size of upload parts: 1 GiB. No client sends larger parts. */
const maximumChunkBytes = 1024 * 1024 * 1024

const brandingRequests = {
  switch: switchRequest,
  text: textRequest,
  theme: nullish(Type.Union(themes.map((theme) => Type.Literal(theme)))),
  link: textRequest,
}

/** For each kind of setting, the schema of its values in requests. */
const requestSchemas = {
  switch: () => switchRequest,
  words: () => nullish(Type.Array(Type.String())),
  folder: () => textRequest,
  number: (_name: string, { range: [minimum, maximum] }: { readonly range: readonly [number, number] }) =>
    nullish(Type.Integer({ minimum, maximum })),
  userDefaults: () => nullish(Type.Record(Type.String(), Type.Unknown())),
  rules: () => nullish(Type.Array(Type.Unknown())),
  branding: () => nullish(Type.Object(membersByKind(brandingFields, brandingFieldNames, brandingRequests))),
  hookLines: () => nullish(Type.Record(Type.String(), linesRequest)),
  tus: () =>
    nullish(
      Type.Object({
        chunkSize: nullish(Type.Integer({ minimum: 0, maximum: maximumChunkBytes })),
        retryCount: nullish(Type.Integer({ minimum: 0, maximum: 100 })),
      }),
    ),
  text: () => textRequest,
  nonEmptyText: () => textRequest,
  authMethod: () => textRequest,
}

/** For each kind of setting, the type of the values that a request may contain. */
export type RequestValueTypes = {
  readonly [K in keyof typeof requestSchemas]: WireType<ReturnType<(typeof requestSchemas)[K]>>
}

export const getSettings = endpoint({
  route: 'settings.get',
  summary: 'What administrators decide for everybody',
  audience: 'admin',
  body: 'none',
  responses: { 'application/json': settingsSchema },
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
    current_password: nullish(Type.String()),
  }),
  failures: ['wrong-password', 'overloaded'],
})
