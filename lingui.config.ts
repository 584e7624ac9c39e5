import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

/** Messages have explicit ids (`buttons.cancel`), so a catalogue needs no mark on each of them. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [{ path: '<rootDir>/src/client/i18n/locales/{locale}', include: ['src/client'] }],
  format: formatter({ explicitIdAsDefault: true, lineNumbers: false }),
})
