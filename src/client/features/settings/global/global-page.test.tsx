import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { showSettings } from '../../../../../test/components/show-settings.tsx'
import { brandingFields } from '../../../../shared/contract/fields/branding-fields.ts'
import {
  defaultSettings,
  settingFields,
  settingForms,
  tusFields,
} from '../../../../shared/contract/setting-fields.ts'
import { userFields, userForms } from '../../../../shared/contract/fields/user-fields.ts'
import { call, callJson } from '../../../api/call.ts'
import type { CallOptions } from '../../../api/call-options.ts'
import { t } from '../../../i18n/translate.ts'
import { GlobalPage } from './global-page.tsx'
import type { ServerSettings } from './settings-query.ts'

const card = (name: string) => page.getByRole('region', { name, exact: true })
const general = () => card('Global Settings')
const field = (label: string) => general().getByLabelText(label, { exact: true })
const update = async (name = 'Branding') => card(name).getByRole('button', { name: 'Update' }).click()
/** Waits until the page has taken over what the server has stored. Otherwise the cache would have it in the next test. */
const isTakenOver = async () =>
  expect.element(general().getByRole('button', { name: 'Update' })).not.toHaveAttribute('aria-disabled')
const stored = (): Promise<ServerSettings> => callJson('settings.get')
const change = async (changes: CallOptions<'settings.update'>['body']) =>
  call('settings.update', { body: changes })

/** Shows the page with the settings of a new installation. */
async function showPage(): Promise<void> {
  await showSettings(<GlobalPage />)
  await expect.element(field('Minimum length of passwords')).toBeVisible()
}

beforeEach(async () => {
  const { end } = await showSettings(null)
  end()
  const { branding, tus, defaults, signup, minimumPasswordLength, auditDays, rules } = defaultSettings
  await change({ branding, tus, defaults, signup, minimumPasswordLength, auditDays, rules: [...rules] })
})

/** Returns true for a row that is one field with a label, and is shown where nobody can run commands. */
const isLabelled = ({ kind, needsCommands }: { kind: string; needsCommands?: true }) =>
  needsCommands !== true && !['rules', 'branding', 'tus'].includes(kind)

test('each setting of the table has a field with its label on the page', async () => {
  await showPage()
  const rows = [
    ...settingForms.general.map((name) => settingFields[name]),
    ...Object.values(brandingFields),
    ...Object.values(tusFields),
  ].filter(isLabelled)
  for (const { texts } of rows) await expect.element(field(t(texts.label))).toBeVisible()
  const defaults = userForms.defaults.map((name) => userFields[name]).filter(isLabelled)
  for (const { kind, texts } of defaults) {
    const labelled = card('User default settings')
    await expect
      .element(
        kind === 'permissions'
          ? labelled.getByRole('group', { name: t(texts.label) })
          : labelled.getByLabelText(t(texts.label), { exact: true }),
      )
      .toBeVisible()
  }
})

test('fields that need commands are missing where nobody can run commands', async () => {
  await showPage()
  expect(page.getByText(t(settingFields.shell.texts.heading)).elements()).toEqual([])
  expect(card(t(settingFields.commands.texts.label)).elements()).toEqual([])
  expect(page.getByLabelText(t(userFields.commands.texts.label), { exact: true }).elements()).toEqual([])
})

test('each kind of field saves its value, a size in bytes', async () => {
  await showPage()
  await field('Allow users to signup').click()
  await field('Minimum length of passwords').fill('14')
  await field('Theme').selectOptions('Dark')
  await field('Instance name').fill('Ours')
  await field('Branding folder path').fill('/')
  await field("Colour of the browser's frame").fill('teal')
  await field('Address for problem reports').fill('mailto:ada@example.com')
  await field('Size of upload parts in MB').fill('2.5')
  await update('Uploads')
  await update()
  await expect.poll(async () => (await stored()).branding.name).toBe('Ours')
  await update('Accounts and login')
  // The scope of new users is the whole server, so a signup is asked about.
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await expect.poll(async () => (await stored()).signup).toBe(true)
  expect(await stored()).toMatchObject({
    minimumPasswordLength: 14,
    branding: {
      theme: 'dark',
      name: 'Ours',
      files: '/',
      color: 'teal',
      reportIssueURL: 'mailto:ada@example.com',
    },
    tus: { chunkSize: 2.5 * 1024 * 1024, retryCount: 5 },
  })
})

test('each choice of the theme is stored under its own value', async () => {
  await showPage()
  for (const [choice, theme] of [
    ['Light', 'light'],
    ['System', ''],
  ] as const) {
    await field('Theme').selectOptions(choice)
    await update()
    await expect.poll(async () => (await stored()).branding.theme).toBe(theme)
    await expect.element(card('Branding').getByText(/^Not saved/)).not.toBeInTheDocument()
  }
})

