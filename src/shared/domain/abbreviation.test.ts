import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAbbreviationFilter, createAbbreviationMatch, isAbbreviation } from './abbreviation.ts'
import { parseNameQuery } from './name-query.ts'

const queryOf = (text: string) => parseNameQuery(text, { ignoresAccents: true })

/** Returns the path with brackets around its matching parts, or null when it does not match. */
function marked(text: string, path: string): string | null {
  const match = createAbbreviationMatch(queryOf(text))(path)
  if (match === null) return null
  return match.ranges.reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`,
    path,
  )
}

test.each([
  ['qrep', 'quarterly-report.pdf', '[q]uarterly-[rep]ort.pdf'],
  ['usctl', 'user-settings/control.ts', '[us]er-settings/[c]on[t]ro[l].ts'],
  ['us ctl', 'user-settings/control.ts', '[us]er-settings/[c]on[t]ro[l].ts'],
  ['quartrly', 'reports/quarterly.pdf', 'reports/[quart]e[rly].pdf'],
  ['rmf', 'docs/readMeFirst.md', 'docs/[r]ead[M]e[F]irst.md'],
  ['eport q', 'quarterly-report.pdf', '[q]uarterly-r[eport].pdf'],
  ['inv24', 'invoice-2024.pdf', '[inv]oice-20[24].pdf'],
  ['IMG4', 'img_0004.jpg', '[img]_000[4].jpg'],
  ['cfe', 'x/Cafe\u0301.txt', 'x/[C]a[fe\u0301].txt'],
  ['cfe', 'x/Café.txt', 'x/[C]a[fé].txt'],
  ['🎉p', 'x🎉 party.png', 'x[🎉] [p]arty.png'],
  ['#&', '#?&+', '[#]?[&]+'],
  ['a2f', 'a%2Fb', '[a]%[2F]b'],
  ['季报', '我的季度报告.txt', '我的[季]度[报]告.txt'],
  ['تا', 'تقرير المبيعات', '[ت]قرير [ا]لمبيعات'],
])('%j matches %j', (text, path, shown) => {
  expect(marked(text, path)).toBe(shown)
})

test.each([
  ['qrep', 'prequel report.txt', 'the first letter is inside a word'],
  ['pgae', 'page.md', 'the letters have another order'],
  ['us', 'user-settings/control.ts', 'the name has none of the letters'],
  ['xy', 'x/ab-my', 'the second letter is inside another word'],
  ['👩', '👨', 'half of an emoji is no letter'],
])('%j does not match %j, because %s', (text, path) => {
  expect(marked(text, path)).toBeNull()
})

test('words that are passed and letters that are left out make a match worse, and names are better than paths', () => {
  const match = createAbbreviationMatch(queryOf('mgr'))
  const ranks = [
    'mgr.txt',
    'my great report',
    'my very great report',
    'manager',
    'my/great/manager',
    'my/great/r',
  ].map((path) => match(path))
  expect(ranks.map((found) => [found?.isInName, found?.cost])).toEqual([
    [true, 0],
    [true, 1],
    [true, 2],
    [true, 4],
    [true, 4],
    [false, 2],
  ])
})

test('a text without terms and a text of more than 64 letters are no abbreviations', () => {
  const texts = ['', 'type:image', 'a', 'a'.repeat(64), 'a'.repeat(65)]
  expect(texts.map((text) => isAbbreviation(queryOf(text)))).toEqual([false, false, true, true, false])
})

const part = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', 'é', 'e\u0301', 'İ', '1', '2', '-', ' ', '🎉', '季', 'ß'),
  maxLength: 8,
})

test('for arbitrary texts, the filter of a folder keeps every name that matches, and marks have the typed letters', () => {
  fc.assert(
    fc.property(
      part,
      fc.array(part, { maxLength: 2 }),
      fc.array(part, { maxLength: 4 }),
      (text, above, names) => {
        const query = queryOf(text)
        const folder = above.map((name) => `${name}/`).join('')
        const kept = createAbbreviationFilter(query)(
          folder,
          names.map((name) => `${name}\0`).join(''),
          names.length,
        )
        const match = createAbbreviationMatch(query)
        for (const [index, name] of names.entries()) {
          const found = isAbbreviation(query) ? match(folder + name) : null
          if (found === null) continue
          expect(kept?.[index]).toBe(1)
          expect(found.ranges.every(({ start, end }) => start < end && end <= (folder + name).length)).toBe(
            true,
          )
        }
      },
    ),
  )
})
