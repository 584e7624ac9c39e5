import { beforeAll, describe, expect, test } from 'vitest'
import { compileMessage, placeholdersOf, readCatalogue } from '../../../../../scripts/texts/catalogue.ts'
import {
  takeoverNoteTexts,
  type TakeoverMessage,
  type TakeoverNoteCode,
} from '../../../../shared/domain/takeover/takeover-notes.ts'
import { addTexts } from '../../../i18n/translate.ts'
import { noteText } from './note-text.ts'

const german = readCatalogue('de')

// Tests of a run share the texts, so that only those of the notes are added.
beforeAll(() => {
  const ofNotes = german.filter(({ id }) => id.startsWith('settings.takeover.') || id === 'text.list')
  addTexts(Object.fromEntries(ofNotes.map(({ id, translation }) => [id, compileMessage(translation)])))
})

const inGerman = (message: TakeoverMessage, subject: 'everybody' | 'new-users' | null = null) =>
  noteText({ message, subject })

test('a note is written in the language of the administrator, with the paths of a list', () => {
  expect(
    inGerman(
      { code: 'rule-denies-found', values: { path: '/docs', names: ['/docs2', '/docs.txt'] } },
      'everybody',
    ),
  ).toBe(
    'Für alle: Die Regel, die /docs verbietet, traf auch auf längere Namen zu, zum Beispiel /docs2, /docs.txt. Eine zweite Regel verbietet diese weiterhin.',
  )
  expect(inGerman({ code: 'scope-gone', values: { scope: '/a', folder: '/a' } }, 'new-users')).toContain(
    'Für neue Benutzer: Der Stammordner /a war',
  )
})

test('ids have no separators, and control characters of names are shown', () => {
  expect(inGerman({ code: 'user-name-taken', values: { id: '12345' } })).toContain('ID 12345 ')
  const name = inGerman({ code: 'branding', values: { name: 'a\u202eb' } })
  expect(name).not.toContain('\u202e')
})

test('a note of an early version, which has no code, has no text in other languages', () => {
  expect(noteText({ message: null, subject: null })).toBeNull()
})

describe('the English text of', () => {
  const codes = Object.keys(takeoverNoteTexts) as TakeoverNoteCode[]
  test.each(codes)('%s contains the values that the message shows', (code) => {
    const english = german.find(({ id }) => id === `settings.takeover.note.${code}`)?.english ?? ''
    const names = [...placeholdersOf(english).keys()].filter((name) => name !== 'fault')
    const values = Object.fromEntries(
      names.map((name) => [name, /^(names|commands)$/.test(name) ? [`<${name}>`] : `<${name}>`]),
    )
    const text = (takeoverNoteTexts[code] as (values: object, owner: string) => string)(values, '')
    for (const name of names.filter((one) => one !== 'database')) expect(text).toContain(`<${name}>`)
  })
})
