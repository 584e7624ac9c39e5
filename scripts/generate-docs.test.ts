import { expect, test } from 'vitest'
import { servingOptionList } from '../src/server/config/serving-options.ts'
import { configurationPage } from './docs/configuration-page.ts'
import { differences } from './docs/differences.ts'
import { textOf } from './docs/differences-page.ts'
import { stalePages } from './generate-docs.ts'

test('the generated pages match their source', async () => {
  expect(await stalePages()).toEqual([])
})

test('every option of serving is in the manual with its meaning', () => {
  const page = configurationPage()
  for (const { name, meaning } of servingOptionList) {
    expect(page).toContain(`\`--${name}\``)
    expect(meaning).toMatch(/^[A-Z`].{5,}\.$/)
  }
})

const rows = Object.values(differences).flat()
/** Joins the lines of a text, so that a quotation is found wherever the lines of a record break. */
const joined = (text: string): string => text.replaceAll(/\s+/g, ' ')

test.each(rows)('the difference "$subject" is stated by $source', ({ source, quote }) => {
  expect(joined(textOf(source))).toContain(joined(quote))
})

test.each(['0035', '0037'])('each difference that decision %s states is in the table', (record) => {
  const [, decision = ''] = /\*\*Decision\.\*\*([^]*?)\*\*Consequences/.exec(textOf(record)) ?? []
  const stated = decision.split(/^- /m).slice(1).map(joined)
  const quotes = rows.filter((row) => row.source === record).map(({ quote }) => joined(quote))
  expect(stated.length).toBeGreaterThan(5)
  expect(stated.filter((sentence) => !quotes.some((quote) => sentence.includes(quote)))).toEqual([])
})
