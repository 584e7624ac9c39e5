import { useState } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { showSettings } from '../../../../../test/components/show-settings.tsx'
import type { AccessRule } from '../../../../shared/domain/access.ts'
import { RuleEditor } from './rule-editor.tsx'

const pathRule = (path: string, allow = false): AccessRule => ({
  allow,
  regex: false,
  path,
  regexp: { raw: '' },
})
const expressionRule = (raw: string, allow = false): AccessRule => ({
  allow,
  regex: true,
  path: '',
  regexp: { raw },
})

type EditorProps = { readonly initial: readonly AccessRule[]; readonly globalRules: readonly AccessRule[] }

function Editor({ initial, globalRules }: EditorProps) {
  const [rules, setRules] = useState(initial)
  return (
    <RuleEditor
      value={rules}
      onChange={setRules}
      hint={undefined}
      error={null}
      user={{ globalRules, scope: '/' }}
    />
  )
}

/** Shows the rules of a user whose folder is that of the server. */
const showRules = (initial: readonly AccessRule[], globalRules: readonly AccessRule[] = []) =>
  showSettings(<Editor initial={initial} globalRules={globalRules} />)

const rule = (number: number) => page.getByRole('group', { name: `Rule ${number}`, exact: true })
const pathOf = (number: number) => rule(number).getByLabelText('Insert the path')
const expressionOf = (number: number) => rule(number).getByLabelText('Insert regex expression')
const rulesShown = () => page.getByRole('group').elements().length
const press = async (name: string) => page.getByRole('button', { name, exact: true }).click()
const invalid = 'This is not a valid regular expression.'

// Journey: users-3
test('a new rule gets the focus, and Enter in its text does nothing', async () => {
  await showRules([])
  for (const number of [1, 2]) {
    await press('New')
    await expect.element(pathOf(number)).toHaveFocus()
    await userEvent.keyboard(`/${number}{Enter}`)
    await expect.element(pathOf(number)).toHaveValue(`/${number}`)
  }
  expect(rulesShown()).toBe(2)
})

// Journey: settings-8
test('after a rule is removed, the next rule has its number and the focus', async () => {
  await showRules([pathRule('/1'), pathRule('/2'), pathRule('/3')])
  await press('Remove rule 2')
  await expect.element(pathOf(2)).toHaveFocus()
  await expect.element(pathOf(2)).toHaveValue('/3')
  expect(rulesShown()).toBe(2)
})

test('a rule is allowed alone', async () => {
  await showRules([pathRule('/1'), pathRule('/2')])
  await rule(1).getByLabelText('Allow').click()
  await expect.element(rule(1).getByLabelText('Allow')).toBeChecked()
  await expect.element(rule(2).getByLabelText('Allow')).not.toBeChecked()
})

// Journey: users-5
test('a path or an expression without a text is named, because the rule would match everything', async () => {
  await showRules([pathRule('')])
  const empty = rule(1).getByText('Enter a text. Without one, the rule would match every path.')
  await expect.element(empty).toBeVisible()
  await rule(1).getByRole('checkbox', { name: 'Regex' }).click()
  await expect.element(expressionOf(1)).toBeVisible()
  await expect.element(empty).toBeVisible()
  await rule(1).getByRole('checkbox', { name: 'Regex' }).click()
  await pathOf(1).fill('/fonts')
  await expect.element(empty).not.toBeInTheDocument()
})

test('an expression that is not valid is named while it is typed', async () => {
  await showRules([expressionRule('a')])
  await expressionOf(1).fill('(')
  await expect.element(rule(1).getByText(invalid)).toBeVisible()
  await expressionOf(1).fill('(a)')
  await expect.element(rule(1).getByText(invalid)).not.toBeInTheDocument()
})

test('a rule that is moved keeps its text, and what is said about it goes with it', async () => {
  await showRules([pathRule('/fonts'), expressionRule('(')])
  await expect.element(rule(2).getByText(invalid)).toBeVisible()
  const held = holdChecks()
  await press('Move rule 1 down')
  await expect.element(pathOf(2)).toHaveValue('/fonts')
  await expect.element(rule(2).getByText(invalid)).not.toBeInTheDocument()
  held.release()
  await expect.element(rule(1).getByText(invalid)).toBeVisible()
})

/** Holds the requests that check rules back until `release` is called. */
function holdChecks(): { readonly release: () => void } {
  const held = Promise.withResolvers<void>()
  const fetchBefore = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    if (String(input instanceof Request ? input.url : input).includes('/rules/check')) await held.promise
    return fetchBefore(input, init)
  }
  onTestFinished(() => {
    held.resolve()
    globalThis.fetch = fetchBefore
  })
  return { release: held.resolve }
}

// Journey: users-4
test('the last rule that matches a path decides, also after a rule is moved', async () => {
  await showRules([pathRule('/fonts'), expressionRule(String.raw`\.otf$`, true)])
  await page.getByLabelText('Try a path').fill('/fonts/cut.otf')
  await expect.element(page.getByText('Allowed: rule 2').first()).toBeVisible()
  await press('Move rule 2 up')
  await expect.element(page.getByText('Denied: rule 2').first()).toBeVisible()
})

test('the entries of a tried folder have the decision about each of them', async () => {
  await showRules([pathRule('/scopes/.stash')])
  await page.getByLabelText('Try a path').fill('/scopes')
  const entries = page.getByRole('region', { name: 'Entries in this folder' }).getByRole('listitem')
  await expect.element(entries.filter({ hasText: '.stash' }).getByText('Denied: rule 1')).toBeVisible()
  await expect.element(entries.filter({ hasText: 'a%2Fb #?&+.txt' })).toBeVisible()
})

test('a rule for all users that does not work is named where a path is tried', async () => {
  // The API stores no rule with an invalid expression, but an import may.
  await showRules([], [expressionRule('(')])
  await page.getByLabelText('Try a path').fill('/fonts')
  await expect.element(page.getByText(`Rule 1 for all users does not work: ${invalid}`)).toBeVisible()
})
