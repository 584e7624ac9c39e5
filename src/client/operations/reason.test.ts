import { expect, test } from 'vitest'
import { errorStatus } from '../../shared/contract/errors.ts'
import catalogue from '../i18n/locales/en.po?raw'

test('every error code has a sentence in the English catalogue', () => {
  const missing = [...Object.keys(errorStatus), 'offline'].filter(
    (code) => !catalogue.includes(`msgid "reason.${code}"\n`),
  )
  expect(missing).toEqual([])
})
