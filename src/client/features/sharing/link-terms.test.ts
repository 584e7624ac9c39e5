import { expect, test } from 'vitest'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import {
  changesOfFields,
  durationOf,
  emptyFields,
  endOf,
  fieldsOfLink,
  generatePassword,
  maxBytesOf,
  maxFilesOf,
  startOf,
  termsOfFields,
} from './link-terms.ts'

test.each([
  ['', 0],
  [' 0 ', 0],
  ['2', 2],
  ['٧', 7],
  ['2,147', 2147],
  ['2147483647', 2_147_483_647],
  ['2147483648', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['two', null],
])('the duration %j is read as %j units', (typed, units) => {
  expect(durationOf(typed)).toBe(units)
})

test('the end and the start of a link follow from its fields', () => {
  const nowMs = Date.UTC(2026, 10, 25, 12)
  expect(endOf(emptyFields, nowMs)).toBe(null)
  expect(endOf({ ...emptyFields, duration: '2', unit: 'days' }, nowMs)).toBe(Date.UTC(2026, 10, 27, 12))
  expect(startOf(emptyFields)).toBe(null)
  expect(startOf({ ...emptyFields, from: 'nonsense' })).toBe(null)
  expect(startOf({ ...emptyFields, from: '2026-11-25T18:30' })).toBe(new Date(2026, 10, 25, 18, 30).getTime())
})

test('a request contains the start in seconds, and no start for a link that works at once', () => {
  expect(termsOfFields({ ...emptyFields, duration: '2', unit: 'days', password: 'pw' })).toEqual({
    password: 'pw',
    expires: '2',
    unit: 'days',
  })
  const from = '2026-11-25T18:30'
  expect(termsOfFields({ ...emptyFields, from })).toMatchObject({
    expires: '0',
    availableFrom: new Date(2026, 10, 25, 18, 30).getTime() / 1000,
  })
})

const permanent: ShareResource = {
  hash: 'hash',
  path: '/docs/',
  userID: 1,
  expire: 0,
  availableFrom: 0,
  hasPassword: false,
  mode: 'download',
}
const startMs = new Date(2026, 10, 25, 18, 30, 15).getTime()
const limited: ShareResource = {
  ...permanent,
  expire: 1_800_000_000,
  availableFrom: startMs / 1000,
  hasPassword: true,
  mode: 'view-only',
  senderName: 'Anna',
}

const inbox: ShareResource = {
  ...permanent,
  mode: 'upload-only',
  drop: { maxFiles: 3, maxBytes: 1_572_864, receivedFiles: 0, receivedBytes: 0, runningFiles: 0 },
}

test.each([
  ['', 0, 0],
  [' 5 ', 5, 5 * 1024 * 1024],
  ['1.5', null, 1_572_864],
  ['10000', 10_000, 10_000 * 1024 * 1024],
  ['10,000', 10_000, 10_000 * 1024 * 1024],
  ['١٠', 10, 10 * 1024 * 1024],
  ['10001', null, 10_001 * 1024 * 1024],
  ['-1', null, null],
  ['many', null, null],
])('the limit %j is read as %j files or %j bytes', (typed, files, bytes) => {
  expect([maxFilesOf(typed), maxBytesOf(typed)]).toEqual([files, bytes])
})

test('the fields of an existing link describe its terms', () => {
  expect(fieldsOfLink(permanent)).toEqual(emptyFields)
  expect(fieldsOfLink(limited)).toMatchObject({
    from: '2026-11-25T18:30',
    mode: 'view-only',
    sender: 'Anna',
    keepsPassword: true,
  })
  expect(endOf(fieldsOfLink(limited))).toBe(1_800_000_000_000)
})

test.each([
  ['nothing', permanent, {}, {}],
  ['nothing, either', limited, {}, {}],
  ['a duration', permanent, { duration: '2' }, { expires: '2', unit: 'hours' }],
  ['an end', limited, { keptEndMs: null }, { expires: '0', unit: 'hours' }],
  ['a first password', permanent, { password: 'pw' }, { password: 'pw' }],
  ['another password', limited, { password: 'pw' }, { password: 'pw' }],
  ['no password', limited, { keepsPassword: false }, { password: '' }],
  ['no start', limited, { from: '' }, { availableFrom: 0 }],
  ['the mode', limited, { mode: 'download' }, { mode: 'download' }],
  ['a first sender', permanent, { sender: ' Bea ' }, { senderName: 'Bea' }],
  ['no sender', limited, { sender: ' ' }, { senderName: '' }],
  ['a first alias', permanent, { alias: ' Summer-2026 ' }, { alias: 'Summer-2026' }],
  ['the case of an alias', { ...permanent, alias: 'summer-2026' }, { alias: 'SUMMER-2026' }, {}],
  ['no alias', { ...permanent, alias: 'summer-2026' }, { alias: '' }, { alias: '' }],
  ['a limit of downloads', permanent, { maxDownloads: '5' }, { maxDownloads: 5 }],
  ['no limit of downloads', { ...permanent, maxDownloads: 5 }, { maxDownloads: '' }, { maxDownloads: 0 }],
  [
    'the mode and its limit',
    { ...permanent, maxDownloads: 5 },
    { mode: 'view-only' },
    { mode: 'view-only', maxDownloads: 0 },
  ],
  ['the wish to be told', inbox, { tellsOfFiles: true }, { tellsOfFiles: true }],
  ['nothing of a drop box', inbox, {}, {}],
  ['a limit', inbox, { maxFiles: '' }, { maxFiles: 0, maxBytes: 1_572_864 }],
  [
    'the mode and a limit',
    permanent,
    { mode: 'upload-only', maxSize: '0,5' },
    { mode: 'upload-only', maxFiles: 0, maxBytes: 524_288 },
  ],
] as const)('a change of %s sends just that', (_case, link, changed, sent) => {
  expect(changesOfFields(link, { ...fieldsOfLink(link), ...changed })).toEqual(sent)
})

test('generated passwords differ and have 16 characters', () => {
  const passwords = Array.from({ length: 50 }, generatePassword)
  expect(new Set(passwords).size).toBe(50)
  expect(passwords.every((password) => /^[a-zA-Z2-9]{16}$/.test(password))).toBe(true)
})