test('a quota may be empty, and is stored in bytes', async () => {
  await showPage()
  const defaults = card('User default settings')
  const quota = defaults.getByLabelText('Quota in GB')
  await quota.fill('1.5')
  await update('User default settings')
  await expect.poll(async () => (await stored()).defaults.quotaBytes).toBe(1.5 * 1024 ** 3)
  await quota.clear()
  await update('User default settings')
  await expect.poll(async () => (await stored()).defaults.quotaBytes).toBe(null)
})

test('a number outside of the range of the table keeps the form from being sent, and gets the focus', async () => {
  await showPage()
  const [least, most] = settingFields.auditDays.range
  await field('Days for which the audit log is kept').fill('91')
  await field('Days for which the audit log is kept').fill(String(most + 1))
  const sentence = t('settings.failed.range', { least, most })
  await expect.element(general().getByRole('alert')).toHaveTextContent(sentence)
  await update('Audit log')
  await expect.element(field('Days for which the audit log is kept')).toHaveFocus()
  expect((await stored()).auditDays).toBe(90)
})

test('a value that the server refuses is named at its field, which gets the focus, until the value is changed', async () => {
  await showPage()
  const address = field('Address for problem reports')
  await address.fill('javascript:alert(1)')
  await update()
  await expect.element(general().getByText(t('settings.failed.link'))).toBeVisible()
  await expect.element(address).toHaveFocus()
  await expect.element(address).toHaveAttribute('aria-invalid', 'true')
  await address.fill('https://example.com')
  await expect.element(address).not.toHaveAttribute('aria-invalid')
  await update()
  await expect.poll(async () => (await stored()).branding.reportIssueURL).toBe('https://example.com')
  await expect.element(card('Branding').getByText('Not saved')).not.toBeInTheDocument()
})

test('a card saves its own settings, and the draft of another card stays', async () => {
  await showPage()
  const defaults = card('User default settings')
  await field('Instance name').fill('Ours')
  await defaults.getByLabelText('Scope').fill('/team')
  await expect.element(card('Branding').getByText('Not saved: Instance name')).toBeVisible()
  await update('User default settings')
  await expect.element(defaults.getByText('Not saved: Scope')).not.toBeInTheDocument()
  await expect.element(card('Branding').getByText('Not saved: Instance name')).toBeVisible()
  await expect.element(field('Instance name')).toHaveValue('Ours')
  expect(await stored()).toMatchObject({ branding: { name: '' }, defaults: { scope: '/team' } })
})

test('what another administrator has saved meanwhile is kept, and is shown after the save', async () => {
  await showPage()
  await field('Instance name').fill('Ours')
  await change({ auditDays: 30, branding: { ...defaultSettings.branding, color: 'teal' } })
  await update()
  await expect.element(field('Days for which the audit log is kept')).toHaveValue('30')
  await expect.element(field("Colour of the browser's frame")).toHaveValue('teal')
  expect(await stored()).toMatchObject({ auditDays: 30, branding: { name: 'Ours', color: 'teal' } })
})

/** Runs a change of another administrator after the page has read the settings, and before its first save arrives. */
function beforeFirstSave(overtake: () => Promise<unknown>): void {
  const original = globalThis.fetch
  let isFirst = true
  globalThis.fetch = async (input, init) => {
    if (isFirst && init?.method === 'PUT') {
      isFirst = false
      await overtake()
    }
    return original(input, init)
  }
  onTestFinished(() => {
    globalThis.fetch = original
  })
}

test('a save that is overtaken by another administrator is repeated with the other version', async () => {
  await showPage()
  await field('Instance name').fill('Ours')
  beforeFirstSave(() => change({ branding: { ...defaultSettings.branding, color: 'teal' } }))
  await update()
  await expect.element(card('Branding').getByText('Not saved: Instance name')).not.toBeInTheDocument()
  expect((await stored()).branding).toMatchObject({ name: 'Ours', color: 'teal' })
})

test('what is typed while a save is under way stays in the draft', async () => {
  await showPage()
  await field('Instance name').fill('Ours')
  beforeFirstSave(async () => {
    await field('Instance name').fill('Later')
  })
  await update()
  await expect.poll(async () => (await stored()).branding.name).toBe('Ours')
  await isTakenOver()
  await expect.element(field('Instance name')).toHaveValue('Later')
  await expect.element(card('Branding').getByText('Not saved: Instance name')).toBeVisible()
})

