import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { timedAttacks } from './attack-tests.js'
import { postgresTests } from './postgres-tests.js'
import { SetupError } from './steps.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The suites that a change can reach, each with its arguments for Vitest. The list of arguments is empty where all
 * files of the suite run, and a suite that is missing is left out. Three further suites hold parts of the unit tests,
 * because Vitest runs only the intersection of all arguments of a command: `importers` are the unit tests that import
 * what has changed, `sourceReaders` are those that read the sources of the client, and `documents` are those about
 * documents.
 * @typedef {{ suites: Readonly<Record<string, readonly string[]>>, because: string }} ChangedSuites
 */

/** The suites that start servers or browsers. */
export const allSuites = [
  'unit',
  'faults',
  'postgres',
  'attacks',
  'timed-attacks',
  'commands',
  'components',
  'e2e',
]

/**
 * The unit tests that read the sources or the catalogues of the client from the disk. Vitest, which looks at imports,
 * does not find them for a change of the client. A rule in `test/architecture/changed-suites.test.ts` holds the list.
 */
export const sourceReaders = [
  'scripts/generate-docs.test.ts',
  'scripts/screen-sizes.test.ts',
  'src/client/features/settings/doctor/verdicts.test.ts',
  'src/client/features/settings/takeover/note-text.test.ts',
  'src/client/i18n/words.test.ts',
  'src/client/operations/reason.test.ts',
  'src/client/state/personal.test.ts',
]

/**
 * The unit tests outside of `scripts/` that read a document.
 * @type {Readonly<Record<string, string>>}
 */
const testsOfDocuments = {
  'docs/generated/api.json': 'src/server/openapi/openapi.test.ts',
  'docs/switching-from-file-browser.md': 'test/clients/switching.test.ts',
}

/** The journeys that read the texts of all languages. */
const languageJourneys = ['language-screens', 'language-viewers']

/** The journeys that run after each change of the client. */
const journeysOfEachChange = ['start', 'listing', 'focus']

/**
 * The journeys that run after a change of what all screens share. They show each screen and each viewer, in several languages, and
 * what screens have in common: keys, focus, phones, live changes, prompts. All journeys would take 15 minutes instead of 6.
 */
export const journeysOfAllScreens = [
  ...journeysOfEachChange,
  ...languageJourneys,
  'actions',
  'breadcrumb',
  'details',
  'drop',
  'errors',
  'help',
  'information',
  'keyboard',
  'live',
  'login',
  'look',
  'navigation',
  'neighbours',
  'operations',
  'phone',
  'prompts',
  'quick-look',
  'rectangle',
  'rename',
  'rtl',
  'search',
  'settings',
  'share-viewers',
  'shell',
  'sidebar',
  'texts',
  'thumbnails',
  'upload',
  'viewers',
]

/**
 * The journeys of the parts of the client that nothing outside of them imports, except the table that opens them. Of
 * several parts that contain a file, the last one counts. A file outside of all parts can change every screen. The
 * rule in `test/architecture/changed-suites.test.ts` holds both.
 * @type {readonly (readonly [folder: string, journeys: readonly string[]])[]}
 */
