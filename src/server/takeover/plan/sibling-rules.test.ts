import { array, assert, asyncProperty, constantFrom, oneof, type Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import type { AccessRule } from '../../../shared/domain/access.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { pathOf } from '../../../shared/domain/path.ts'
import { compileRules } from '../../access/rules.ts'
import { createRecordReader } from '../../exchange/record-reader.ts'
import { faultOfRules } from '../../records/user-checks.ts'
import { planRules } from './plan-rules.ts'
import { withSiblingRules, type PlannedRule } from './sibling-rules.ts'

/** Names that begin like each other, and contain the characters of expressions, both spellings of an accent, and line breaks. */
const nameArbitrary = array(
  constantFrom(
    'a',
    'b',
    'A',
    '.',
    '|',
    ')',
    '(',
    '[',
    '\\',
    '$',
    '^',
    '*',
    '\n',
    'e',
    '\u0301',
    '\u00e9',
    '😀',
  ),
  { minLength: 1, maxLength: 4 },
)
  .map((characters) => characters.join(''))
  .filter((name) => name !== '.' && name !== '..')
const pathArbitrary = array(nameArbitrary, { minLength: 1, maxLength: 3 }).map(
  (names) => `/${names.join('/')}`,
)

const plannedArbitrary: Arbitrary<PlannedRule> = oneof(
  pathArbitrary.map((path) => ({ rule: pathRule(path, false), deniesSiblings: true })),
  pathArbitrary.map((path) => ({ rule: pathRule(path, true), deniesSiblings: false })),
  constantFrom('a$', '^/b', 'e.').map((raw) => ({ rule: denyRegex(raw), deniesSiblings: false })),
)

const pathRule = (path: string, allow: boolean): AccessRule => ({ regex: false, allow, path, regexp: null })
const denyRegex = (raw: string): AccessRule => ({ regex: true, allow: false, path: '', regexp: { raw } })

/** Adds the rule for siblings directly after the rule of each path, one expression for each. */
const withOneRuleEach = (planned: readonly PlannedRule[]): readonly AccessRule[] =>
  planned.flatMap(({ rule, deniesSiblings }) => {
    const escaped = rule.path.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    return deniesSiblings ? [rule, denyRegex(`^${escaped}[^/]`)] : [rule]
  })

test.each([false, true])(
  'combined expressions decide like one expression for each path (case ignored: %s)',
  async (foldsCase) => {
    await assert(
      asyncProperty(
        array(plannedArbitrary, { maxLength: 12 }),
        array(pathArbitrary, { minLength: 1, maxLength: 20 }),
        array(nameArbitrary, { minLength: 1, maxLength: 3 }),
        async (planned, paths, endings) => {
          const [combined, single] = await Promise.all(
            [withSiblingRules(planned), withOneRuleEach(planned)].map((rules) =>
              compileRules(rules, { foldsCase }),
            ),
          )
          const near = planned.flatMap(({ rule }) => [
            rule.path,
            ...endings.flatMap((ending) => [rule.path + ending, `${rule.path}/${ending}`]),
          ])
          const tried = [...paths, ...near].map((text) => pathOf(text)).filter((path) => path !== null)
          for (const path of tried) expect([path, combined?.(path)]).toEqual([path, single?.(path)])
        },
      ),
      { numRuns: 300 },
    )
  },
)

/** Plans rules for everybody of an early version that deny the given number of folders. */
const planDenying = (count: number) => {
  const rules = Array.from({ length: count }, (_, at) => pathRule(`/folder/of project (${at})`, false))
  return planRules(createRecordReader({ rules }, 'settings'), {
    traits: { comparesWholeNames: false },
    folder: { namesIn: () => [] },
    scopes: [],
  })
}

test('a thousand rules that deny become a list that can be stored, unless it is full already', async () => {
  const { rules, changed } = await planDenying(900)
  expect([faultOfRules(rules), rules.length < 920, changed.length]).toEqual([null, true, 900])
  const permits = await compileRules(rules)
  expect(
    ['', '2', '/a', 'x/a', '(899)'].map((ending) => permits(pathOf(`/folder/of project (7)${ending}`)!)),
  ).toEqual([false, false, false, false, false])
  expect(permits(pathOf('/folder/of project (900)')!)).toBe(true)
  const full = await planDenying(limits.rules)
  expect(full.changed.at(-1)).toEqual({
    code: 'rules-too-many',
    values: { count: expect.any(Number), limit: 1000 },
  })
})
