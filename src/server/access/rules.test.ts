import { expect, test } from 'vitest'
import type { AccessRule } from '../../shared/domain/access.ts'
import { pathOf } from '../../shared/domain/path.ts'
import { compileRules } from './rules.ts'

const deny = (path: string): AccessRule => ({ regex: false, allow: false, path, regexp: null })
const allow = (path: string): AccessRule => ({ ...deny(path), allow: true })
const denyRegex = (raw: string): AccessRule => ({ regex: true, allow: false, path: '', regexp: { raw } })

test.each<[string, AccessRule[], string, boolean]>([
  ['nothing', [], '/docs', true],
  ['a path', [deny('/docs')], '/docs', false],
  ['what lies below it', [deny('/docs')], '/docs/a/b.txt', false],
  ['no neighbour that begins alike', [deny('/docs')], '/docs2', true],
  ['no file that begins alike', [deny('/docs')], '/docs.txt', true],
  ['other letters', [deny('/docs')], '/Docs', true],
  ['below a trailing slash', [deny('/docs/')], '/docs/a.txt', false],
  ['the folder of a trailing slash', [deny('/docs/')], '/docs', true],
  ['everything, for the root', [deny('/')], '/', false],
  ['everything, for the empty path', [deny('')], '/a/b', false],
  ['a path without its slash', [deny('docs')], '/docs/a', false],
  ['a path in odd spelling', [deny('/x/..//docs')], '/docs', false],
  ['an accent spelled in two ways', [deny('/caf\u00e9')], '/cafe\u0301', false],
  ['a later allow', [deny('/docs'), allow('/docs/sub')], '/docs/sub/a', true],
  ['a later deny', [allow('/docs/sub'), deny('/docs')], '/docs/sub/a', false],
  ['a part anywhere in the path', [denyRegex('\\.key$')], '/a/my.key', false],
  ['not what lies below a match', [denyRegex('\\.key$')], '/a/my.key/x', true],
  ['an accent as the rule spells it', [denyRegex('^/e\u0301t')], '/e\u0301t', false],
  ['an accent that only the path spells in two', [denyRegex('^/\u00e9t')], '/e\u0301t', false],
  ['an accent that only the rule spells in two', [denyRegex('^/e\u0301t')], '/\u00e9t', false],
  ['a letter of an accent in two', [denyRegex('^/e[^t]t$')], '/e\u0301t', false],
  ['a name with a line break', [denyRegex('^/a.b$')], '/a\nb', false],
  ['nothing, for a regex without text', [{ ...denyRegex(''), regexp: null }], '/a', true],
])('rules apply to %s', async (...[_case, rules, path, expected]) => {
  expect((await compileRules(rules))(pathOf(path)!)).toBe(expected)
})

test.each<[string, AccessRule[], string, boolean]>([
  ['a path', [deny('/Docs')], '/dOCS/a', false],
  ['a letter that has two small ones', [deny('/\u03a3\u03c2')], '/\u03c3\u03c3', false],
  ['a sharp s', [deny('/stra\u00dfe')], '/STRASSE', false],
  ['an accent spelled in two ways', [deny('/CAF\u00c9')], '/cafe\u0301', false],
  ['what lies below a trailing slash', [deny('/docs/')], '/DOCS/a', false],
  ['no neighbour that begins alike', [deny('/docs')], '/DOCS2', true],
  ['an expression as it is written', [denyRegex('^/docs')], '/DOCS', true],
])('on a disk that ignores case, rules apply to %s', async (...[_case, rules, path, expected]) => {
  expect((await compileRules(rules, { foldsCase: true }))(pathOf(path)!)).toBe(expected)
})

test('an expression that does not compile denies nothing and is reported', async () => {
  const broken: string[] = []
  const permits = await compileRules([denyRegex('('), deny('/docs')], {
    onBroken: (raw) => void broken.push(raw),
  })
  expect([permits(pathOf('/a')!), permits(pathOf('/docs')!), broken]).toEqual([true, false, ['(']])
})

test('an expression with catastrophic backtracking is evaluated in linear time', async () => {
  const permits = await compileRules([denyRegex('^/(a+)+$')])
  const started = performance.now()
  expect(permits(pathOf(`/${'a'.repeat(200)}!`)!)).toBe(true)
  expect(performance.now() - started).toBeLessThan(500)
})
