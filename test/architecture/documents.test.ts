import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/shared/contract/routes.ts'

/** These tests check that the files and links that the documents mention exist. */
const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const documents = [
  ...readdirSync(root),
  ...['.', 'decisions', 'generated', 'proxies', 'recipes'].flatMap((folder) =>
    readdirSync(path.join(root, 'docs', folder)).map((file) => path.join('docs', folder, file)),
  ),
].filter((file) => file.endsWith('.md'))

/** Returns the targets of relative links in a document that do not exist. */
const deadLinks = (text: string, folder: string): string[] =>
  [...text.matchAll(/\]\(([^)#:]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !existsSync(path.join(root, folder, target)))

/**
 * Returns the paths in backticks that do not exist, relative to the root of the tree or to `src`. Patterns with
 * wildcards are skipped.
 */
const deadPaths = (text: string): string[] =>
  [...text.matchAll(/`((?:src|server|client|shared|scripts|test|docs|bin|\.ci)\/[\w./-]+)`/g)]
    .map((match) => match[1] ?? '')
    .filter((file) => !existsSync(path.join(root, file)) && !existsSync(path.join(root, 'src', file)))

/** Returns the patterns that a pattern with one group of alternatives in braces stands for. */
function expandBraces(pattern: string): string[] {
  const [whole, alternatives = ''] = /\{([^}]+)\}/.exec(pattern) ?? []
  if (whole === undefined) return [pattern]
  return alternatives.split(',').map((alternative) => pattern.replace(whole, alternative))
}

/** The text of all source files, for a search for names. */
const sourceText = globSync('{src,test,scripts}/**/*.{ts,tsx}', { cwd: root })
  .map((file) => read(file))
  .join('\n')

describe.each(documents)('%s', (file) => {
  test('links only to existing files', () => expect(deadLinks(read(file), path.dirname(file))).toEqual([]))
  test('names only existing files', () => expect(deadPaths(read(file))).toEqual([]))
})

test('a dead link and a missing file are reported', () => {
  expect(deadLinks('[a](README.md) [b](GONE.md) [c](https://example.org/)', '.')).toEqual(['GONE.md'])
  expect(deadPaths('`scripts/start.js` `server/gone.ts` `scripts/*.js` `npm test`')).toEqual([
    'server/gone.ts',
  ])
})

/** Returns the type names in backticks that no file of the source tree contains. */
const unknownTypes = (text: string, source: string): string[] =>
  [...text.matchAll(/`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`/g)]
    .map((match) => match[1] ?? '')
    .filter((type) => !new RegExp(`\\b${type}\\b`).test(source))

test.each(documents.filter((file) => file === 'ARCHITECTURE.md' || file.startsWith('docs/recipes/')))(
  '%s names only existing types',
  (file) => expect(unknownTypes(read(file), sourceText)).toEqual([]),
)

test('an unknown type is reported', () => {
  expect(unknownTypes('`RouteResponse` `RouteAnswer` `Path`', 'type RouteResponse = 1')).toEqual([
    'RouteAnswer',
  ])
})

test('ARCHITECTURE.md quotes only existing titles of architecture tests', () => {
  const [, invariants = ''] = read('ARCHITECTURE.md').split('## Invariants')
  const titles = [...invariants.matchAll(/^\|.*\|(.*)\|$/gm)].flatMap(([, tests = '']) =>
    [...tests.matchAll(/\*([^*]+)\*/g)].map((match) => match[1] ?? ''),
  )
  expect(titles.length).toBeGreaterThan(5)
  expect(titles.filter((title) => !read('test/architecture/tree.test.ts').includes(`'${title}'`))).toEqual([])
})

test('every pattern of the test suites matches a file', () => {
  const patterns = [...read('vitest.config.ts').matchAll(/'((?:src|test|scripts)\/[^']+\.test\.ts)'/g)]
    .map((match) => match[1] ?? '')
    .flatMap(expandBraces)
  expect(patterns.length).toBeGreaterThan(10)
  expect(patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([])
})

test('ARCHITECTURE.md has at most 200 lines', () => {
  expect(read('ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(200)
})

test('a decision record has less than 450 words', () => {
  for (const file of documents.filter((name) => name.startsWith('docs/decisions/'))) {
    expect([file, read(file).split(/\s+/).length]).toEqual([
      file,
      expect.toSatisfy((words: number) => words < 450),
    ])
  }
})

test('ARCHITECTURE.md names the code of every endpoint', () => {
  const [, table = ''] = read('ARCHITECTURE.md').split('### Where is the code of a call?')
  const words = [...new Set(Object.keys(routes).map((name) => name.split('.')[0] ?? ''))]
  expect(words.filter((word) => !table.includes(`\`${word}\``))).toEqual([])
})

test('ARCHITECTURE.md names every folder of the server', () => {
  const text = read('ARCHITECTURE.md')
  const folders = readdirSync(path.join(root, 'src/server'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(folders.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`server/${name}`))).toEqual(
    [],
  )
})
