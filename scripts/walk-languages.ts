import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/**
 * `npm run walk-languages` visits every screen and viewer in all twenty languages in a browser, and reports texts that are untranslated,
 * cut off or too wide. It takes about twenty minutes; `npm test` visits a part of them. `-- --language is` visits one
 * language, and `--pictures FOLDER` keeps a picture of every screen.
 */
const { values } = parseArgs({
  options: { language: { type: 'string' }, pictures: { type: 'string' } },
})

const { status } = spawnSync(
  'vitest',
  [
    'run',
    '--project',
    'e2e',
    'test/e2e/language-',
    ...(values.language === undefined ? [] : ['-t', ` > ${values.language} > `]),
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, WALKED_LANGUAGES: 'all', LANGUAGE_PICTURES: values.pictures ?? '' },
  },
)
process.exitCode = status ?? 1
