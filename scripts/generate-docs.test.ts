import { expect, test } from 'vitest'
import { servingOptionList } from '../src/server/config/serving-options.ts'
import { configurationPage } from './docs/configuration-page.ts'
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
