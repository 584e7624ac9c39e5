import { AppError } from '../../../shared/domain/failure.ts'
import { authMethods, type Branding, type Settings, type SignIn } from '../../records/port.ts'
import { faultOfRules } from '../../records/user-fields.ts'
import { membersOf, textsOf, type Members } from './members.ts'
import { defaultsOfRecord, recordOfQuota, recordOfRule, rulesOfRecord } from './user-record.ts'

const usual = { chunkSize: 10 * 1024 * 1024, retryCount: 5, minimumPasswordLength: 12 }
const mostBytes = 1024 * 1024 * 1024

/** The settings as the original exports them, with what only we know beside it. The modes and the key are the caller's. */
export const recordOfSettings = ({ defaults: { quotaBytes, ...defaults }, ...settings }: Settings) => ({
  ...settings,
  defaults: { ...defaults, ...recordOfQuota(quotaBytes) },
  rules: settings.rules.map(recordOfRule),
  // written by the original, and used by nobody
  hideDotfiles: false,
})

/** `auther`: its shape depends on how people log in (contract 2.7); what is kept for other ways stands beside it. */
export const recordOfSignIn = ({ recaptcha, header, command }: SignIn, { authMethod }: Settings) => ({
  ...(authMethod === 'json' || recaptcha !== null ? { recaptcha } : {}),
  ...(authMethod === 'proxy' || header !== '' ? { header } : {}),
  ...(authMethod === 'hook' || command !== '' ? { command } : {}),
})

/** `bad-request` with the reason for what are no settings. What is missing is as the original reads it (contract 15.3). */
export function settingsOfRecord(content: Members): Settings {
  if (!content.has('settings')) throw new AppError('bad-request', { reason: 'the file holds no settings' })
  const record = content.members('settings')
  const defaults = defaultsOfRecord(record.members('defaults'), 'mosaic')
  const method = record.text('authMethod') || 'json'
  const authMethod = authMethods.find((name) => name === method)
  if (authMethod === undefined) throw new AppError('bad-request', { reason: `nobody logs in by ${method}` })
  const rules = rulesOfRecord(record)
  const reason = faultOfRules(rules)
  if (reason !== null) throw new AppError('bad-request', { reason })
  return {
    signup: record.toggle('signup'),
    hideLoginButton: record.toggle('hideLoginButton'),
    createUserDir: record.toggle('createUserDir'),
    userHomeBasePath: record.text('userHomeBasePath') || '/users',
    minimumPasswordLength: record.number('minimumPasswordLength', 0) || usual.minimumPasswordLength,
    defaults: { ...defaults, locale: defaults.locale || 'en' },
    rules,
    branding: brandingOf(record.members('branding')),
    shell: record.texts('shell'),
    commands: Object.fromEntries(
      record
        .members('commands')
        .entries()
        .map(([event, lines]) => [event, textsOf(lines, `commands.${event}`)]),
    ),
    tus: tusOf(record.members('tus')),
    trash: record.toggle('trash', true),
    authMethod,
    logoutPage: record.text('logoutPage') || '/login',
  }
}

function brandingOf(record: Members): Branding {
  const theme = record.text('theme')
  return {
    name: record.text('name'),
    disableExternal: record.toggle('disableExternal'),
    disableUsedPercentage: record.toggle('disableUsedPercentage'),
    files: record.text('files'),
    theme: (['light', 'dark'] as const).find((name) => name === theme) ?? '',
    color: record.text('color'),
    reportIssueURL: record.text('reportIssueURL'),
  }
}

function tusOf(record: Members): Settings['tus'] {
  const [chunkSize, retryCount] = [record.number('chunkSize', 0), record.number('retryCount', 0)]
  if (chunkSize === 0) return { chunkSize: usual.chunkSize, retryCount: retryCount || usual.retryCount }
  return { chunkSize: Math.min(chunkSize, mostBytes), retryCount }
}

export function signInOfRecord(content: Members): SignIn {
  const record = content.members('auther')
  const captcha = record.has('recaptcha') ? record.members('recaptcha') : membersOf({}, 'recaptcha')
  return {
    recaptcha: { host: captcha.text('host'), key: captcha.text('key'), secret: captcha.text('secret') },
    header: record.text('header'),
    command: record.text('command'),
  }
}