export const clientParts = [
  ['features/clipboard/', ['actions', 'operations', 'verbs', 'keyboard', 'language-viewers']],
  ['features/context-menu/', ['actions', 'navigation', 'phone', 'prompts', 'search-results', 'views']],
  ['features/drag/', ['operations', 'rectangle', 'search-results', 'sidebar', 'upload']],
  ['features/editor/', ['documents', 'editor', 'file', 'language-viewers', 'texts', 'two-people', 'viewers']],
  [
    'features/files/',
    [
      'actions',
      'breadcrumb',
      'details',
      'errors',
      'file',
      'keyboard',
      'large-list',
      'navigation',
      'neighbours',
      'operations',
      'phone',
      'rectangle',
      'rename',
      'thumbnails',
      'verbs',
      'tile-rows',
      'views',
    ],
  ],
  [
    'features/login/',
    ['branding', 'language-screens', 'login', 'no-login', 'signup', 'takeover', 'two-people'],
  ],
  [
    'features/prompts/',
    [
      'actions',
      'archives',
      'downloads',
      'errors',
      'help',
      'information',
      'keyboard',
      'language-screens',
      'language-viewers',
      'live',
      'navigation',
      'operations',
      'palette',
      'phone',
      'prompts',
      'rename',
      'specified-calls',
      'two-people',
      'upload',
      'verbs',
    ],
  ],
  ['features/prompts/batch-rename/', ['language-screens', 'rename']],
  [
    'features/facts/',
    ['details', 'information', 'keyboard', 'language-screens', 'search-results', 'truth', 'verbs'],
  ],
  [
    'features/prompts/palette/',
    ['help', 'keyboard', 'language-screens', 'language-viewers', 'palette', 'search'],
  ],
  ['features/quick-look/', ['keyboard', 'language-viewers', 'media', 'posters', 'quick-look', 'viewers']],
  ['features/search/', ['language-viewers', 'navigation', 'phone', 'search', 'search-results', 'two-people']],
  [
    'features/settings/',
    [
      'audit',
      'language-screens',
      'no-login',
      'settings',
      'settings-layout',
      'shares',
      'specified-calls',
      'takeover',
      'two-people',
      'users',
    ],
  ],
  ['features/settings/audit/', ['audit', 'language-screens', 'settings-layout']],
  ['features/settings/takeover/', ['language-screens', 'settings-layout', 'takeover']],
  ['features/share-page/', ['drop', 'language-screens', 'share-page', 'share-viewers', 'shares', 'takeover']],
  ['features/sharing/', ['drop', 'language-screens', 'share-page', 'shares', 'specified-calls', 'takeover']],
  ['features/shell/', ['look', 'shell']],
  [
    'features/sidebar/',
    ['keyboard', 'live', 'look', 'navigation', 'phone', 'rtl', 'sidebar', 'two-people', 'views'],
  ],
  [
    'features/uploads/',
    ['drop', 'interrupted-uploads', 'live', 'process', 'resume', 'two-people', 'upload', 'upload-tray'],
  ],
  ['features/viewers/archive/', ['archives', 'language-viewers']],
  ['features/viewers/book/', ['language-viewers', 'share-viewers', 'viewers']],
  ['features/viewers/comic/', ['language-viewers', 'share-viewers', 'viewers']],
  ['features/viewers/font/', ['language-viewers', 'share-viewers', 'viewers']],
  ['features/viewers/html/', ['editor', 'language-viewers', 'share-viewers', 'texts']],
  ['features/viewers/markdown/', ['editor', 'language-viewers', 'share-viewers', 'texts']],
  ['features/viewers/media/', ['language-viewers', 'media', 'posters', 'share-viewers']],
  ['features/viewers/model/', ['language-viewers', 'share-viewers', 'viewers']],
  ['features/viewers/pdf/', ['language-viewers', 'share-viewers', 'viewers']],
  ['features/viewers/raw/', ['images', 'language-viewers', 'share-viewers']],
  ['features/viewers/table/', ['language-viewers', 'share-viewers', 'viewers']],
  ['features/viewers/tiff/', ['images', 'language-viewers', 'share-viewers']],
  ['features/viewers/tree/', ['language-viewers', 'share-viewers', 'viewers']],
  ['i18n/locales/', ['language-screens', 'language-viewers', 'look']],
]

/** The journeys of the lists of files, which several screens show. */
const journeysOfLists = [
  'actions',
  'details',
  'drop',
  'keyboard',
  'language-screens',
  'large-list',
  'live',
  'navigation',
  'neighbours',
  'operations',
  'phone',
  'prompts',
  'rectangle',
  'rename',
  'rtl',
  'search',
  'search-results',
  'share-page',
  'thumbnails',
  'tile-rows',
  'views',
]

/**
 * Returns the files of the repository that differ from a commit, with those that Git does not know yet. A renamed file
 * is in the list with its old and its new path, because both paths can reach tests.
 * @param {string} commit
 * @param {string} folder the folder of the repository
 */
export function changedFiles(commit, folder = root) {
  /** @param {string[]} args */
  const paths = (...args) => {
    const { stdout, status } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new SetupError(`Git knows no commit ${commit}, or this folder is no clone.`)
    return stdout.split('\0').filter((file) => file !== '')
  }
  return [
    ...new Set([
      ...paths('diff', '--name-only', '--no-renames', '--relative', '-z', commit),
      ...paths('ls-files', '--others', '--exclude-standard', '-z'),
    ]),
  ]
}

/**
 * Returns the suites that a change of these files can reach. The quick checks always run.
 * @param {readonly string[]} files relative to the root, with `/`
 * @param {string} commit the commit that the files are compared with
 * @returns {ChangedSuites}
 */
