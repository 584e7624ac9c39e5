import { beforeAll, expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'

beforeAll(async () => commands.addFiles('texts'))

const beginning = () => document.querySelector('pre')?.textContent.slice(0, 15)

test('a short text is shown whole', async () => {
  await showFile('/texts/report.txt', { isQuick: true })
  await expect.element(page.getByText('Quarterly figures: 12 €')).toBeVisible()
})

test.each([
  ['long.txt', 'first line\nääää'],
  ['very long.log', 'a line of a log'],
])('of %s the first megabyte is shown', async (name, text) => {
  await showFile(`/texts/${name}`, { isQuick: true })
  await expect.element(page.getByText('Only the first 1 MB are shown.')).toBeVisible()
  expect(beginning()).toBe(text)
})
