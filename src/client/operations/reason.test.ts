import { expect, onTestFinished, test } from 'vitest'
import { compileMessage, readCatalogue } from '../../../scripts/texts/catalogue.ts'
import { permissions } from '../../shared/domain/access.ts'
import type { TokenUser } from '../../shared/contract/users.ts'
import { CallError } from '../api/call.ts'
import { addTexts } from '../i18n/translate.ts'
import { session } from '../state/session.ts'
import { reasonOf, reasonOfSearch } from './reason.ts'

test.each([
  [new CallError(500), 'search.failed.internal'],
  [new CallError(500, { code: 'internal' }), 'search.failed.internal'],
  [new TypeError('the program has a fault'), 'search.failed.internal'],
  [new CallError(0), 'palette.failed'],
  [new CallError(403), 'palette.failed'],
  [new CallError(500, { code: 'timeout' }), 'palette.failed'],
])('a search that failed with %s has the sentence %s', (thrown, id) => {
  expect(reasonOfSearch(thrown)).toBe(id)
})

const texts = readCatalogue('en').filter(({ id }) => id.startsWith('reason.') || id === 'text.sentences')
addTexts(Object.fromEntries(texts.map(({ id, english }) => [id, compileMessage(english)])))

/** Signs in a user with the given permissions alone. */
function signInWith(...granted: readonly string[]): void {
  const perm = Object.fromEntries(permissions.map((name) => [name, granted.includes(name)]))
  session.set({ kind: 'user', token: 't', user: { id: 1, perm } as TokenUser })
  onTestFinished(() => session.set({ kind: 'starting' }))
}

const noSpace = 'There is no space left on the server.'
const overQuota = 'Not enough space is left in your quota.'

test.each([
  ['no-space', ['admin', 'delete'], `${noSpace} Delete files or use a larger disk, then try again.`],
  [
    'over-quota',
    ['admin', 'delete'],
    `${overQuota} Delete files or raise your quota in the settings, then try again.`,
  ],
  ['no-space', ['delete'], `${noSpace} Delete files or ask an administrator for more space, then try again.`],
  [
    'over-quota',
    ['delete'],
    `${overQuota} Delete files or ask an administrator for more space, then try again.`,
  ],
  ['no-space', [], `${noSpace} Ask an administrator for more space, then try again.`],
  ['over-quota', [], `${overQuota} Ask an administrator for more space, then try again.`],
] as const)('the reason %s names what a user with the permissions %j can do', (code, granted, sentence) => {
  signInWith(...granted)
  expect(reasonOf(new CallError(507, { code }))).toBe(sentence)
})
