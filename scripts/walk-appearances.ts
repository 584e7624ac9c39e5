import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run walk-appearances` has axe check every screen, prompt and state in the light and the dark theme, each also with more
 * contrast and with forced colours, and looks for icons and edges of fields that are hardly visible there. It runs all journeys in which
 * axe checks something, and visits the screens and viewers of the walk through the languages in English and Arabic, in a wide and a
 * narrow window. It takes about half an hour; `npm test` makes these checks in fewer appearances. `-- --journey look` runs the
 * journeys of one file, and `--pictures FOLDER` keeps a picture of every screen of the walk in every appearance.
 */
const { values } = parseArgs({
  options: { journey: { type: 'string' }, pictures: { type: 'string' } },
})

const folder = 'test/e2e'
const journeys = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => values.journey === undefined || name === `${values.journey}.test.ts`)
  .map((name) => path.join(folder, name))
  .filter((file) => /violationsIn|walkInLanguages/.test(readFileSync(file, 'utf8')))

const { status } = spawnSync(
  'vitest',
  // A check takes six times as long as in `npm test`, and a journey makes several.
  ['run', '--project', 'e2e', ...journeys, '--testTimeout', '900000'],
  {
    stdio: 'inherit',
    env: { ...process.env, CHECKED_APPEARANCES: 'all', LANGUAGE_PICTURES: values.pictures ?? '' },
  },
)
process.exitCode = status ?? 1
