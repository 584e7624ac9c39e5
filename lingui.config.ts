import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

/** Messages have explicit ids (`buttons.cancel`), so the catalogues need no marker for explicit ids on each message. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [{ path: '<rootDir>/src/client/i18n/locales/{locale}', include: ['src/client'] }],
  format: formatter({ explicitIdAsDefault: true, lineNumbers: false }),
})