export function suitesOf(files, commit) {
  /** @type {Record<string, Set<string>>} */
  const suites = {}
  /** @param {string} suite @param {readonly string[]} args */
  const add = (suite, args) => (suites[suite] = new Set([...(suites[suite] ?? []), ...args]))
  for (const file of files) {
    const reached = reachOf(file)
    if (reached === 'all') return { suites: whole(allSuites), because: `${file} can reach everything` }
    for (const [suite, args] of Object.entries(reached)) add(suite, args)
  }
  const isOfClient = files.some((file) => file.startsWith('src/client/'))
  if (isOfClient) {
    add('importers', [`--changed=${commit}`])
    add('sourceReaders', sourceReaders)
    add('components', [everyFile])
    if (suites['e2e'] !== undefined) add('e2e', journeysOfEachChange.map(journeyFile))
  }
  const because = files.length === 0 ? 'nothing has changed' : `${files.length} files have changed`
  return {
    suites: Object.fromEntries(Object.entries(suites).map(([suite, args]) => [suite, argumentsOf(args)])),
    because,
  }
}

/** Stands for all files of a suite. */
const everyFile = 'every file'

/** @param {ReadonlySet<string>} args */
const argumentsOf = (args) => (args.has(everyFile) ? [] : [...args].sort())

/** @param {readonly string[]} suites @returns {Record<string, readonly string[]>} */
const whole = (suites) => Object.fromEntries(suites.map((suite) => [suite, []]))

/** @param {string} name */
export const journeyFile = (name) => `test/e2e/${name}.test.ts`

/**
 * Returns what a changed file can reach: arguments by suite, or everything.
 * @param {string} file
 * @returns {Record<string, readonly string[]> | 'all'}
 */
function reachOf(file) {
  if (/^docs\/|^[A-Z]+\.md$|^(LICENSE|NOTICE)$/.test(file)) return reachOfDocument(file)
  // The architecture tests are quick checks, and the bench is only started by hand.
  if (/^test\/(architecture\/.+\.test\.ts$|bench\/)/.test(file)) return {}
  if (file === 'test/architecture/same-words.ts') return { e2e: languageJourneys.map(journeyFile) }
  if (file.startsWith('test/components/'))
    return { components: [everyFile], e2e: [journeyFile('media'), journeyFile('viewers')] }
  // The servers of the unit tests serve these files.
  if (file.startsWith('src/client/public/')) return 'all'
  if (file.startsWith('src/client/')) return reachOfClientFile(file.slice('src/client/'.length))
  if (!file.endsWith('.test.ts')) return 'all'
  if (!existsSync(path.join(root, file))) return {}
  if (file.startsWith('test/e2e/')) return { e2e: [file] }
  if (timedAttacks.includes(file)) return { 'timed-attacks': [file] }
  if (/^test\/faults\/(.+-)?attacks\.test\.ts$/.test(file)) return { attacks: [file] }
  if (file.startsWith('test/faults/')) return { faults: [file] }
  if (file === 'src/server/shell/attacks.test.ts') return { commands: [file] }
  const onPostgres = postgresPatterns.some((pattern) => pattern.test(file)) ? { postgres: [file] } : {}
  return file.startsWith('test/postgres/') ? onPostgres : { unit: [file], ...onPostgres }
}

/**
 * Returns the pattern of the paths that a glob matches: `**` stands for any folders, `*` for a part of a name, and
 * braces hold alternatives. Node 18, on which `npm test` may start, has no function for globs.
 * @param {string} glob
 */
const patternOf = (glob) => {
  const pattern = glob.replaceAll(/\*\*\/|\*|[{},]|[^\w/-]/g, (part) => globParts[part] ?? `\\${part}`)
  return new RegExp(`^${pattern}$`)
}

/** @type {Readonly<Record<string, string>>} */
const globParts = { '**/': '(?:.*/)?', '*': '[^/]*', '{': '(?:', '}': ')', ',': '|' }

const postgresPatterns = postgresTests.map(patternOf)

/**
 * Returns what a document can reach: the unit tests in `scripts/` compare documents with their sources.
 * @param {string} file
 */
function reachOfDocument(file) {
  const reader = testsOfDocuments[file]
  return { documents: ['scripts/', ...(reader === undefined ? [] : [reader])] }
}

/**
 * Returns what a file of the client can reach. Its unit tests are found by Vitest from the imports.
 * @param {string} file relative to `src/client`
 * @returns {Record<string, readonly string[]>}
 */
function reachOfClientFile(file) {
  if (/\.test\.tsx?$/.test(file)) return {}
  const part = clientParts.findLast(([folder]) => file.startsWith(folder))
  const others = file.startsWith('listing/') ? journeysOfLists : journeysOfAllScreens
  return { e2e: (part?.[1] ?? others).map(journeyFile) }
}