test('a failed save keeps the draft and says why', async () => {
  await showPage()
  await field('Instance name').fill('Ours')
  beforeFirstSave(() => Promise.reject(new TypeError('no network')))
  await update()
  await expect.element(general().getByRole('alert')).toHaveTextContent(t('settings.failed.connection'))
  expect(card('User default settings').getByRole('alert').elements()).toEqual([])
  await expect.element(field('Instance name')).toHaveValue('Ours')
  await expect.element(card('Branding').getByText('Not saved: Instance name')).toBeVisible()
})

test('a search finds a setting by its label, its hint and its option, and keeps what is not saved in sight', async () => {
  await showPage()
  const search = page.getByRole('searchbox', { name: 'Search settings' })
  await field('Instance name').fill('Ours')
  await search.fill('chunksize')
  await expect.element(field('Size of upload parts in MB')).toBeVisible()
  await expect.element(field('Minimum length of passwords')).not.toBeInTheDocument()
  await expect.element(card('Branding').getByText('Not saved: Instance name')).toBeVisible()
  await update()
  await expect.element(card('Branding')).not.toBeInTheDocument()
  await search.fill('existing events')
  await expect.element(field('Days for which the audit log is kept')).toBeVisible()
  await search.fill('branding.accent')
  await expect.element(field('Accent of the pages')).toBeVisible()
  await expect.element(field('Theme')).not.toBeInTheDocument()
  await search.fill('no such thing')
  await expect.element(page.getByText('No setting matches.')).toBeVisible()
  await search.fill('')
  await page.getByRole('navigation', { name: 'Topics' }).getByRole('button', { name: 'Uploads' }).click()
  await expect.element(card('Uploads')).toHaveFocus()
})

test('an accent that cannot be read is named, a wrong one is not sent, and the picker fills the field', async () => {
  await showPage()
  const accent = field('Accent of the pages')
  await accent.fill('teal')
  await expect.element(card('Branding').getByText(t('settings.failed.accent'))).toBeVisible()
  await update()
  await expect.element(accent).toHaveFocus()
  await field('Pick: Accent of the pages').fill('#ffd54a')
  await expect.element(accent).toHaveValue('#ffd54a')
  await expect
    .element(card('Branding').getByText(/In the light theme, links get a darker shade/))
    .toBeVisible()
  await update()
  await expect.poll(async () => (await stored()).branding.accent).toBe('#ffd54a')
})

test('a colour that is none is named, is not sent, and gets the focus', async () => {
  await showPage()
  const color = field("Colour of the browser's frame")
  for (const wrong of ['reddish', 'inherit', 'var(--accent)']) {
    await color.fill(wrong)
    await expect.element(card('Branding').getByText('Enter a colour, such as #1f5fdb or teal.')).toBeVisible()
  }
  await update()
  await expect.element(color).toHaveFocus()
  expect((await stored()).branding.color).toBe('')
})

test('a value that the server refuses without naming its field is said below the form', async () => {
  await showPage()
  await field('Instance name').fill('x'.repeat(5000))
  await update()
  await expect.element(card('Branding').getByRole('alert')).toHaveTextContent(t('settings.failed.invalid'))
})

test('rules that are sent before the server has checked them are refused in a sentence', async () => {
  await showPage()
  const original = globalThis.fetch
  globalThis.fetch = (input, init) =>
    String(input instanceof Request ? input.url : input).includes('/rules/check')
      ? new Promise(() => {})
      : original(input, init)
  onTestFinished(() => {
    globalThis.fetch = original
  })
  await card('Rules').getByRole('button', { name: 'New' }).click()
  // Rules that deny are checked once more before they are sent.
  for (const name of ['Allow', 'Regex']) await card('Rules').getByRole('checkbox', { name }).click()
  await card('Rules').getByLabelText('Insert regex expression').fill('(')
  await update('Rules')
  await expect.element(card('Rules').getByText('One of the expressions is not valid.')).toBeVisible()
  expect((await stored()).rules).toEqual([])
})

test('an administrator among the defaults has all permissions, which cannot be taken away', async () => {
  await showPage()
  const defaults = card('User default settings')
  await defaults.getByLabelText('Administrator').click()
  await expect.element(defaults.getByLabelText('Share files')).toBeDisabled()
})

test('a branding folder that is none is refused at its field', async () => {
  await showPage()
  await field('Branding folder path').fill('/nowhere/at/all')
  await update()
  await expect.element(card('Branding').getByText(t('settings.failed.brandingFolder'))).toBeVisible()
  await expect.element(field('Branding folder path')).toHaveFocus()
  expect((await stored()).branding.files).toBe('')
})
